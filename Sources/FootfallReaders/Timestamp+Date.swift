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
