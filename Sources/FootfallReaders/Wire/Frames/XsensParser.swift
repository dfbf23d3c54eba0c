internal import Footfall

/// Parses Xsens MTData2 messages. Layout: Xsens, "MT Low Level Communication Protocol" (MT0101P). A message is a
/// preamble, a bus identifier, a message identifier, a length, data, and a checksum that makes the sum of all bytes
/// after the preamble zero. The data of an MTData2 message are items, each with an identifier, a size and a value, all
/// big-endian.
struct XsensParser: FrameParser {
    static let preamble: UInt8 = 0xFA
    /// The bus identifier of a device without a bus.
    static let singleDevice: UInt8 = 0xFF
    private static let extendedLength: UInt8 = 0xFF
    private static let longestData = 2048
    private static let data2: UInt8 = 0x36

    /// Masks the frame of reference and the number format out of an identifier.
    private static let quantityMask: UInt16 = 0xF8F0
    private static let utcTime: UInt16 = 0x1010
    private static let fineTime: UInt16 = 0x1060
    private static let coarseTime: UInt16 = 0x1070
    private static let acceleration: UInt16 = 0x4020
    private static let highRateAcceleration: UInt16 = 0x4040

    private static let gPerMetrePerSecondSquared = Double(AccelerationUnit.metresPerSecondSquared.inG)

    private(set) var quality = WireQuality()
    private(set) var clockOrigin: ClockOrigin?
    private var choice = KindChoice()
    private var ticks = WrappingCounter()

    mutating func skip(_ byte: UInt8) { quality.skippedBytes += 1 }

    mutating func readFrame(
        _ bytes: Span<UInt8>, at position: Int, isEnd: Bool, into readings: inout [WireReading]
    ) -> FrameSearch {
        guard bytes[position] == Self.preamble else { return .none }
        guard position + 3 < bytes.count else { return .partial }
        guard bytes[position + 1] == Self.singleDevice else { return .none }
        var start = position + 4
        var length = Int(bytes[position + 3])
        if bytes[position + 3] == Self.extendedLength {
            guard position + 5 < bytes.count else { return .partial }
            length = Int(bytes.bigEndian(UInt16.self, at: position + 4))
            start += 2
        }
        guard length <= Self.longestData else { return .none }
        let end = start + length
        guard end < bytes.count else { return .partial }
        var sum: UInt8 = 0
        for index in position + 1...end { sum &+= bytes[index] }
        guard sum == 0 else {
            quality.damagedFrames += 1
            return .none
        }
        if bytes[position + 2] == Self.data2 {
            guard let message = Message(bytes, start..<end) else {
                quality.damagedFrames += 1
                return .none
            }
            use(message, into: &readings)
        }
        quality.frames += 1
        return .whole(end + 1 - position)
    }

    /// The acceleration of a message and its time.
    private struct Message {
        var acceleration: SIMD3<Float>?
        var highRateAcceleration: SIMD3<Float>?
        var ticks: UInt32?
        var seconds: UInt32?
        var utc: Timestamp?

        /// Reads the items; nil when they do not fill the message, or when one has a wrong size.
        init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
            var position = range.lowerBound
            while position < range.upperBound {
                guard position + 3 <= range.upperBound else { return nil }
                let identifier = bytes.bigEndian(UInt16.self, at: position)
                let size = Int(bytes[position + 2])
                let value = position + 3
                guard value + size <= range.upperBound else { return nil }
                switch identifier & XsensParser.quantityMask {
                case XsensParser.acceleration:
                    guard let vector = Message.vector(bytes, value, size, format: identifier & 3) else { return nil }
                    acceleration = vector
                case XsensParser.highRateAcceleration:
                    guard let vector = Message.vector(bytes, value, size, format: identifier & 3) else { return nil }
                    highRateAcceleration = vector
                case XsensParser.fineTime where size == 4: ticks = bytes.bigEndian(UInt32.self, at: value)
                case XsensParser.coarseTime where size == 4: seconds = bytes.bigEndian(UInt32.self, at: value)
                case XsensParser.utcTime where size == 12: utc = Message.utc(bytes, value)
                default: break
                }
                position = value + size
            }
        }

        /// A vector in g, from three numbers in m/s² in one of four formats.
        private static func vector(_ bytes: Span<UInt8>, _ offset: Int, _ size: Int, format: UInt16) -> SIMD3<Float>? {
            let width = [4, 4, 6, 8][Int(format)]
            guard size == 3 * width else { return nil }
            var vector = SIMD3<Float>.zero
            for axis in 0..<3 {
                let place = offset + axis * width
                let metres =
                    switch format {
                    case 0: Double(Float(bitPattern: bytes.bigEndian(UInt32.self, at: place)))
                    case 1: Double(bytes.bigEndian(Int32.self, at: place)) / 0x1p20
                    // 16.32: the fraction precedes the integer part.
                    case 2:
                        Double(bytes.bigEndian(Int16.self, at: place + 4))
                            + Double(bytes.bigEndian(UInt32.self, at: place)) / 0x1p32
                    default: Double(bitPattern: bytes.bigEndian(UInt64.self, at: place))
                    }
                vector[axis] = Float(metres * XsensParser.gPerMetrePerSecondSquared)
            }
            return vector
        }

        /// The moment of a UTC item; nil unless its flags mark date and time of day as valid.
        private static func utc(_ bytes: Span<UInt8>, _ offset: Int) -> Timestamp? {
            let isValid: UInt8 = 0b11
            guard bytes[offset + 11] & isValid == isValid else { return nil }
            return Timestamp(
                year: Int(bytes.bigEndian(UInt16.self, at: offset + 4)), month: Int(bytes[offset + 6]),
                day: Int(bytes[offset + 7]), hour: Int(bytes[offset + 8]), minute: Int(bytes[offset + 9]),
                second: Int(bytes[offset + 10]), nanosecond: Int(bytes.bigEndian(UInt32.self, at: offset)))
        }
    }

    /// Uses the time only of messages with acceleration: the times of the satellite receiver are older than those of
    /// earlier messages.
    private mutating func use(_ message: Message, into readings: inout [WireReading]) {
        let isOrdinary = message.acceleration != nil
        guard let vector = message.acceleration ?? message.highRateAcceleration,
            choice.takes(UInt32(isOrdinary ? Self.acceleration : Self.highRateAcceleration))
        else { return }
        var time: Int64?
        if let fine = message.ticks {
            time = ticks.unwrap(fine) &* 100_000
        } else if let seconds = message.seconds {
            time = Int64(seconds) * 1_000_000_000
        }
        if let utc = message.utc {
            // After thousands of turns of the counter the time is any number.
            let origin = time.map { utc.nanosecondsSince1970 &- $0 } ?? 0
            clockOrigin = clockOrigin ?? ClockOrigin(time: Timestamp(nanosecondsSince1970: origin), isLocal: false)
            time = time ?? utc.nanosecondsSince1970
        }
        quality.add(vector, at: time, to: &readings)
    }

    var layout: String? {
        guard let kind = choice.chosen else { return nil }
        let name = kind == UInt32(Self.acceleration) ? "acceleration" : "high-rate acceleration"
        return "Xsens MTData2: \(name) in m/s², time in steps of 100 µs"
    }
}
