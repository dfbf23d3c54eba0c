/// A moment in time: nanoseconds since 1970-01-01T00:00:00Z.
///
/// Times are integers, so a step keeps its time to the nanosecond through analysis, history and export, and
/// neighboring ranges add up exactly. A trace without absolute time starts at ``epoch``.
public struct Timestamp: Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var nanosecondsSince1970: Int64

    /// Creates a moment from nanoseconds since 1970-01-01T00:00:00Z.
    @inlinable
    public init(nanosecondsSince1970: Int64) { self.nanosecondsSince1970 = nanosecondsSince1970 }

    /// Creates a moment from seconds since 1970-01-01T00:00:00Z.
    ///
    /// A `Double` of this size resolves about 0.2 µs. Returns nil if the value is not a number or lies outside
    /// ``supported``.
    public init?(secondsSince1970 seconds: Double) {
        // The conversion of a larger Double to Int64 would trap.
        guard seconds.isFinite, abs(seconds) < 9e9 else { return nil }
        // A Double cannot hold all digits of nanoseconds since 1970, so the fraction is converted separately.
        let whole = seconds.rounded(.down)
        self.init(
            nanosecondsSince1970: Int64(clamping: whole) * 1_000_000_000
                + Int64(clamping: ((seconds - whole) * 1e9).rounded()))
        guard Timestamp.supported.contains(self) else { return nil }
    }

    /// 1970-01-01T00:00:00Z, the start of a trace without absolute time.
    public static let epoch = Timestamp(nanosecondsSince1970: 0)

    /// The supported times: 1900-01-01 up to 2150-01-01.
    ///
    /// The distance of two supported times fits into the integer. Other times come from a broken clock or a wrong unit.
    public static let supported: Range<Timestamp> = {
        let first = Timestamp(nanosecondsSince1970: -2_208_988_800_000_000_000)
        return first..<Timestamp(nanosecondsSince1970: 5_680_281_600_000_000_000)
    }()

    /// Seconds from `earlier` to this moment; negative if `earlier` is later.
    @inlinable
    public func seconds(since earlier: Timestamp) -> Double {
        let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(earlier.nanosecondsSince1970)
        return overflow
            ? (Double(nanosecondsSince1970) - Double(earlier.nanosecondsSince1970)) * 1e-9
            : Double(difference) * 1e-9
    }

    /// The moment `seconds` after this one, to the nearest nanosecond.
    ///
    /// The result saturates at the ends of the integer's range.
    @inlinable
    public func advanced(bySeconds seconds: Double) -> Timestamp {
        let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min : .max)
        let (sum, overflow) = nanosecondsSince1970.addingReportingOverflow(nanoseconds)
        return Timestamp(nanosecondsSince1970: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }
}

extension Timestamp: Codable {
    /// Reads the nanoseconds since 1970.
    ///
    /// - Throws: `DecodingError` if the value is no integer.
    public init(from decoder: any Decoder) throws {
        self.init(nanosecondsSince1970: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes the nanoseconds since 1970 as one integer.
    ///
    /// - Throws: `EncodingError` of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanosecondsSince1970)
    }
}

extension Timestamp: Comparable {
    /// Orders moments by time.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanosecondsSince1970 < right.nanosecondsSince1970
    }
}

extension Range where Bound == Timestamp {
    /// The length of the range in seconds.
    public var seconds: Double { upperBound.seconds(since: lowerBound) }
    /// The moment in the middle of the range: of a day, the noon.
    package var middle: Timestamp { lowerBound.advanced(bySeconds: seconds / 2) }
}

// The proleptic Gregorian calendar in UTC. Logs have millions of date-times, and Foundation's formatters convert about
// 40,000 a second. The algorithm follows H. Hinnant, "chrono-compatible low-level date algorithms" (2013): years start
// in March, so the leap day comes last, and the calendar repeats every 400 years.

extension Timestamp {
    /// An offset from UTC as text, such as `-04:00`.
    package static func offsetText(seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    /// Creates the moment of a date and time in UTC.
    ///
    /// - Parameters:
    ///   - year: The year, such as 2026.
    ///   - month: 1…12.
    ///   - day: 1…31; the day must exist in the month.
    ///   - hour: 0…23.
    ///   - minute: 0…59.
    ///   - second: 0…60; a leap second counts as the first second of the next minute.
    ///   - nanosecond: 0..<1,000,000,000.
    ///
    /// Returns nil if the date or time does not exist or lies outside ``supported``.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0
    ) {
        guard (1900...2150).contains(year), (1...12).contains(month), (0..<24).contains(hour),
            (0..<60).contains(minute), (0...60).contains(second), (0..<1_000_000_000).contains(nanosecond),
            day >= 1, day <= Timestamp.days(inMonth: month, of: year)
        else { return nil }
        let seconds = ((Timestamp.dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        self.init(nanosecondsSince1970: Int64(seconds) * 1_000_000_000 + Int64(nanosecond))
        guard Timestamp.supported.contains(self) else { return nil }
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to the given date.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date `dayNumber` days after 1970-01-01.
    fileprivate static func date(ofDay dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth + (marchMonth < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The moment as ISO 8601 in UTC with milliseconds, such as `2026-11-20T08:00:00.000Z`.
    ///
    /// Digits after the millisecond are truncated, so the text is never later than the time.
    public var description: String { text(decimals: 3) }

    /// The moment as ISO 8601 in UTC with milliseconds (3 decimals) or microseconds (6). Further digits are truncated.
    package func text(decimals: Int) -> String {
        var text: [UInt8] = []
        text.append(self, decimals: decimals)
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends `Timestamp.text(decimals:)`.
    package mutating func append(_ moment: Timestamp, decimals: Int) {
        let (seconds, nanoseconds) = moment.nanosecondsSince1970.flooredQuotientAndRemainder(by: 1_000_000_000)
        let (day, secondOfDay) = seconds.flooredQuotientAndRemainder(by: 86400)
        let date = Timestamp.date(ofDay: Int(day))
        let isPrecise = decimals > 3
        let start = count
        append(contentsOf: (isPrecise ? "0000-00-00T00:00:00.000000Z" : "0000-00-00T00:00:00.000Z").utf8)
        func write(_ value: Int, before end: Int) {
            var (rest, position) = (value, start + end)
            while rest > 0 {
                position -= 1
                self[position] += UInt8(rest % 10)
                rest /= 10
            }
        }
        let second = Int(secondOfDay)
        write(date.year, before: 4)
        write(date.month, before: 7)
        write(date.day, before: 10)
        write(second / 3600, before: 13)
        write(second / 60 % 60, before: 16)
        write(second % 60, before: 19)
        write(Int(nanoseconds / (isPrecise ? 1000 : 1_000_000)), before: isPrecise ? 26 : 23)
    }
}

extension Int64 {
    /// The quotient rounded toward negative infinity, and its remainder, which is never negative.
    package func flooredQuotientAndRemainder(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
