package import Footfall

/// A date with a time of day, or a time of day alone.
package struct CivilTime {
    /// The date; nil when the text has none.
    package var date: CivilDate?
    /// Nanoseconds since midnight, or in a duration of days.
    package var nanosecondOfDay: Int64 = 0
    /// Whether the text has no hours, such as `30:05.2`. Then nanoseconds count from a full hour.
    package var isOfHour = false
    /// Seconds ahead of UTC; nil when the text states no zone.
    package var offsetSeconds: Int?

    /// Nanoseconds since 1970 on a clock without a zone; nil when the date does not exist.
    package var nanoseconds: Int64? { date?.start.map { $0.nanosecondsSince1970 + nanosecondOfDay } }
}

/// Unwraps times of day past midnight.
struct DayClock: Sendable {
    /// The first time of day, in nanoseconds; nil before it.
    private(set) var first: Int64?
    private var previous: Int64?
    /// The days since the first time, in nanoseconds.
    private var passed: Int64 = 0

    /// The nanoseconds from the midnight before the first time to this one, on a clock without a zone. Adds a day when
    /// the time of day steps back by more than half a day; an hour for times without hours.
    mutating func unwrap(_ time: CivilTime) -> Int64 {
        let now = time.nanosecondOfDay
        let turn: Int64 = time.isOfHour ? 3_600_000_000_000 : 86_400_000_000_000
        if let previous, previous - now > turn / 2, passed < Int64.max / 4 { passed += turn }
        (first, previous) = (first ?? now, now)
        return passed + now
    }
}

package struct CivilDate: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int

    /// Whether month and day are in their ranges.
    package var isPossible: Bool { (1...12).contains(month) && (1...31).contains(day) }

    /// The start of the day in UTC; nil when the date does not exist.
    package var start: Timestamp? { Timestamp(year: year, month: month, day: day) }

    /// The order of day and month in a date such as 3/4/2019.
    package enum Order: Sendable {
        case monthFirst
        case dayFirst
    }
}

/// Reads dates with times of day, and times of day alone. The forms are `2013-10-21 10:00:08.000`,
/// `2026-01-02T03:04:05Z`, `… +0100 [Europe/London]`, `… GMT+2`, `21-Oct-2013 10:00:08.000`,
/// `Mon, October 21, 2013 10:00:08`, `10:00:08:250`, `20131021100008.000`, and `10/21/2013 10:00:08` where the order of
/// day and month is known; without a date also minutes and seconds such as `30:05.2`, and the durations of Python, such
/// as `0 days 00:00:08.25`.
package struct CivilTimeParser: Sendable {
    /// The order of day and month in dates that do not begin with the year; nil to refuse such dates.
    package var order: CivilDate.Order?

    package init(order: CivilDate.Order? = nil) { self.order = order }

    /// Reads all of `text`; nil when it is neither a date-time nor a time of day.
    package func read(_ text: Span<UInt8>) -> CivilTime? {
        guard var scanner = Scanner(text) else { return nil }
        var time = CivilTime()
        if let compact = readCompact(&scanner) {
            time = compact
        } else {
            let start = scanner.position
            var days: Int64 = 0
            if !scanner.startsWithClock {
                if let date = readDate(&scanner) {
                    time.date = date
                    // As JavaScript writes it: 5/13/2024, 9:30:00 AM.
                    _ = scanner.skip(ASCII.comma)
                    guard
                        scanner.skip(UInt8(ascii: "T"), UInt8(ascii: "t"), ASCII.space)
                            || scanner.skip(UInt8(ascii: "_"), ASCII.minus, ASCII.colon)
                    else { return nil }
                    scanner.skipSpaces()
                } else {
                    scanner.position = start
                    guard let count = scanner.days() else { return nil }
                    days = Int64(count)
                }
            }
            if time.date == nil, let sinceHour = scanner.minutesAndSeconds() {
                (time.nanosecondOfDay, time.isOfHour) = (sinceHour, true)
            } else {
                guard let clock = readClock(&scanner) else { return nil }
                time.nanosecondOfDay = days * 86_400_000_000_000 + clock
            }
        }
        scanner.skipSpaces()
        guard readZone(&scanner, into: &time) else { return nil }
        return scanner.isAtEnd ? time : nil
    }

    /// Reads a date without separators and a time of day, such as `20240513093000`, `20240513T093000.123`,
    /// `20240513 09:30:00.123` or `20240513093000123`; nil for other text, and for numbers that are no such moment of
    /// 1990 to 2099.
    private func readCompact(_ scanner: inout Scanner) -> CivilTime? {
        var digits = scanner
        guard let year = digits.number(digits: 4...4), let month = digits.number(digits: 2...2),
            let day = digits.number(digits: 2...2)
        else { return nil }
        _ = digits.skip(UInt8(ascii: "T"), ASCII.space, UInt8(ascii: "_")) || digits.skip(ASCII.minus)
        func part() -> Int? {
            _ = digits.skip(ASCII.colon)
            return digits.number(digits: 2...2)
        }
        guard let hour = part(), let minute = part(), let second = part() else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard (1990..<2100).contains(year), date.isPossible, hour < 24, minute < 60, second < 60 else { return nil }
        _ = digits.skip(ASCII.point, ASCII.comma)
        let fraction = digits.fraction() ?? 0
        scanner = digits
        let seconds = Int64((hour * 60 + minute) * 60 + second)
        return CivilTime(date: date, nanosecondOfDay: seconds * 1_000_000_000 + fraction)
    }

    /// Reads all of `text` as a date; nil when it is none.
    package func readDate(_ text: Span<UInt8>) -> CivilDate? {
        guard var scanner = Scanner(text), let date = readDate(&scanner), scanner.isAtEnd else { return nil }
        return date
    }

    private func readDate(_ scanner: inout Scanner) -> CivilDate? {
        scanner.skipWeekday()
        let start = scanner.position
        if let month = scanner.monthName() {
            guard scanner.skip(ASCII.minus, ASCII.slash, ASCII.space), let day = scanner.number(digits: 1...2),
                let year = scanner.yearBehindMonth()
            else { return nil }
            return CivilDate(year: year, month: month, day: day)
        }
        guard let first = scanner.number(digits: 1...4) else { return nil }
        let isYearFirst = scanner.position - start == 4
        let isSeparated = scanner.skip(ASCII.minus, ASCII.slash, ASCII.point)
        if !isYearFirst, isSeparated || scanner.skip(ASCII.space), let month = scanner.monthName() {
            return scanner.yearBehindMonth().map { CivilDate(year: $0, month: month, day: first) }
        }
        guard isSeparated else { return nil }
        guard let second = scanner.number(digits: 1...2), scanner.skip(ASCII.minus, ASCII.slash, ASCII.point)
        else { return nil }
        let lastStart = scanner.position
        guard var third = scanner.number(digits: 1...4) else { return nil }
        // A year of two digits is of this century.
        if !isYearFirst, scanner.position - lastStart == 2 { third += 2000 }
        if isYearFirst { return CivilDate(year: first, month: second, day: third) }
        switch order {
        case .monthFirst: return CivilDate(year: third, month: first, day: second)
        case .dayFirst: return CivilDate(year: third, month: second, day: first)
        case .none: return nil
        }
    }

    /// Reads a time of day and returns it in nanoseconds. Seconds may be missing after two digits of minutes.
    private func readClock(_ scanner: inout Scanner) -> Int64? {
        guard var hour = scanner.number(digits: 1...2), scanner.skip(ASCII.colon) else { return nil }
        let minuteStart = scanner.position
        guard let minute = scanner.number(digits: 1...2) else { return nil }
        let isPadded = scanner.position - minuteStart == 2
        var second = 0
        var fraction: Int64 = 0
        if scanner.skip(ASCII.colon) {
            guard let seconds = scanner.number(digits: 1...2) else { return nil }
            second = seconds
            if scanner.skip(ASCII.point, ASCII.comma, ASCII.colon) {
                guard let nanoseconds = scanner.fraction() else { return nil }
                fraction = nanoseconds
            }
        } else if !isPadded {
            return nil
        }
        if let half = scanner.halfOfDay() {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + half * 12
        }
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return Int64((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction
    }

    /// Reads the zone, if the text has more; false when the rest is not a zone.
    private func readZone(_ scanner: inout Scanner, into time: inout CivilTime) -> Bool {
        let isUTC = scanner.skipWord("utc") || scanner.skipWord("gmt")
        if isUTC || scanner.skip(UInt8(ascii: "Z"), UInt8(ascii: "z")) { time.offsetSeconds = 0 }
        if let sign = scanner.peek, time.offsetSeconds == nil || isUTC, scanner.skip(ASCII.plus, ASCII.minus) {
            guard let hours = scanner.number(digits: (isUTC ? 1 : 2)...2) else { return false }
            _ = scanner.skip(ASCII.colon)
            let minutes = scanner.number(digits: 2...2) ?? 0
            guard hours <= 18, minutes < 60 else { return false }
            let seconds = (hours * 60 + minutes) * 60
            time.offsetSeconds = sign == ASCII.minus ? -seconds : seconds
        }
        scanner.skipSpaces()
        // java.time repeats the zone's name in brackets.
        if scanner.skip(UInt8(ascii: "[")) { return time.offsetSeconds != nil && scanner.skipToClosingBracket() }
        return true
    }
}

private struct Scanner {
    private var text = InlineArray<64, UInt8>(repeating: 0)
    private let count: Int
    var position = 0

    /// Copies `text`; nil when it is longer than 64 bytes.
    init?(_ text: Span<UInt8>) {
        guard text.count <= 64 else { return nil }
        count = text.count
        for index in text.indices { self.text[index] = text[index] }
    }

    var isAtEnd: Bool { position == count }
    var peek: UInt8? { position < count ? text[position] : nil }
    var startsWithClock: Bool { text[1] == ASCII.colon || text[2] == ASCII.colon }

    mutating func number(digits allowed: ClosedRange<Int>) -> Int? {
        let start = position
        var value = 0
        while position < count, position - start < allowed.upperBound, text[position].isDigit {
            value = value * 10 + Int(text[position].digit)
            position += 1
        }
        return position - start >= allowed.lowerBound ? value : nil
    }

    /// Digits after a decimal separator, rounded to the nearest nanosecond.
    mutating func fraction() -> Int64? {
        let start = position
        var value: Int64 = 0
        var weight: Int64 = 100_000_000
        while position < count, text[position].isDigit {
            value += Int64(text[position].digit) * weight
            if position - start == 9, text[position].digit >= 5 { value += 1 }
            weight /= 10
            position += 1
        }
        return position > start ? value : nil
    }

    mutating func skip(_ first: UInt8, _ second: UInt8 = 0xFF, _ third: UInt8 = 0xFF) -> Bool {
        guard position < count else { return false }
        let byte = text[position]
        guard byte == first || byte == second || byte == third else { return false }
        position += 1
        return true
    }

    mutating func skipSpaces() {
        while position < count, text[position] == ASCII.space { position += 1 }
    }

    mutating func skipWord(_ word: StaticString) -> Bool {
        // Zeros follow the text, so a word cannot extend beyond its end.
        guard text.span.hasLetters(word, at: position) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Unicode's data for English has a narrow space without a break.
    private static let unbrokenSpaces = ["\u{202F}", "\u{A0}"].map { Array($0.utf8) }

    /// 0 for `AM`, 1 for `PM`.
    mutating func halfOfDay() -> Int? {
        let start = position
        skipSpaces()
        for space in Self.unbrokenSpaces where text.span.has(space, at: position) {
            position += space.count
        }
        if skipWord("am") { return 0 }
        if skipWord("pm") { return 1 }
        position = start
        return nil
    }

    /// The number of a month from the first three letters of its English name.
    mutating func monthName() -> Int? {
        name(of: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]).map { $0 + 1 }
    }

    /// Passes a weekday such as `Mon, `.
    mutating func skipWeekday() {
        guard name(of: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]) != nil else { return }
        _ = skip(ASCII.comma)
        skipSpaces()
    }

    /// The index of the name that starts with three letters; passes its other letters and a point.
    private mutating func name(of names: [StaticString]) -> Int? {
        guard peek?.isLetter ?? false, let index = names.firstIndex(where: { skipWord($0) }) else { return nil }
        while position < count, text[position].isLetter { position += 1 }
        _ = skip(ASCII.point)
        return index
    }

    /// The year behind a month or its day.
    mutating func yearBehindMonth() -> Int? {
        let isSeparated = skip(ASCII.comma)
        return skip(ASCII.minus, ASCII.slash, ASCII.space) || isSeparated ? number(digits: 4...4) : nil
    }

    /// The days of a duration, such as `1 days ` of pandas and `1 day, ` of Python.
    mutating func days() -> Int? {
        guard let count = number(digits: 1...4), skip(ASCII.space), skipWord("day") else { return nil }
        _ = skip(UInt8(ascii: "s"))
        _ = skip(ASCII.comma)
        skipSpaces()
        return count
    }

    /// The nanoseconds of minutes and seconds with a fraction, such as `30:05.2`; nil where the rest is something else.
    mutating func minutesAndSeconds() -> Int64? {
        let start = position
        guard let minutes = number(digits: 1...2), skip(ASCII.colon), let seconds = number(digits: 2...2), seconds < 60,
            skip(ASCII.point, ASCII.comma), let nanoseconds = fraction(), isAtEnd
        else {
            position = start
            return nil
        }
        return Int64(minutes * 60 + seconds) * 1_000_000_000 + nanoseconds
    }

    mutating func skipToClosingBracket() -> Bool {
        while position < count {
            position += 1
            if text[position - 1] == UInt8(ascii: "]") { return true }
        }
        return false
    }
}
