public import Footfall
public import Foundation

extension Timestamp {
    /// Creates the moment of a date, to the nearest microsecond.
    ///
    /// A present `Date` resolves about 0.1 µs. A `DateInterval` stores its end as a start and a length, which may move
    /// the end by that much. Rounding to microseconds makes equal moments equal, so adjacent intervals share no step. A
    /// date outside ``/Footfall/Timestamp/supported`` becomes its nearest end.
    public init(_ date: Date) {
        let microseconds = (date.timeIntervalSinceReferenceDate * 1e6).rounded()
        let bounds = Timestamp.supported
        guard microseconds < 4.8e15 else {
            self = bounds.upperBound
            return
        }
        guard microseconds > -3.3e15 else {
            self = bounds.lowerBound
            return
        }
        let moment = Timestamp(nanosecondsSince1970: (Int64(clamping: microseconds) + 978_307_200_000_000) * 1000)
        self = min(max(moment, bounds.lowerBound), bounds.upperBound)
    }

    /// The time of the wall clock, to about 0.2 µs. It lies outside of ``/Footfall/Timestamp/supported`` where the
    /// clock does.
    public static var now: Timestamp { .epoch.advanced(bySeconds: Date().timeIntervalSince1970) }
}

extension Date {
    /// Creates the date of a moment, exact to about 0.1 µs.
    public init(_ timestamp: Timestamp) {
        // Adding the fraction to whole seconds rounds only once.
        let (seconds, nanoseconds) = timestamp.nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) * 1e-9)
    }
}

extension Range where Bound == Timestamp {
    /// Creates the range from an interval's start up to, but without, its end.
    public init(_ interval: DateInterval) {
        let start = Timestamp(interval.start)
        self = start..<Swift.max(start, Timestamp(interval.end))
    }
}

extension DateInterval {
    /// Creates the interval of a range.
    public init(_ range: Range<Timestamp>) {
        let start = Date(range.lowerBound)
        self.init(start: start, end: Swift.max(start, Date(range.upperBound)))
    }
}

extension TimeZone {
    /// The zone as outputs state it: its name in the time-zone database, `UTC`, or an offset such as `-04:00`.
    package var statedName: String {
        guard identifier.hasPrefix("GMT") else { return identifier }
        return self == .gmt ? "UTC" : Timestamp.offsetText(seconds: secondsFromGMT())
    }

    /// Creates a zone from a name of the time-zone database, or from an offset; nil for other text.
    package init?(named name: String) {
        guard let zone = TimeZone(identifier: name) ?? TimeZone.offset(name) else { return nil }
        self = zone
    }

    /// A zone as `+01:00`, `+0100` or `+01`; nil for other text.
    package static func offset(_ text: String) -> TimeZone? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        func digits(_ text: Substring) -> Int? {
            text.count == 2 && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
        }
        let (hourText, rest) = (text.dropFirst().prefix(2), text.dropFirst(3))
        let minuteText = rest.first == ":" ? rest.dropFirst() : rest
        guard let hours = digits(hourText), let minutes = rest.isEmpty ? 0 : digits(minuteText), hours <= 18,
            minutes < 60
        else { return nil }
        return TimeZone(secondsFromGMT: (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1))
    }
}
