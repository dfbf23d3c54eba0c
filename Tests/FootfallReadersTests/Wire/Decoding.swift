import FootfallReaders

/// The readings of a decoder.
struct Decoded {
    var readings: [WireReading] = []
    var decoder: WireDecoder
    var received: Int

    /// Decodes bytes in pieces whose lengths repeat.
    init(
        _ bytes: [UInt8], as wire: WireProtocol? = nil, text: TextLineOptions = TextLineOptions(),
        pieces: [Int] = [Int.max]
    ) {
        decoder = WireDecoder(wire, text: text)
        received = bytes.count
        var position = 0
        var turn = 0
        while position < bytes.count {
            let end = position + min(pieces[turn % pieces.count], bytes.count - position)
            decoder.decode(Array(bytes[position..<end]), into: &readings)
            position = end
            turn += 1
        }
        decoder.finish(into: &readings)
    }

    /// Decodes lines of text after a cut first line.
    init(lines: [String], as wire: WireProtocol? = .text, text: TextLineOptions = TextLineOptions()) {
        self.init(Array((["9.8"] + lines).joined(separator: "\r\n").utf8) + [13, 10], as: wire, text: text)
    }

    var vectors: [SIMD3<Float>] { readings.map(\.vector) }
    /// Device times in milliseconds.
    var milliseconds: [Int64?] { readings.map { $0.deviceTime.map { $0 / 1_000_000 } } }
}

extension WireReading {
    var vector: SIMD3<Float> { SIMD3(x, y, z) }
}

/// Whether two vectors are equal within a tolerance.
func isClose(_ one: SIMD3<Float>?, _ other: SIMD3<Float>, within tolerance: Float = 1e-5) -> Bool {
    guard let one else { return false }
    let difference = one - other
    return max(abs(difference.x), abs(difference.y), abs(difference.z)) <= tolerance
}

/// Bytes from hexadecimal digits; blanks are ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return (0..<digits.count / 2).compactMap { (pair: Int) -> UInt8? in
        let value: Int = digits[2 * pair] * 16 + digits[2 * pair + 1]
        return UInt8(exactly: value)
    }
}
