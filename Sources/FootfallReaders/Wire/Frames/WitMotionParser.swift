internal import Footfall

/// Parses WitMotion's frames: 11 bytes with a checksum on a serial line, `55 61` records on Bluetooth and in SD-card
/// files, and the packets of the Wi-Fi models. Layouts: WitMotion's standard protocol, its register list and its SDKs
/// for Bluetooth 5.0 and WT901WIFI.
struct WitMotionParser: FrameParser {
    private static let marker: UInt8 = 0x55
    private static let frameLength = 11
    /// The second byte of an 11-byte frame: from the time, 0x50, to a register's answer, 0x5F.
    private static let frameKinds: ClosedRange<UInt8> = 0x50...0x5F
    private static let timeKind: UInt8 = 0x50
    private static let accelerationKind: UInt8 = 0x51
    private static let recordKind: UInt8 = 0x61
    private static let answerKind: UInt8 = 0x71
    /// The length of a record on Bluetooth, and of an answer.
    private static let recordLength = 20
    /// The length of a record in an SD-card file, which ends with a time.
    private static let datedRecordLength = 28
    private static let packetLength = 54
    /// Full scale is ±16 g in 16 bits.
    private static let gPerCount: Float = 16 / 32768

    private(set) var quality = WireQuality()
    /// The most consecutive frames without other bytes between them.
    private(set) var longestRun = 0
    private var run = 0
    /// The time of the current output period.
    private var time: Int64?
    private(set) var hasTimes = false

    mutating func reset() {
        time = nil
        run = 0
    }

    mutating func skip(_ byte: UInt8) {
        quality.skippedBytes += 1
        run = 0
    }

    mutating func readFrame(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch {
        let available = bytes.count - position
        switch bytes[position] {
        case Self.marker:
            guard available >= 2 else { return .partial }
            switch bytes[position + 1] {
            case Self.frameKinds: return readSerialFrame(bytes, at: position, isEnd: isEnd, into: &readings)
            case Self.recordKind, Self.answerKind:
                return readRecord(bytes, at: position, isEnd: isEnd, into: &readings)
            default: return .none
            }
        case UInt8(ascii: "W"): return readPacket(bytes, at: position, into: &readings)
        default: return .none
        }
    }

    // MARK: 11 bytes

    private mutating func readSerialFrame(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch {
        guard bytes.count - position >= Self.frameLength else { return .partial }
        let last = position + Self.frameLength - 1
        var sum: UInt8 = 0
        for index in position..<last { sum &+= bytes[index] }
        guard sum == bytes[last] else {
            quality.damagedFrames += 1
            return .none
        }
        // A sum that equals the marker may be the marker of the next frame, if this frame lost a byte.
        if sum == Self.marker {
            if last + 1 < bytes.count {
                let next = bytes[last + 1]
                guard next == Self.marker || !Self.frameKinds.contains(next) else { return .none }
            } else if !isEnd {
                return .partial
            }
        }
        countFrame()
        if bytes[position + 1] == Self.timeKind {
            time = readTime(bytes, at: position + 2)
        } else if bytes[position + 1] == Self.accelerationKind {
            emit(bytes, accelerationAt: position + 2, time, into: &readings)
            time = nil
        }
        return .whole(Self.frameLength)
    }

    // MARK: Records

    /// Reads a record. It has no checksum; it is valid if another frame begins at its end. This also gives its length.
    private mutating func readRecord(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch {
        let isRecord = bytes[position + 1] == Self.recordKind
        for length in isRecord ? [Self.recordLength, Self.datedRecordLength] : [Self.recordLength] {
            guard let isWhole = follows(bytes, position + length, isEnd: isEnd) else { return .partial }
            guard isWhole else { continue }
            countFrame()
            if isRecord {
                let isDated = length == Self.datedRecordLength
                let time = isDated ? readTime(bytes, at: position + Self.recordLength) : nil
                emit(bytes, accelerationAt: position + 2, time, into: &readings)
            }
            return .whole(length)
        }
        if isRecord { quality.damagedFrames += 1 }
        return .none
    }

    /// Whether a frame begins or the stream ends at `position`; nil when more bytes are needed.
    private func follows(_ bytes: Span<UInt8>, _ position: Int, isEnd: Bool) -> Bool? {
        if isEnd, position == bytes.count { return true }
        guard position + 1 < bytes.count else { return isEnd ? false : nil }
        let kind = bytes[position + 1]
        return bytes[position] == Self.marker && (kind == Self.recordKind || kind == Self.answerKind)
    }

    // MARK: Packets

    /// Reads a packet. It begins with the device's name, ends with a new line, and has no checksum.
    private mutating func readPacket(
        _ bytes: Span<UInt8>, at position: Int, into readings: inout [WireReading]
    ) -> FrameSearch {
        let nameLength = 12
        for offset in 0..<nameLength {
            guard position + offset < bytes.count else { return .partial }
            let byte = bytes[position + offset]
            guard offset == 1 ? byte == UInt8(ascii: "T") : (0x20..<0x7F).contains(byte) else { return .none }
        }
        guard bytes.count - position >= Self.packetLength else { return .partial }
        let end = position + Self.packetLength
        guard bytes[end - 2] == UInt8(ascii: "\r"), bytes[end - 1] == UInt8(ascii: "\n") else { return .none }
        countFrame()
        let time = readTime(bytes, at: position + nameLength)
        emit(bytes, accelerationAt: position + 20, time, into: &readings)
        return .whole(Self.packetLength)
    }

    // MARK: Contents

    private mutating func countFrame() {
        quality.frames += 1
        run += 1
        longestRun = max(longestRun, run)
    }

    private mutating func emit(
        _ bytes: Span<UInt8>, accelerationAt offset: Int, _ time: Int64?, into readings: inout [WireReading]
    ) {
        let counts = SIMD3<Float>(bytes.int16Vector(at: offset))
        quality.add(counts * Self.gPerCount, at: time, to: &readings)
    }

    /// The time in a frame: year after 2000, month, day, hour, minute, second, and milliseconds in two bytes. Nil when
    /// no such time exists, as in a clock that is not set.
    private mutating func readTime(_ bytes: Span<UInt8>, at offset: Int) -> Int64? {
        let milliseconds = Int(bytes.littleEndian(UInt16.self, at: offset + 6))
        let time = Timestamp(
            year: 2000 + Int(bytes[offset]), month: Int(bytes[offset + 1]), day: Int(bytes[offset + 2]),
            hour: Int(bytes[offset + 3]), minute: Int(bytes[offset + 4]), second: Int(bytes[offset + 5]),
            nanosecond: milliseconds * 1_000_000)
        hasTimes = hasTimes || time != nil
        return time?.nanosecondsSince1970
    }

    var layout: String? {
        guard quality.frames > 0 else { return nil }
        return "WitMotion frames: x, y, z in 1/2048 g" + (hasTimes ? ", time of day on the device's clock" : "")
    }

    var clockOrigin: ClockOrigin? { hasTimes ? ClockOrigin(time: .epoch, isLocal: true) : nil }
}
