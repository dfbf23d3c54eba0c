import FootfallWire
import Foundation

/// What a decoder makes of bytes.
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

    /// Decodes lines of text, the first of which is cut.
    init(lines: [String], as wire: WireProtocol? = .text, text: TextLineOptions = TextLineOptions()) {
        self.init(Array((["9.8"] + lines).joined(separator: "\r\n").utf8) + [13, 10], as: wire, text: text)
    }

    var vectors: [SIMD3<Float>] { readings.map { SIMD3($0.x, $0.y, $0.z) } }
    /// Device times in milliseconds.
    var milliseconds: [Int64?] { readings.map { $0.deviceTime.map { $0 / 1_000_000 } } }
}

/// Whether two vectors are the same but for rounding.
func isClose(_ one: SIMD3<Float>?, _ other: SIMD3<Float>, within tolerance: Float = 1e-5) -> Bool {
    guard let one else { return false }
    let difference = one - other
    return max(abs(difference.x), abs(difference.y), abs(difference.z)) <= tolerance
}

/// Bytes written in hexadecimal, blanks as one likes.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
