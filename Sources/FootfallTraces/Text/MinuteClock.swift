internal import Footfall
internal import FootfallWire

/// Reads date-times such as `2013-10-21 10:00:08.000` and `2013-10-21T10:00:08.000Z`. All but their seconds stays the same
/// for a minute, so it is read once a minute.
///
/// It knows no errors. What is written otherwise is left to ``CivilTimeParser`` and ``LocalClock``, which give the same
/// times for these.
struct MinuteClock: Sendable {
    private let parser: CivilTimeParser
    private var clock: LocalClock
    /// The characters of the minute last read, such as `2013-10-21 10:00`; nil when there is none yet.
    private var characters: SIMD2<UInt64>?
    /// When it began on the clock of the text, in nanoseconds since 1970.
    private var start: Int64 = 0
    /// What that clock is ahead of UTC, where the text does not say, in nanoseconds.
    private var offset: Int64 = 0

    /// How many characters there are before the seconds and their colon.
    private static let length = 16
    static let lengthBeforeSeconds = length + 1
    /// In nanoseconds.
    static let minute: Int64 = 60_000_000_000

    init(_ parser: CivilTimeParser, _ clock: LocalClock) {
        self.parser = parser
        self.clock = clock
    }

    /// Reads the date-time at `position`, which moves behind it, as nanoseconds since 1970; nil when it is not so written.
    ///
    /// - Parameter text: A line must end in it at `position` or behind, and ``LineSource/margin`` bytes must follow.
    @inline(__always)
    mutating func read(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
        guard position &+ MinuteClock.length &+ LineSource.margin < text.count else { return nil }
        let characters = SIMD2(
            text.littleEndian(UInt64.self, at: position), text.littleEndian(UInt64.self, at: position &+ 8))
        if characters != self.characters {
            guard readMinute(text.extracting(position..<position + MinuteClock.length)) else { return nil }
            self.characters = characters
        }
        position &+= MinuteClock.length
        guard text[position] == ASCII.colon, text[position &+ 1].isDigit, text[position &+ 2].isDigit,
            !text[position &+ 3].isDigit
        else { return nil }
        position &+= 1
        guard let seconds = PlainNumber(text, &position, separator: ASCII.point, isLarge: false),
            text[position &- 1].isDigit, let nanoseconds = seconds.times(tenToThe: 9), nanoseconds < MinuteClock.minute,
            let offset = readOffset(text, &position)
        else { return nil }
        return start &+ nanoseconds &- offset
    }

    /// Reads all of `text` as a date with hour and minute.
    @inline(never)
    private mutating func readMinute(_ text: Span<UInt8>) -> Bool {
        guard text[10] == ASCII.space || text[10] == UInt8(ascii: "T"), text[13] == ASCII.colon,
            var time = parser.read(text), time.offsetSeconds == nil, let moment = clock.timestamp(of: time)
        else { return false }
        time.offsetSeconds = 0
        guard let reading = clock.timestamp(of: time) else { return false }
        start = reading.nanosecondsSince1970
        offset = start - moment.nanosecondsSince1970
        return true
    }

    /// Reads `Z`, `+01:00` or nothing, as nanoseconds ahead of UTC.
    @inline(__always)
    private func readOffset(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
        let sign = text[position]
        if sign == UInt8(ascii: "Z") {
            position &+= 1
            return 0
        }
        guard sign == ASCII.plus || sign == ASCII.minus else { return offset }
        guard position + 6 < text.count, text[position + 3] == ASCII.colon,
            let hours = MinuteClock.pair(text, position + 1), hours <= 18,
            let minutes = MinuteClock.pair(text, position + 4), minutes < 60
        else { return nil }
        position += 6
        let offset = (hours * 60 + minutes) * MinuteClock.minute
        return sign == ASCII.minus ? -offset : offset
    }

    /// The number that two digits make.
    private static func pair(_ text: Span<UInt8>, _ position: Int) -> Int64? {
        let (tens, ones) = (text[position].digit, text[position + 1].digit)
        return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }
}
