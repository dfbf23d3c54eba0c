internal import Footfall
public import Foundation

// The same questions in Foundation's terms. An interval stands for the time from its start up to, but without, its end.
extension MotionHistory {
    /// Counts the steps with `interval.start ≤ time < interval.end`. See ``steps(in:from:)-(Range<Timestamp>,_)``.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*), whatever the length of the interval.
    public func steps(in interval: DateInterval, from source: String? = nil) throws -> StepCount {
        try steps(in: Range(interval), from: source)
    }

    /// Counts the steps in consecutive buckets of the wearer's calendar.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(*b* log *n*) for *b* buckets.
    public func steps(
        in interval: DateInterval, by bucket: CalendarBucket, calendar: Calendar? = nil, from source: String? = nil
    ) throws -> [StepCount] {
        try steps(in: Range(interval), by: bucket, calendar: calendar, from: source)
    }

    /// The segments that share time with an interval, in the order of time.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the interval.
    public func activities(
        in interval: DateInterval, from source: String? = nil, where filter: SegmentFilter = .all,
        order: SortOrder = .forward
    ) throws -> [RecordedSegment] {
        try activities(in: Range(interval), from: source, where: filter, order: order)
    }

    /// Which parts of an interval are covered by samples, and which are not.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the segments in the interval.
    public func coverage(in interval: DateInterval, from source: String? = nil) throws -> Coverage {
        try coverage(in: Range(interval), from: source)
    }

    /// An interval at a glance.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the interval.
    public func summary(
        of interval: DateInterval, from source: String? = nil, boutGap: TimeInterval = 10
    ) throws -> MotionSummary {
        try summary(of: Range(interval), from: source, boutGap: boutGap)
    }

    /// Removes what was recorded in an interval. See ``delete(in:from:)-(Range<Timestamp>,_)``.
    ///
    /// - Throws: ``HistoryError``.
    public func delete(in interval: DateInterval, from source: String? = nil) throws {
        try delete(in: Range(interval), from: source)
    }
}
