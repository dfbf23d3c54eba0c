internal import Footfall

/// A record of an ActiGraph log: a type, a time in whole seconds, a payload, a checksum. The layout follows the
/// manufacturer's description of the format (`GT3X-File-Format`). Numbers are little-endian, except in packed samples.
struct ActiGraphRecord {
    enum Kind: UInt8 {
        /// A second of samples of 12 bits, y before x.
        case activity = 0
        case event = 3
        case metadata = 6
        case parameters = 21
        /// A second of samples of 16 bits.
        case activity2 = 26
        /// A second of samples of 12 bits.
        case activity3 = 27
    }

    static let separator: UInt8 = 0x1E
    /// Separator, type, time, payload size.
    static let headerSize = 8
    /// The longest payload, in bytes. Samples take 600; metadata some thousand.
    static let longestPayload = 1 << 14

    /// Nil for another type.
    let kind: Kind?
    /// Seconds since 1970 on the logger's clock.
    let time: Int64
    let payload: Range<Int>

    /// The whole record, its checksum included.
    var size: Int { ActiGraphRecord.headerSize + payload.count + 1 }

    /// Reads the header at `start`; nil for an impossible one.
    init?(_ bytes: Span<UInt8>, at start: Int) {
        let size = Int(bytes.littleEndian(UInt16.self, at: start + 6))
        guard bytes[start] == ActiGraphRecord.separator, size <= ActiGraphRecord.longestPayload else { return nil }
        kind = Kind(rawValue: bytes[start + 1])
        time = Int64(bytes.littleEndian(UInt32.self, at: start + 2))
        payload = start + ActiGraphRecord.headerSize..<start + ActiGraphRecord.headerSize + size
    }

    /// Whether the checksum behind the payload is correct.
    func isWhole(_ bytes: Span<UInt8>) -> Bool {
        var sum: UInt8 = 0
        for index in payload.lowerBound - ActiGraphRecord.headerSize..<payload.upperBound { sum ^= bytes[index] }
        return ~sum == bytes[payload.upperBound]
    }

    // MARK: Samples

    /// The number of samples in the record. A payload of one byte marks a connected logger.
    var sampleCount: Int {
        switch kind {
        case .activity, .activity3: payload.count * 2 / 9
        case .activity2: payload.count / 6
        default: 0
        }
    }

    /// The sample numbered `index`, in units; the fourth lane is zero.
    @inline(__always)
    func sample(_ bytes: Span<UInt8>, _ index: Int) -> SIMD4<Float> {
        if kind == .activity2 {
            return SIMD4<Float>(SIMD4(bytes.int16Vector(at: payload.lowerBound + index * 6), 0))
        }
        let values = bytes.int12Vector(atHalfByte: payload.lowerBound * 2 + index * 9)
        return kind == .activity3 ? values : ActiGraphRecord.yBeforeX(values)
    }

    /// The numbers in the order x, y, z, where the file has y first.
    @inline(__always)
    static func yBeforeX(_ values: SIMD4<Float>) -> SIMD4<Float> { SIMD4(values[1], values[0], values[2], 0) }

    // MARK: Parameters

    /// The value of a parameter, by its address space and number; nil when it is missing.
    func parameter(_ bytes: Span<UInt8>, _ space: UInt16, _ number: UInt16) -> UInt32? {
        for place in stride(from: payload.lowerBound, through: payload.upperBound - 8, by: 8)
        where bytes.littleEndian(UInt16.self, at: place) == space
            && bytes.littleEndian(UInt16.self, at: place + 2) == number
        {
            return bytes.littleEndian(UInt32.self, at: place + 4)
        }
        return nil
    }

    /// Units per g; nil when they are missing.
    func scale(_ bytes: Span<UInt8>) -> Double? {
        parameter(bytes, 0, 55).map(ActiGraphRecord.number).flatMap { ActiGraphInfo.scales.contains($0) ? $0 : nil }
    }

    /// Samples per second; nil when they are missing.
    func sampleRate(_ bytes: Span<UInt8>) -> Double? {
        parameter(bytes, 1, 10).map(Double.init).flatMap { ActiGraphInfo.rates.contains($0) ? $0 : nil }
    }

    /// A number with a fraction of 24 bits and an exponent of 8.
    static func number(_ code: UInt32) -> Double {
        switch code {
        case 0x007F_FFFF: .greatestFiniteMagnitude
        case 0x0080_0000: -.greatestFiniteMagnitude
        default:
            Double(
                sign: .plus, exponent: Int(Int8(truncatingIfNeeded: code >> 24)),
                significand: Double(Int32(bitPattern: code << 8) >> 8) / 8_388_608)
        }
    }

    // MARK: Metadata

    /// Whether the record states that the clock runs in UTC.
    func saysClockIsUTC(_ bytes: Span<UInt8>) -> Bool {
        let text = bytes.string(payload).filter { !$0.isWhitespace }.lowercased()
        return text.contains("\"localtimelog\"") && text.contains("\"usedutc\":true")
    }
}
