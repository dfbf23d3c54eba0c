public import Footfall
public import Foundation
internal import GRDB

extension MotionHistory {
    /// Counts the steps with `range.lowerBound ≤ time < range.upperBound`.
    ///
    /// - Parameters:
    ///   - range: Any range, also before or after everything recorded.
    ///   - source: Whose steps; may be left out when there is only one source.
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*), whatever the length of the range.
    public func steps(in range: Range<Timestamp>, from source: String? = nil) throws -> StepCount {
        try read { db in try Inquiry(source, at: url, db).steps(in: range, db) }
    }

    /// Counts the steps in consecutive buckets of the wearer's calendar.
    ///
    /// The buckets tile the range: the first and the last one are cut off at its ends, empty ones are there too, and
    /// the counts add up to that of the range. Days and hours are those of the wearer's clock, through changes of
    /// daylight-saving time and of the time zone.
    ///
    /// - Parameters:
    ///   - range: The range. It is cut into buckets as it is, so it should have an end near the recorded time.
    ///   - bucket: The length of the buckets.
    ///   - calendar: The calendar that days and weeks are taken from. Nil, the default, is the ISO 8601 calendar, whose
    ///     weeks begin on Monday, in the time zone the source was in at the time.
    ///   - source: Whose steps; may be left out when there is only one source.
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(*b* log *n*) for *b* buckets.
    public func steps(
        in range: Range<Timestamp>, by bucket: CalendarBucket, calendar: Calendar? = nil, from source: String? = nil
    ) throws -> [StepCount] {
        try read { db in
            let inquiry = try Inquiry(source, at: url, db)
            let calendars = try inquiry.calendars(calendar, db)
            let buckets = bucket.ranges(in: range.clamped(to: Timestamp.supported), calendars)
            return try inquiry.steps(in: buckets, db)
        }
    }
}

extension Inquiry {
    /// Counts in each of many ranges. Those before and after everything recorded cost nothing.
    func steps(in ranges: [Range<Timestamp>], _ db: Database) throws -> [StepCount] {
        let oldest = try source?.oldest(db) ?? .max
        let newest = try source?.newest(db) ?? .min
        return try ranges.map { range in
            let isRecorded =
                range.lowerBound.nanosecondsSince1970 <= newest && range.upperBound.nanosecondsSince1970 > oldest
            return try isRecorded
                ? steps(in: range, db)
                : StepCount(range: range, count: 0, coveredNanoseconds: 0, isTruncated: isTruncated(range))
        }
    }

    func steps(in range: Range<Timestamp>, _ db: Database) throws -> StepCount {
        let sum = try tally?.sum(visible(range), db) ?? Tally.Sum()
        return StepCount(
            range: range, count: Int(sum.steps), coveredNanoseconds: sum.coveredNanoseconds,
            isTruncated: isTruncated(range))
    }
}
