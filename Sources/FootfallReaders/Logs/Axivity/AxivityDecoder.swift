internal import Footfall
internal import Foundation

/// Decodes the recordings of Axivity AX3 and AX6 (`.cwa`): a header, then sectors of samples.
struct AxivityDecoder: RecordingDecoder {
    static let mostSamples = AxivitySector.mostSamples
    private static let headerSize = 1024
    private static let headerSignature = Array("MD".utf8) + [0xFC, 0x03]

    private let device: String
    private let options: TraceOptions
    private var clock = AxivityClock()
    private var sampleRate: Double?
    private var range: Double?
    /// The offset at the start of the recording, because the clock does not follow daylight saving.
    private var utcOffset: UTCOffset
    /// The number of next samples with acceleration and rotation exchanged.
    private var swapped = 0
    private(set) var temperature: Float?
    private(set) var notes: [ParameterText] = []
    private var tally = WarningCounts()

    /// Whether the file begins with the header of such a recording, or with sectors where the header is missing.
    static func reads(_ source: borrowing LineSource) -> Bool {
        let bytes = source.bytes.span.extracting(source.unread)
        if bytes.has(headerSignature, at: 0) { return true }
        let starts = stride(
            from: 0, to: min(bytes.count, 8 * AxivitySector.size) - AxivitySector.size, by: AxivitySector.size)
        return starts.contains { start in
            if case .samples = AxivitySector.read(bytes.extracting(start..<start + AxivitySector.size)) { return true }
            return false
        }
    }

    /// Takes the header from a source whose opening is loaded.
    init(_ source: inout LineSource, _ options: TraceOptions) {
        let device = AxivityDecoder.device(source)
        if device != nil { source.advance(to: source.unread.lowerBound + AxivityDecoder.headerSize) }
        self.device = device ?? "AX3 or AX6"
        self.options = options
        utcOffset = UTCOffset(options, atLocalSecond: 0)
        let bytes = source.bytes.span
        let range = source.unread
        swapped = AxisSwap.sampleCount(bytes, range)
        for start in stride(
            from: range.lowerBound, through: range.upperBound - AxivitySector.size, by: AxivitySector.size)
        {
            if case .samples(let sector) = AxivitySector.read(bytes.extracting(start..<start + AxivitySector.size)) {
                learn(sector)
                break
            }
        }
        notes = utcOffset.notes(options)
        if swapped > 0 {
            notes.append(
                "acceleration and rotation are exchanged in the first \(swapped) samples; they were put in order")
        }
        notes += options.notesOnRecording
    }

    /// The device's model and number; nil if the header is missing.
    private static func device(_ source: borrowing LineSource) -> String? {
        let header = source.bytes.span.extracting(source.unread)
        guard header.count >= headerSize, header.has(headerSignature, at: 0) else { return nil }
        let low = UInt32(header.littleEndian(UInt16.self, at: 5))
        let high = UInt32(header.littleEndian(UInt16.self, at: 11))
        let model = header[4] == 0x64 ? "AX6" : "AX3"
        return "\(model) \(high == 0xFFFF ? low : (high << 16) | low)"
    }

    var layout: RecordingLayout {
        RecordingLayout(
            device: device, sampleRate: sampleRate, range: range, utcOffset: Int(utcOffset.seconds),
            utcOffsetEvidence: utcOffset.evidence)
    }
    var warnings: [TraceWarning] { tally.warnings }

    private mutating func learn(_ sector: AxivitySector) {
        sampleRate = sector.hertz
        range = sector.range
        utcOffset = UTCOffset(options, atLocalSecond: sector.clock / 1_000_000_000)
    }

    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int? {
        guard source.unread.count >= AxivitySector.size else { return nil }
        let bytes = source.bytes.span.extracting(source.unread.prefix(AxivitySector.size))
        switch AxivitySector.read(bytes) {
        case .bad(let kind): tally.note(kind, .byte(source.offset))
        case .other: break
        case .samples(let sector):
            if sampleRate == nil { learn(sector) }
            var line = clock.line(of: sector)
            line.time -= utcOffset.seconds * 1_000_000_000
            let early = min(swapped, sector.count)
            if early > 0 { sector.decode(bytes, 0..<early, line, first: 0, into: &columns) }
            sector.decode(bytes, early..<sector.count, line, into: &columns)
            swapped -= early
            temperature = sector.temperature
        }
        return AxivitySector.size
    }

    mutating func finish(_ source: borrowing LineSource) {
        if !source.unread.isEmpty { tally.note(.cutShort, nil) }
    }
}

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

/// Computes the times of the samples of Axivity sectors.
///
/// Each sector states the time of one of its samples on the device's clock. Two consecutive sectors give the real rate.
/// The first sector, and one after a loss, uses the nominal rate.
struct AxivityClock: Sendable {
    /// Equally spaced times.
    struct Line {
        /// The time of the sample numbered `sample`, in nanoseconds since 1970.
        var time: Int64
        var sample: Int
        /// Nanoseconds from one sample to the next.
        var period: Double

        /// The time of a sample by its number, in nanoseconds since 1970.
        @inline(__always)
        func nanoseconds(of index: Int) -> Int64 {
            time &+ Int64(clamping: Double(index &- sample) * period)
        }
    }

    private var previous: (sequence: UInt32, clock: Int64, sample: Int)?
    /// The expected start of the next sector, on the device's clock.
    private var expected: Int64?

    /// The times of a sector's samples, on the device's clock.
    mutating func line(of sector: AxivitySector) -> Line {
        let follows = previous.map { $0.sequence &+ 1 == sector.sequence } ?? false
        var line = Line(time: sector.clock, sample: sector.clockSample, period: 1e9 / sector.hertz)
        if sector.isClockCoarse {
            // The clock is truncated to a second, so the time follows from the sector before, within that second.
            let second = sector.clock...sector.clock + 1_000_000_000
            line.time =
                follows ? min(max(expected ?? sector.clock, second.lowerBound), second.upperBound) : sector.clock
        } else if follows, let previous {
            let period = Double(sector.clock - previous.clock) / Double(sector.clockSample - previous.sample)
            // A larger deviation means that the clock was set.
            if period.isFinite, abs(period / line.period - 1) < AxivityClock.largestError { line.period = period }
        }
        previous = (sector.sequence, sector.clock, sector.clockSample - sector.count)
        expected = line.nanoseconds(of: sector.count)
        return line
    }

    /// The largest relative deviation of the real rate from the nominal one. Devices run up to 3 % slow.
    private static let largestError = 0.2
}
