public import Footfall
public import Foundation

extension Timestamp {
    /// Creates the moment a date stands for, to the nearest microsecond.
    ///
    /// A `Date` of our time resolves about a tenth of a microsecond, and a `DateInterval` keeps its end as a start and
    /// a length, which may move it by that much. Whole microseconds are what both can say for certain: two dates meant
    /// to be the same moment become the same timestamp, so that neighbouring intervals still share no step. Dates
    /// outside ``/Footfall/Timestamp/supported`` become its nearest end.
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
        let moment = Timestamp(nanosecondsSince1970: (Int64(microseconds) + 978_307_200_000_000) * 1000)
        self = min(max(moment, bounds.lowerBound), bounds.upperBound)
    }
}

extension Date {
    /// Creates the date nearest to a moment; exact to about a tenth of a microsecond.
    public init(_ timestamp: Timestamp) {
        // Seconds and their fraction apart, so that only one rounding happens.
        let (seconds, nanoseconds) = timestamp.nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) * 1e-9)
    }
}

extension Range where Bound == Timestamp {
    /// Creates the half-open range from an interval's start up to, but without, its end.
    public init(_ interval: DateInterval) {
        let start = Timestamp(interval.start)
        self = start..<Swift.max(start, Timestamp(interval.end))
    }
}

extension Range where Bound == Timestamp {
    /// The range between two moments in nanoseconds since 1970.
    init(_ nanoseconds: Range<Int64>) {
        let start = Timestamp(nanosecondsSince1970: nanoseconds.lowerBound)
        self = start..<Timestamp(nanosecondsSince1970: nanoseconds.upperBound)
    }

    /// The length of the range.
    var nanoseconds: Int64 { upperBound.nanosecondsSince1970 - lowerBound.nanosecondsSince1970 }
}

extension DateInterval {
    /// Creates the interval between the ends of a range.
    public init(_ range: Range<Timestamp>) {
        let start = Date(range.lowerBound)
        self.init(start: start, end: Swift.max(start, Date(range.upperBound)))
    }
}
