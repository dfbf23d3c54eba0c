
/// The first seconds of some AX6 recordings, in which acceleration and rotation are exchanged.
///
/// Such a recording begins with acceleration before rotation. After some hundred samples, one triple is written twice.
/// From then on the order is as documented: rotation before acceleration. In the documented order, the first seconds
/// look like free fall.
enum AxisSwap {
    /// The number of samples at the start with exchanged triples. It is 0 unless a triple is written twice and, before
    /// it, the triples in the place of rotation have the magnitude of gravity.
    ///
    /// - Parameter range: The range of the first sectors in `bytes`.
    static func sampleCount(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var row = 0
        var magnitudes = SIMD2<Float>()
        var previous: SIMD3<Int16>?
        for start in stride(
            from: range.lowerBound, through: range.upperBound - AxivitySector.size, by: AxivitySector.size)
        {
            let sectorBytes = bytes.extracting(start..<start + AxivitySector.size)
            guard case .samples(let sector) = AxivitySector.read(sectorBytes) else { continue }
            guard case .words(let each, first: 3) = sector.packing, row < longest else { return 0 }
            for sample in 0..<sector.count {
                let place = AxivitySector.samplesOffset + sample * each * 2
                let front = sectorBytes.int16Vector(at: place)
                let back = sectorBytes.int16Vector(at: place + 6)
                if previous == front, row > 0 {
                    let means = magnitudes / Float(row)
                    return abs(means[0] - 1) < abs(means[1] - 1) ? row : 0
                }
                magnitudes += SIMD2(magnitude(front), magnitude(back)) * sector.scale
                previous = back
                row += 1
            }
        }
        return 0
    }

    /// The number of samples to search. The repeated triple was observed after 128 and 1024.
    private static let longest = 2000

    private static func magnitude(_ triple: SIMD3<Int16>) -> Float {
        let values = SIMD3<Float>(triple)
        return (values * values).sum().squareRoot()
    }
}
