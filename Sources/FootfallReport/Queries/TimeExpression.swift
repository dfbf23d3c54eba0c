internal import FootfallHistory
package import Foundation

/// The text of a time, in the grammar of journalctl (systemd.time(7)).
///
/// `now`, `today`, `yesterday`, `tomorrow`; `-2h`, `+30min`, `2 hours ago`; `@1732060800`; `14:30`, `14:30:05`;
/// `2026-11-20`, `2026-11-20 08:00`, either with ` UTC` or a zone such as ` Europe/Berlin`; and ISO 8601,
/// `2026-11-20T08:00:00+01:00`. Other text is an error.
package struct TimeExpression {
    /// A text that is not a time.
    package struct Invalid: Error, CustomStringConvertible {
        var text: String
        package var description: String {
            "Cannot read the time '\(text)'. Write today, yesterday, -2h, 14:30, 2026-11-20, "
                + "“2026-11-20 08:00”, 2026-11-20T08:00:00Z or @1732060800."
        }
    }

    /// The zone of times that do not name one.
    var timeZone: TimeZone
    /// The current time.
    var now: Date

    /// Creates the reading of times in a zone, relative to a moment.
    package init(timeZone: TimeZone, now: Date) {
        self.timeZone = timeZone
        self.now = now
    }

    /// The time that `text` denotes.
    ///
    /// - Throws: ``Invalid`` when the text is not of the grammar or names a time that does not exist.
    package func date(from text: String) throws -> Date {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let date =
            word(trimmed) ?? epochSeconds(trimmed) ?? relative(trimmed) ?? clockTime(trimmed) ?? calendarDate(trimmed)
        guard let date else { throw Invalid(text: text) }
        return date
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }

    private func word(_ text: String) -> Date? {
        switch text.lowercased() {
        case "now": now
        case "today": startOfDay(0)
        case "yesterday": startOfDay(-1)
        case "tomorrow": startOfDay(1)
        default: nil
        }
    }

    private func startOfDay(_ days: Int) -> Date? {
        calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: now))
    }

    private func epochSeconds(_ text: String) -> Date? {
        guard text.hasPrefix("@"), let seconds = Double(text.dropFirst()), abs(seconds) < 9e9 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    // MARK: Relative times

    private func relative(_ text: String) -> Date? {
        if text.hasPrefix("-") { return Self.span(text.dropFirst()).map { now - $0 } }
        if text.hasPrefix("+") { return Self.span(text.dropFirst()).map { now + $0 } }
        if text.hasSuffix(" ago") { return Self.span(text.dropLast(4)).map { now - $0 } }
        if text.hasSuffix(" left") { return Self.span(text.dropLast(5)).map { now + $0 } }
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

    /// `14:30` or `14:30:05`, today.
    private func clockTime(_ text: String) -> Date? {
        guard let clock = Self.clock(text[...]) else { return nil }
        return date(calendar.dateComponents([.year, .month, .day], from: now), clock, in: timeZone)
    }

    /// `2026-11-20`, with an optional time of day after a space or `T`, and an optional zone.
    private func calendarDate(_ text: String) -> Date? {
        let fields = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, let year = Self.digits(4, fields[0]), let month = Self.digits(2, fields[1]),
            let day = Self.digits(2, fields[2])
        else { return nil }
        let components = DateComponents(year: year, month: month, day: day)
        let rest = text.dropFirst(10)
        guard let separator = rest.first else { return date(components, (0, 0, 0), in: timeZone) }
        let clockText = rest.dropFirst().prefix { Self.isDigit($0) || $0 == ":" || $0 == "." }
        let zoneText = rest[clockText.endIndex...].drop { $0 == " " }
        // A date and a zone without a time of day denote the start of the day.
        let isDay = clockText.isEmpty && !zoneText.isEmpty
        guard separator == "T" || separator == " ", let clock = isDay ? (0, 0, 0) : Self.clock(clockText),
            let zone = zoneText.isEmpty ? timeZone : Self.zone(String(zoneText))
        else { return nil }
        return date(components, clock, in: zone)
    }

    private static func clock(_ text: Substring) -> (hour: Int, minute: Int, second: Double)? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= fields.count, let hour = digits(2, fields[0]), let minute = digits(2, fields[1]), hour < 24,
            minute < 60
        else { return nil }
        guard fields.count == 3 else { return (hour, minute, 0) }
        let (whole, fraction) = (fields[2].prefix(2), fields[2].dropFirst(2))
        guard digits(2, whole) != nil, fraction.first ?? "." == ".", fraction.dropFirst().allSatisfy(isDigit),
            let second = Double(fields[2]), second < 60
        else { return nil }
        return (hour, minute, second)
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// The number that a text of `count` digits denotes; nil for other text.
    private static func digits(_ count: Int, _ text: some StringProtocol) -> Int? {
        text.count == count && text.allSatisfy(isDigit) ? Int(text) : nil
    }

    /// A zone as `Z`, `UTC`, `+01:00`, `+0100`, `+01` or a name of the time-zone database.
    private static func zone(_ text: String) -> TimeZone? {
        if text == "Z" || text == "UTC" { return .gmt }
        return TimeZone.offset(text) ?? (text.contains("/") ? TimeZone(identifier: text) : nil)
    }

    private func date(
        _ day: DateComponents, _ clock: (hour: Int, minute: Int, second: Double), in zone: TimeZone
    ) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var components = day
        (components.hour, components.minute) = (clock.hour, clock.minute)
        components.second = Int(clock.second)
        guard let date = calendar.date(from: components) else { return nil }
        // Calendar converts 31 April to 1 May; here it is an error.
        let again = calendar.dateComponents([.year, .month, .day], from: date)
        guard (again.year, again.month, again.day) == (day.year, day.month, day.day) else { return nil }
        return date + (clock.second - clock.second.rounded(.down))
    }
}
