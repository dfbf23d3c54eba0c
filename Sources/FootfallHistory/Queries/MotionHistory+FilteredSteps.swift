public import Footfall
public import Foundation
internal import GRDB

extension MotionHistory {
    /// Counts the steps in those segments of a range that a filter includes.
    ///
    /// ```swift
    /// let run = try history.steps(in: week, where: .activity(.running))
    /// ```
    ///
    /// Coverage is that of the whole range, whatever the activity: where it is covered, that nobody ran is known.
    ///
    /// - Parameters:
    ///   - range: The range; the filter sees its segments as
    ///     ``activities(in:from:where:order:)-(Range<Timestamp>,_,_,_)`` returns them.
    ///   - source: Whose steps; may be left out when there is only one source.
    ///   - filter: In which segments to count. Steps outside of all segments are in none.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the range.
    public func steps(
        in range: Range<Timestamp>, from source: String? = nil, where filter: SegmentFilter
    ) throws -> StepCount {
        try read { db in
            let inquiry = try Inquiry(source, at: url, db)
            return try inquiry.steps(in: [range], where: filter, db).first ?? inquiry.steps(in: range, db)
        }
    }

    /// Counts the steps in those segments of a range that a filter includes, in buckets of the wearer's calendar.
    ///
    /// A segment that lies in several buckets is filtered as a whole, and its steps are counted in the bucket of their
    /// time.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the range, and O(*b* log *n*) for *b* buckets.
    public func steps(
        in range: Range<Timestamp>, by bucket: CalendarBucket, calendar: Calendar? = nil, from source: String? = nil,
        where filter: SegmentFilter
    ) throws -> [StepCount] {
        try read { db in
            let inquiry = try Inquiry(source, at: url, db)
            let calendars = try inquiry.calendars(calendar, db)
            let buckets = bucket.ranges(in: range.clamped(to: Timestamp.supported), calendars)
            return try inquiry.steps(in: buckets, where: filter, db)
        }
    }

    /// Counts the steps in those segments of an interval that a filter includes.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the interval.
    public func steps(
        in interval: DateInterval, from source: String? = nil, where filter: SegmentFilter
    ) throws -> StepCount {
        try steps(in: Range(interval), from: source, where: filter)
    }

    /// Counts the steps in those segments of an interval that a filter includes, in buckets of the wearer's calendar.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the interval, and O(*b* log *n*) for *b* buckets.
    public func steps(
        in interval: DateInterval, by bucket: CalendarBucket, calendar: Calendar? = nil, from source: String? = nil,
        where filter: SegmentFilter
    ) throws -> [StepCount] {
        try steps(in: Range(interval), by: bucket, calendar: calendar, from: source, where: filter)
    }
}

extension Inquiry {
    /// Counts in touching ranges, in the order of time, the steps of the segments that a filter includes.
    func steps(in ranges: [Range<Timestamp>], where filter: SegmentFilter, _ db: Database) throws -> [StepCount] {
        guard let first = ranges.first, let last = ranges.last else { return [] }
        let spans = try segments(in: first.lowerBound..<last.upperBound, db).filter(filter.includes)
            .map(\.clippedRange)
        var next = 0
        return try steps(in: ranges, db).map { all in
            let range = all.range
            while next < spans.count, spans[next].upperBound <= range.lowerBound { next += 1 }
            var count = 0
            for span in spans[next...].prefix(while: { $0.lowerBound < range.upperBound }) {
                count += try steps(in: span.clamped(to: range), db).count
            }
            return StepCount(
                range: range, count: count, coveredNanoseconds: all.coveredNanoseconds, isTruncated: all.isTruncated)
        }
    }
}
