internal import Footfall

/// Parses MAVLink 1 and 2. Layout: the MAVLink guide, "Packet Serialization", and the definitions of the common
/// messages. The checksum covers all bytes after the start byte and one more byte that depends on the kind of message.
/// So only the kinds below can be verified, and only they are frames.
struct MAVLinkParser: FrameParser {
    private static let start1: UInt8 = 0xFE
    private static let start2: UInt8 = 0xFD
    private static let signatureLength = 13

    private enum Kind: UInt32 {
        case heartbeat = 0
        case systemTime = 2
        case scaledIMU = 26
        case rawIMU = 27
        case highresIMU = 105
        case scaledIMU2 = 116
        case scaledIMU3 = 129

        /// The name, the extra byte of the checksum, and the length of the payload in MAVLink 1.
        var definition: (name: String, extra: UInt8, length: Int) {
            switch self {
            case .heartbeat: ("HEARTBEAT", 50, 9)
            case .systemTime: ("SYSTEM_TIME", 137, 12)
            case .scaledIMU: ("SCALED_IMU", 170, 22)
            case .rawIMU: ("RAW_IMU", 144, 26)
            case .highresIMU: ("HIGHRES_IMU", 93, 62)
            case .scaledIMU2: ("SCALED_IMU2", 76, 22)
            case .scaledIMU3: ("SCALED_IMU3", 46, 22)
            }
        }
    }

    private(set) var quality = WireQuality()
    private(set) var clockOrigin: ClockOrigin?
    private var choice = KindChoice()
    private var milliseconds = WrappingCounter()

    /// Whether the bytes are a telemetry log: a time of reception precedes each frame and gives readings wall time.
    private let isLog: Bool
    private var receiver = ReceiverClock()
    /// Frames after a plausible time of reception.
    private(set) var datedFrames = 0
    /// The last eight skipped bytes, and the number of bytes skipped since the last frame.
    private var lastSkipped: UInt64 = 0
    private var skippedSinceFrame = 0
    /// The bytes ahead that belong to a message of another kind. They are searched for frames like all bytes, but they
    /// are not damage.
    private var expected = 0
    private var isInSync = true

    init(isLog: Bool = false) {
        self.isLog = isLog
        expected = isLog ? 8 : 0
        if isLog { clockOrigin = ClockOrigin(time: .epoch, isLocal: false) }
    }

    mutating func reset() {
        expected = 0
        isInSync = false
    }

    mutating func skip(_ byte: UInt8) {
        lastSkipped = lastSkipped << 8 | UInt64(byte)
        skippedSinceFrame += 1
        if expected > 0 {
            expected -= 1
        } else {
            quality.skippedBytes += 1
            isInSync = false
        }
    }

    mutating func readFrame(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch {
        let isFirstVersion = bytes[position] == Self.start1
        guard isFirstVersion || bytes[position] == Self.start2 else { return .none }
        let headerLength = isFirstVersion ? 6 : 10
        guard bytes.count - position >= headerLength else { return .partial }
        let payloadLength = Int(bytes[position + 1])
        let identifier =
            isFirstVersion ? UInt32(bytes[position + 5]) : bytes.littleEndian(UInt32.self, at: position + 6) >> 8
        let flags = isFirstVersion ? 0 : bytes[position + 2]
        // Unknown flags change the layout.
        guard flags & ~1 == 0 else { return .none }
        let checkedEnd = position + headerLength + payloadLength
        let end = checkedEnd + 2
        let signature = flags & 1 == 1 ? Self.signatureLength : 0
        guard let kind = Kind(rawValue: identifier) else {
            expect(end + signature - position)
            return .none
        }
        guard isFirstVersion ? payloadLength == kind.definition.length : payloadLength > 0 else { return .none }
        guard end <= bytes.count else { return .partial }
        guard
            Self.checksum(bytes, position + 1..<checkedEnd, kind.definition.extra)
                == bytes.littleEndian(UInt16.self, at: checkedEnd)
        else {
            // The bytes of another kind of message may look like the start of a frame.
            if expected == 0 { quality.damagedFrames += 1 }
            return .none
        }
        quality.frames += 1
        if isLog, receptionTime != nil { datedFrames += 1 }
        let sender = SIMD2(bytes[position + (isFirstVersion ? 3 : 5)], bytes[position + (isFirstVersion ? 4 : 6)])
        let payload = Self.padded(bytes.extracting(position + headerLength..<checkedEnd))
        use(kind, payload.span, from: sender, into: &readings)
        skippedSinceFrame = 0
        // A signature is not verified. It may be cut, so it is searched for frames too.
        expected = signature + (isLog ? 8 : 0)
        isInSync = true
        return .whole(end - position)
    }

    /// Expects the bytes of a message of another kind, where the stream is in sync.
    private mutating func expect(_ length: Int) {
        guard isInSync, expected == 0 else { return }
        expected = length + (isLog ? 8 : 0)
    }

    /// CRC-16/MCRF4XX: the polynomial of X.25, reflected, from all ones, not inverted.
    static func checksum(_ bytes: Span<UInt8>, _ range: Range<Int>, _ extra: UInt8) -> UInt16 {
        var checksum: UInt16 = 0xFFFF
        func add(_ byte: UInt8) {
            var low = byte ^ UInt8(truncatingIfNeeded: checksum)
            low ^= low << 4
            let wide = UInt16(low)
            checksum = checksum >> 8 ^ wide << 8 ^ wide << 3 ^ wide >> 4
        }
        for index in range { add(bytes[index]) }
        add(extra)
        return checksum
    }

    /// A payload, with the trailing zeros that MAVLink 2 omits.
    private static func padded(_ payload: Span<UInt8>) -> InlineArray<64, UInt8> {
        InlineArray { $0 < payload.count ? payload[$0] : 0 }
    }

    private mutating func use(
        _ kind: Kind, _ payload: Span<UInt8>, from sender: SIMD2<UInt8>, into readings: inout [WireReading]
    ) {
        let vector: SIMD3<Float>
        var instance: UInt8 = 0
        switch kind {
        case .heartbeat: return
        case .systemTime:
            let (unix, boot) = (payload.littleEndian(UInt64.self, at: 0), payload.littleEndian(UInt32.self, at: 8))
            return setOrigin(unix: unix, boot: boot)
        case .scaledIMU, .scaledIMU2, .scaledIMU3:
            vector = SIMD3<Float>(payload.int16Vector(at: 4)) * AccelerationUnit.mg.inG
        case .rawIMU:
            // The unit of raw numbers is that of the device. ArduPilot sends mg.
            vector = SIMD3<Float>(payload.int16Vector(at: 8)) * AccelerationUnit.mg.inG
            instance = payload[26]
        case .highresIMU:
            vector = payload.floatVector(at: 8) * AccelerationUnit.metresPerSecondSquared.inG
            instance = payload[62]
        }
        let key = kind.rawValue | UInt32(sender.x) << 8 | UInt32(sender.y) << 16 | UInt32(instance) << 24
        guard choice.takes(key) else { return }
        quality.add(vector, at: time(kind, payload), to: &readings)
    }

    // MARK: Time

    /// 2000-01-01. Times in µs from here on count from 1970; smaller ones count from the start of the device.
    private static let firstUnixMicroseconds: UInt64 = 946_684_800_000_000

    private mutating func time(_ kind: Kind, _ payload: Span<UInt8>) -> Int64? {
        var time: Int64?
        switch kind {
        case .rawIMU, .highresIMU:
            let microseconds = payload.littleEndian(UInt64.self, at: 0)
            time = Int64(exactly: microseconds).flatMap { Self.nanoseconds(microseconds: $0) }
            if microseconds >= Self.firstUnixMicroseconds, clockOrigin == nil, time != nil {
                clockOrigin = ClockOrigin(time: .epoch, isLocal: false)
            }
        default: time = milliseconds.unwrap(payload.littleEndian(UInt32.self, at: 0)) &* 1_000_000
        }
        guard isLog else { return time }
        return receiver.wallTime(device: time, received: receptionTime)
    }

    /// The time in the eight bytes before the frame, in nanoseconds since 1970.
    private var receptionTime: Int64? {
        guard skippedSinceFrame >= 8, lastSkipped >= Self.firstUnixMicroseconds else { return nil }
        return Int64(exactly: lastSkipped).flatMap(Self.nanoseconds(microseconds:))
    }

    private static func nanoseconds(microseconds: Int64) -> Int64? {
        let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        guard !overflow, Timestamp.supported.contains(Timestamp(nanosecondsSince1970: product)) else { return nil }
        return product
    }

    /// Stores the moment of the device's start. A difference of up to 2 s from the stored moment is the delay of the
    /// message.
    private mutating func setOrigin(unix: UInt64, boot: UInt32) {
        guard !isLog, unix >= Self.firstUnixMicroseconds,
            let now = Int64(exactly: unix).flatMap(Self.nanoseconds(microseconds:))
        else { return }
        let origin = Timestamp(nanosecondsSince1970: now - Int64(boot) * 1_000_000)
        if let known = clockOrigin, abs(origin.seconds(since: known.time)) <= 2 { return }
        clockOrigin = ClockOrigin(time: origin, isLocal: false)
    }

    var layout: String? {
        guard let chosen = choice.chosen, let kind = Kind(rawValue: chosen & 0xFF) else { return nil }
        let unit = kind == .highresIMU ? "m/s²" : "mg"
        let time = isLog ? "time of reception" : "time since the device's start"
        return "MAVLink: \(kind.definition.name) of system \(chosen >> 8 & 0xFF), x, y, z in \(unit), \(time)"
    }
}

/// Converts the device's time to the time of reception without its jitter: intervals are those of the device's clock.
struct ReceiverClock: Sendable {
    /// In nanoseconds. A larger difference is a restart of the device or a pause of the log.
    private static let leap: UInt64 = 2_000_000_000
    /// Each reading corrects this fraction of the difference, 1/256, so that the offset follows the drift of two
    /// clocks.
    private static let correction: Int64 = 256

    private var offset: Int64?

    /// The wall time of a reading, in nanoseconds since 1970; nil when neither clock is known.
    mutating func wallTime(device: Int64?, received: Int64?) -> Int64? {
        guard let device else { return received }
        guard let received else { return offset.map { device &+ $0 } }
        if let offset {
            let difference = received &- (device &+ offset)
            if difference.magnitude <= Self.leap {
                self.offset = offset &+ difference / Self.correction
                return device &+ offset
            }
        }
        offset = received &- device
        return received
    }
}
