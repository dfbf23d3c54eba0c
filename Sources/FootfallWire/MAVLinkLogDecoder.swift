/// Turns the bytes of a MAVLink telemetry log (`.tlog`) into readings.
///
/// Such a log is a series of MAVLink frames, each behind the time at which it was received, in µs since 1970. The device
/// time of a reading is wall time here: nanoseconds since 1970, with the distances of the device's own clock.
public struct MAVLinkLogDecoder: Sendable {
    private var parser = MAVLinkParser(isLog: true)
    private var pending: [UInt8] = []
    private var received = 0
    private var gravity = GravityWatch()

    /// Creates a decoder.
    public init() {}

    /// Whether these are the first bytes of such a log: two MAVLink frames that can be verified, each behind a time of
    /// this century, and hardly anything else.
    public static func recognizes(_ opening: [UInt8]) -> Bool {
        var parser = MAVLinkParser(isLog: true)
        var readings: [WireReading] = []
        _ = parser.parse(opening.span, isEnd: true, into: &readings)
        return parser.datedFrames >= 2 && parser.quality.skippedBytes <= max(300, opening.count / 10)
    }

    /// Takes bytes in and appends the readings they complete.
    public mutating func decode(_ bytes: [UInt8], into readings: inout [WireReading]) {
        received &+= bytes.count
        pending.append(contentsOf: bytes)
        drain(isEnd: false, into: &readings)
    }

    /// Ends the log: uses what still waits, as far as it is whole.
    public mutating func finish(into readings: inout [WireReading]) {
        drain(isEnd: true, into: &readings)
    }

    private mutating func drain(isEnd: Bool, into readings: inout [WireReading]) {
        // Taken out of the decoder, so that the parser may change while it reads.
        var waiting: [UInt8] = []
        swap(&waiting, &pending)
        let firstNew = readings.count
        waiting.removeFirst(parser.parse(waiting.span, isEnd: isEnd, into: &readings))
        pending = waiting
        for reading in readings[firstNew...] { gravity.add(reading.vector) }
    }

    /// What was understood of the log, in one line; nil until it was.
    public var layout: String? { parser.layout }

    /// What became of the bytes so far.
    public var quality: WireQuality {
        var quality = parser.quality
        quality.bytes = received
        quality.problem = gravity.problem
        return quality
    }
}
