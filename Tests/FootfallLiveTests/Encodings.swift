import Footfall
import FootfallReaders

/// The encodings of samples by devices.
enum Encoding: String, CaseIterable, Sendable {
    case text
    case bareText
    /// An ADXL335 at a converter of 10 bits.
    case analogText
    case witmotion
    case xsens
    case ximu3
    case mavlink

    /// The protocol of the encoding.
    var wire: WireProtocol {
        switch self {
        case .text, .bareText, .analogText: .text
        case .witmotion: .witmotion
        case .xsens: .xsens
        case .ximu3: .ximu3
        case .mavlink: .mavlink
        }
    }

    /// The bytes of a sample. Times are those of the recording, from its start.
    func bytes(_ sample: AccelerationSample, index: Int) -> [UInt8] {
        let microseconds = UInt64(max(0, sample.time.nanosecondsSince1970) / 1000) % 1_000_000_000_000
        let axes = [sample.x, sample.y, sample.z]
        switch self {
        case .text:
            return Array("\(microseconds / 1000),\(sample.x),\(sample.y),\(sample.z)\r\n".utf8)
        case .bareText:
            let texts = axes.map { String(($0 * 980.665).rounded() / 100) }
            return Array((texts.joined(separator: "\t") + "\n").utf8)
        case .analogText:
            let texts = axes.map { "\(Int((338 + 67.6 * $0).rounded()))" }
            return Array((texts.joined(separator: "\t") + "\n").utf8)
        case .witmotion:
            let frame: [UInt8] = [0x55, 0x51] + axes.flatMap { little(Int16(($0 / 16 * 32768).rounded())) } + [0, 0]
            return frame + [frame.reduce(UInt8(0), &+)]
        case .xsens:
            let time: [UInt8] = [0x10, 0x60, 4] + big(UInt32(truncatingIfNeeded: microseconds / 100))
            let values = axes.flatMap { big(($0 * 9.80665).bitPattern) }
            let data = time + [0x40, 0x20, 12] + values
            let message = [0xFF, 0x36, UInt8(data.count)] + data
            return [0xFA] + message + [0 &- message.reduce(0, &+)]
        case .ximu3:
            let payload =
                little(microseconds) + [Float(0), 0, 0].flatMap { little($0.bitPattern) }
                + axes.flatMap { little($0.bitPattern) }
            let stuffed = payload.flatMap { byte -> [UInt8] in
                byte == 0x0A ? [0xDB, 0xDC] : byte == 0xDB ? [0xDB, 0xDD] : [byte]
            }
            return [0xC9] + stuffed + [0x0A]
        case .mavlink:
            let values = axes.flatMap { little(Int16(($0 * 1000).rounded())) }
            let payload =
                little(UInt32(truncatingIfNeeded: microseconds / 1000)) + values + Array(repeating: 0, count: 12)
            let message = [UInt8(payload.count), UInt8(truncatingIfNeeded: index), 1, 200, 26] + payload
            return [0xFE] + message + little(Self.crc(message + [170]))
        }
    }

    private func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func big<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] { little(value).reversed() }

    /// CRC-16/MCRF4XX, the checksum of MAVLink.
    private static func crc(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0xFFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt16(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x8408 }
        }
    }
}
