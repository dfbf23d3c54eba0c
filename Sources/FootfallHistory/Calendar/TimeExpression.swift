package import Footfall
internal import FootfallReaders
package import Foundation

/// The text of a time, in the grammar of journalctl (systemd.time(7)). `now`, `today`, `yesterday`, `tomorrow`; `-2h`,
/// `+30min`, `2 hours ago`; `@1732060800`; `14:30`, `14:30:05`; `2026-11-20`, `2026-11-20 08:00`, either with ` UTC` or
/// a zone such as ` Europe/Berlin`; and ISO 8601, `2026-11-20T08:00:00+01:00`. Other text is an error. The text is read
/// once. What it denotes depends on a time zone and on the current time, which may be known later.
package struct TimeExpression: Sendable {
    /// A text that is not a time.
    package struct Invalid: Error, CustomStringConvertible {
        var text: String
        package var description: String {
            "Cannot read the time '\(text)'. Write today, yesterday, -2h, 14:30, 2026-11-20, "
                + "“2026-11-20 08:00”, 2026-11-20T08:00:00Z or @1732060800."
        }
    }

    private typealias Clock = (hour: Int, minute: Int, second: Int, nanosecond: Int64)

    /// What the text denotes.
    private enum Meaning {
        case moment(Timestamp)
        /// Seconds after the current time; negative before it.
        case relative(TimeInterval)
        /// The start of a day, counted from the current one.
        case day(Int)
        /// A time of the current day.
        case clock(Clock)
        /// A time of a day, in a zone; nil for that of the reader.
        case calendar(DateComponents, Clock, TimeZone?)
    }

    private let meaning: Meaning

    /// Reads a text. Throws ``Invalid`` when the text is not of the grammar or names a time that does not exist.
    package init(_ text: String) throws(Invalid) {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let meaning =
            Self.word(trimmed) ?? Self.epochSeconds(trimmed) ?? Self.relative(trimmed)
            ?? Self.clock(trimmed[...]).map { .clock($0) } ?? Self.calendarDate(trimmed)
        guard let meaning else { throw Invalid(text: text) }
        self.meaning = meaning
    }

    /// The time that the text denotes, to the nanosecond where the text has that many digits; the nearest supported
    /// time for one outside. `zone` is the zone of times that do not name one.
    package func time(in zone: TimeZone, now: Date) -> Timestamp {
        let calendar = Calendar(.gregorian, in: zone)
        switch meaning {
        case .moment(let time): return time
        case .relative(let seconds): return Timestamp(now + seconds)
        case .day(let days):
            let today = calendar.startOfDay(for: now)
            return Timestamp(calendar.date(byAdding: .day, value: days, to: today) ?? today)
        case .clock(let clock):
            let today = calendar.dateComponents([.year, .month, .day], from: now)
            return Self.time(today, clock, in: zone) ?? Timestamp(now)
        case .calendar(let day, let clock, let own): return Self.time(day, clock, in: own ?? zone) ?? Timestamp(now)
        }
    }

    /// As ``time(in:now:)``; nil for a time outside 1900 to 2150.
    package func supportedTime(in zone: TimeZone, now: Date) -> Timestamp? {
        let (time, supported) = (time(in: zone, now: now), Timestamp.supported)
        return time > supported.lowerBound && time < supported.upperBound ? time : nil
    }

    private static func word(_ text: String) -> Meaning? {
        switch text.lowercased() {
        case "now": .relative(0)
        case "today": .day(0)
        case "yesterday": .day(-1)
        case "tomorrow": .day(1)
        default: nil
        }
    }

    private static func epochSeconds(_ text: String) -> Meaning? {
        guard text.hasPrefix("@"), let seconds = Double(text.dropFirst()), abs(seconds) < 9e9 else { return nil }
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard seconds >= 0, parts.count == 2, let whole = Int64(parts[0]), let nanoseconds = nanoseconds(parts[1])
        else {
            return .moment(Timestamp(Date(timeIntervalSince1970: seconds)))
        }
        return .moment(Timestamp(nanosecondsSince1970: whole &* 1_000_000_000 &+ nanoseconds))
    }

    // MARK: Relative times

    private static func relative(_ text: String) -> Meaning? {
        if text.hasPrefix("-") { return span(text.dropFirst()).map { .relative(-$0) } }
        if text.hasPrefix("+") { return span(text.dropFirst()).map { .relative($0) } }
        if text.hasSuffix(" ago") { return span(text.dropLast(4)).map { .relative(-$0) } }
        if text.hasSuffix(" left") { return span(text.dropLast(5)).map { .relative($0) } }
        return nil
    }

    /// The seconds of a duration such as `2h`, `1h 30min` or `90 seconds`; nil for other text.
    package static func span(_ text: Substring) -> TimeInterval? {
        var rest = text.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        var seconds = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest[number.endIndex...].drop { $0 == " " }
            let unit = rest.prefix { $0.isLetter }
            rest = rest[unit.endIndex...].drop { $0 == " " }
            guard let value = Double(number), let length = secondsPerUnit[String(unit)] else { return nil }
            seconds += value * length
        }
        return seconds < 1e10 ? seconds : nil
    }

    /// The units of systemd.time(7). Months and years have their mean lengths.
    private static let secondsPerUnit: [String: TimeInterval] = {
        let names: [(String, TimeInterval)] = [
            ("us usec microsecond microseconds", 1e-6), ("ms msec millisecond milliseconds", 1e-3),
            ("s sec second seconds", 1), ("m min minute minutes", 60), ("h hr hour hours", 3600),
            ("d day days", 86400), ("w week weeks", 604_800), ("M month months", 2_629_800),
            ("y year years", 31_557_600),
        ]
        var lengths: [String: TimeInterval] = [:]
        for (units, length) in names {
            for unit in units.split(separator: " ") { lengths[String(unit)] = length }
        }
        return lengths
    }()

    // MARK: Absolute times

    /// `2026-11-20`, with an optional time of day after a space or `T`, and an optional zone.
    private static func calendarDate(_ text: String) -> Meaning? {
        let fields = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, let year = digits(4, fields[0]), let month = digits(2, fields[1]),
            let day = digits(2, fields[2])
        else { return nil }
        let components = DateComponents(year: year, month: month, day: day)
        let rest = text.dropFirst(10)
        // Calendar converts 31 April to 1 May; here it is an error. A day of the calendar is one in every zone.
        guard time(components, (12, 0, 0, 0), in: .gmt) != nil else { return nil }
        guard let separator = rest.first else { return .calendar(components, (0, 0, 0, 0), nil) }
        let clockText = rest.dropFirst().prefix { isDigit($0) || $0 == ":" || $0 == "." }
        let zoneText = rest[clockText.endIndex...].drop { $0 == " " }
        // A date and a zone without a time of day denote the start of the day.
        let isDay = clockText.isEmpty && !zoneText.isEmpty
        // The + of an offset is a space where a URL does not escape it.
        let isForm = separator == "T" && zoneText.first?.isNumber == true
        let zone = zone((isForm ? "+" : "") + zoneText)
        guard separator == "T" || separator == " ", let clock = isDay ? (0, 0, 0, 0) : clock(clockText),
            zoneText.isEmpty || zone != nil
        else { return nil }
        return .calendar(components, clock, zone)
    }

    /// `14:30` or `14:30:05`.
    private static func clock(_ text: Substring) -> Clock? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= fields.count, let hour = digits(2, fields[0]), let minute = digits(2, fields[1]), hour < 24,
            minute < 60
        else { return nil }
        guard fields.count == 3 else { return (hour, minute, 0, 0) }
        let fraction = fields[2].dropFirst(2)
        guard let second = digits(2, fields[2].prefix(2)), second < 60, fraction.first ?? "." == ".",
            let nanosecond = nanoseconds(fraction.dropFirst())
        else { return nil }
        return (hour, minute, second, nanosecond)
    }

    /// The nanoseconds of the digits of a fraction; further digits are cut off. Nil for other text.
    private static func nanoseconds(_ digits: Substring) -> Int64? {
        guard digits.allSatisfy(isDigit) else { return nil }
        let nine = digits.prefix(9)
        return Int64(nine + String(repeating: "0", count: 9 - nine.count))
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// The number that a text of `count` digits denotes; nil for other text.
    private static func digits(_ count: Int, _ text: some StringProtocol) -> Int? {
        text.count == count && text.allSatisfy(isDigit) ? Int(text) : nil
    }

    /// A zone as `Z`, `UTC`, `+01:00`, `+0100`, `+01` or a name of the time-zone database.
    private static func zone(_ text: String) -> TimeZone? {
        if text.isEmpty { return nil }
        if text == "Z" || text == "UTC" { return .gmt }
        return TimeZone.offset(text) ?? (text.contains("/") ? TimeZone(identifier: text) : nil)
    }

    /// The moment of a day and a time of it; nil for a day that the calendar does not have.
    private static func time(_ day: DateComponents, _ clock: Clock, in zone: TimeZone) -> Timestamp? {
        let calendar = Calendar(.gregorian, in: zone)
        var components = day
        (components.hour, components.minute, components.second) = (clock.hour, clock.minute, clock.second)
        guard let date = calendar.date(from: components) else { return nil }
        let again = calendar.dateComponents([.year, .month, .day], from: date)
        guard (again.year, again.month, again.day) == (day.year, day.month, day.day) else { return nil }
        return Timestamp(nanosecondsSince1970: Timestamp(date).nanosecondsSince1970 + clock.nanosecond)
    }
}
