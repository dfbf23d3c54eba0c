internal import Footfall

/// Converts the date-times of a table to moments, in a zone where they state none.
///
/// Calendars and zones are slow. So the clock keeps three results: the start of the last day; the offset of the last
/// quarter of an hour, since no zone changes its offset within one; and the last minute as written, such as `2013-10-21
/// 10:00`.
struct LocalClock: Sendable {
    private let parser: CivilTimeParser
    private let zone: LocalZone
    private var date = CivilDate(year: 1970, month: 1, day: 1)
    private var startOfDay: Int64 = 0
    private var quarter = Int64.min
    private var offsets = LocalOffsets.once(0)
    /// The order of the rows.
    var order = RowOrder()
    private var minute: Minute?

    /// A minute as written.
    private struct Minute {
        /// The first 16 bytes.
        var text: SIMD2<UInt64>
        /// The start on the clock of the text, in nanoseconds since 1970.
        var start: Int64
        /// Nanoseconds ahead of UTC, where the text states no zone.
        var offset: Int64

        static let length = 16

        static func text(_ text: Span<UInt8>, _ start: Int) -> SIMD2<UInt64> {
            SIMD2(text.littleEndian(UInt64.self, at: start), text.littleEndian(UInt64.self, at: start + 8))
        }
    }

    init(_ parser: CivilTimeParser = CivilTimeParser(), zone: LocalZone) {
        self.parser = parser
        self.zone = zone
    }

    // MARK: Text

    /// The result of reading a date-time.
    enum Outcome {
        case moment(Timestamp)
        case unreadable
        /// The date does not exist or is not supported.
        case outOfRange
    }

    /// Reads the date-time in `field`.
    ///
    /// - Parameter date: The date, where the field is only a time of day.
    mutating func read(_ text: Span<UInt8>, _ field: Range<Int>, date: CivilDate? = nil) -> Outcome {
        if let moment = momentInMinute(text, field) { return .moment(moment) }
        guard var time = parser.read(text.extracting(field)) else { return .unreadable }
        time.date = time.date ?? date
        guard time.date != nil else { return .unreadable }
        guard let moment = timestamp(of: time) else { return .outOfRange }
        keepMinute(text, field, time)
        return .moment(moment)
    }

    /// The moment in a field that begins with the last minute; nil in all other fields.
    private func momentInMinute(_ text: Span<UInt8>, _ field: Range<Int>) -> Timestamp? {
        guard let minute, field.count > Minute.length + 2, Minute.text(text, field.lowerBound) == minute.text
        else { return nil }
        var position = field.lowerBound + Minute.length
        let (tens, ones) = (text[position + 1].digit, text[position + 2].digit)
        guard text[position] == ASCII.colon, tens < 6, ones < 10 else { return nil }
        var nanoseconds = (Int64(tens) * 10 + Int64(ones)) * 1_000_000_000
        position += 3
        if position < field.upperBound, text[position] == ASCII.point {
            var weight: Int64 = 100_000_000
            position += 1
            guard position < field.upperBound, text[position].isDigit else { return nil }
            while position < field.upperBound, text[position].isDigit, weight > 0 {
                nanoseconds += Int64(text[position].digit) * weight
                weight /= 10
                position += 1
            }
        }
        let moment: Int64
        if position == field.upperBound {
            moment = minute.start + nanoseconds - minute.offset
        } else if position + 1 == field.upperBound, text[position] == UInt8(ascii: "Z") {
            moment = minute.start + nanoseconds
        } else {
            return nil
        }
        let time = Timestamp(nanosecondsSince1970: moment)
        // Before the row above, the minute may be another one with the same name, an hour earlier.
        return Timestamp.supported.contains(time) && time >= order.previous ? time : nil
    }

    /// Keeps the minute of a field such as `2013-10-21 10:00:08.000`.
    private mutating func keepMinute(_ text: Span<UInt8>, _ field: Range<Int>, _ time: CivilTime) {
        let start = field.lowerBound
        guard field.count > Minute.length + 2, text[start + 10] == ASCII.space || text[start + 10] == UInt8(ascii: "T"),
            text[start + 13] == ASCII.colon, text[start + 16] == ASCII.colon,
            text[field.upperBound - 1].isDigit || text[field.upperBound - 1] == UInt8(ascii: "Z")
        else { return }
        let local = startOfDay + time.nanosecondOfDay / 60_000_000_000 * 60_000_000_000
        minute = Minute(text: Minute.text(text, start), start: local, offset: offset(at: local) * 1_000_000_000)
    }

    // MARK: Civil times

    /// The moment of a civil time; nil when its date does not exist or is not supported.
    ///
    /// When clocks go back, the order of the rows tells the two moments of a time that occurs twice; see ``RowOrder``.
    /// When clocks go forward, a skipped time is read with the offset before the change.
    mutating func timestamp(of time: CivilTime) -> Timestamp? {
        guard let newDate = time.date else { return nil }
        if newDate != date {
            guard let start = newDate.start else { return nil }
            date = newDate
            startOfDay = start.nanosecondsSince1970
        }
        let local = startOfDay + time.nanosecondOfDay
        let offset = time.offsetSeconds.map(Int64.init) ?? offset(at: local)
        let moment = Timestamp(nanosecondsSince1970: local - offset * 1_000_000_000)
        return Timestamp.supported.contains(moment) ? moment : nil
    }

    /// The moment of a local time, in nanoseconds since 1970; nil if it is not supported.
    mutating func timestamp(atLocal local: Int64) -> Timestamp? {
        let moment = Timestamp(nanosecondsSince1970: local - offset(at: local) * 1_000_000_000)
        return Timestamp.supported.contains(moment) ? moment : nil
    }

    /// Seconds ahead of UTC at a local time, in nanoseconds since 1970.
    private mutating func offset(at local: Int64) -> Int64 {
        guard !zone.isUTC else { return 0 }
        let (newQuarter, _) = local.quotientAndRemainder(dividingBy: 900_000_000_000)
        if newQuarter != quarter {
            quarter = newQuarter
            offsets = zone.offsets(atLocalSecond: local / 1_000_000_000)
        }
        return order.offset(offsets, at: local)
    }
}
