internal import Footfall

/// Reads date-times written as `2013-10-21 10:00:08.000` or `2013-10-21T10:00:08.000Z`. Everything before the seconds
/// is the same for a minute of rows, so it is parsed once a minute and compared after that.
///
/// It returns nil for another form. `CivilTimeParser` and `LocalClock` read those, and the same times for these.
struct MinuteClock: Sendable {
    private let parser: CivilTimeParser
    private var clock: LocalClock
    /// The order of the rows.
    var order: RowOrder {
        get { clock.order }
        set { clock.order = newValue }
    }
    /// The characters of the minute read last, such as `2013-10-21 10:00`; nil before the first.
    private var characters: SIMD2<UInt64>?
    /// The start of that minute on the clock of the text, in nanoseconds since 1970.
    private var start: Int64 = 0
    /// How far that clock is ahead of UTC where the text states no zone, in nanoseconds.
    private var offset: Int64 = 0

    /// The characters before the seconds and their colon.
    private static let length = 16
    /// In nanoseconds.
    private static let minute: Int64 = 60_000_000_000

    init(_ parser: CivilTimeParser, _ clock: LocalClock) {
        self.parser = parser
        self.clock = clock
    }

    /// Reads the date-time at `position`; returns nil for another form.
    ///
    /// - Parameter previous: The time of the row above.
    mutating func read(_ text: Span<UInt8>, at position: Int, after previous: Timestamp) -> PlainRow.Time? {
        let colon = position &+ MinuteClock.length
        guard colon &+ 4 <= text.count else { return nil }
        let characters = SIMD2(
            text.littleEndian(UInt64.self, at: position), text.littleEndian(UInt64.self, at: position &+ 8))
        if characters != self.characters {
            guard readMinute(text.extracting(position..<colon), after: previous) else { return nil }
            self.characters = characters
        }
        guard text[colon] == ASCII.colon, let seconds = PlainNumber(text, at: colon &+ 1, separator: ASCII.point),
            seconds.sign == 0, seconds.count - seconds.decimals == 2, text[seconds.end &- 1].isDigit,
            let nanoseconds = seconds.times(tenToThe: 9), nanoseconds < MinuteClock.minute,
            let zone = readOffset(text, at: seconds.end)
        else { return nil }
        return PlainRow.Time(
            start: position, end: zone.end, number: seconds, unit: 1_000_000_000,
            moment: start &+ nanoseconds &- zone.offset, limit: MinuteClock.minute)
    }

    /// Parses a date with hour and minute. Leaves the row from which on the clock keeps its offset to `RowParser`.
    @inline(never)
    private mutating func readMinute(_ text: Span<UInt8>, after previous: Timestamp) -> Bool {
        var clock = clock
        clock.order.previous = previous
        guard text[10] == ASCII.space || text[10] == UInt8(ascii: "T"), text[13] == ASCII.colon,
            var time = parser.read(text), time.offsetSeconds == nil, let moment = clock.timestamp(of: time),
            clock.order.keptOffset == order.keptOffset
        else { return false }
        time.offsetSeconds = 0
        guard let reading = clock.timestamp(of: time) else { return false }
        self.clock = clock
        start = reading.nanosecondsSince1970
        offset = start - moment.nanosecondsSince1970
        return true
    }

    /// Reads `Z`, `+01:00` or nothing, as nanoseconds ahead of UTC.
    @inline(__always)
    private func readOffset(_ text: Span<UInt8>, at position: Int) -> (offset: Int64, end: Int)? {
        guard position &+ 6 < text.count else { return nil }
        let sign = text[position]
        if sign == UInt8(ascii: "Z") { return (0, position &+ 1) }
        guard sign == ASCII.plus || sign == ASCII.minus else { return (offset, position) }
        guard text[position + 3] == ASCII.colon, let hours = MinuteClock.pair(text, position + 1), hours <= 18,
            let minutes = MinuteClock.pair(text, position + 4), minutes < 60
        else { return nil }
        let offset = (hours * 60 + minutes) * MinuteClock.minute
        return (sign == ASCII.minus ? -offset : offset, position + 6)
    }

    /// The number of two digits.
    private static func pair(_ text: Span<UInt8>, _ position: Int) -> Int64? {
        let (tens, ones) = (text[position].digit, text[position + 1].digit)
        return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }
}
