public import Footfall
public import Foundation
internal import GRDB

extension SourceSnapshot {
    /// Counts the steps in a range.
    ///
    /// ```swift
    /// let run = try history.steps(in: week, where: .activity(.running))
    /// ```
    ///
    /// - Parameters:
    ///   - range: Any range, also before or after everything recorded.
    ///   - filter: Which segments' steps to count; nil, the default, for all steps, including those outside segments.
    ///     The coverage is that of the whole range with any filter.
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*); with a filter, linear in the steps and segments in the range.
    public func steps(in range: some TimeRange, where filter: SegmentFilter? = nil) throws -> StepCount {
        let range = range.timestamps
        let all = try count(in: range)
        guard let filter else { return all }
        return try counts([all], where: filter).first ?? all
    }

    /// Counts the steps in consecutive buckets of the wearer's calendar.
    ///
    /// The buckets tile the range, and their counts add up to that of the range. The range clips the first and the last
    /// bucket. Days and hours follow the wearer's clock through daylight saving and through changes of the time zone.
    ///
    /// - Parameters:
    ///   - range: The range. All of it is cut into buckets, so keep its end near the recorded time.
    ///   - bucket: The length of the buckets.
    ///   - calendar: The calendar of days and weeks. Nil, the default, stands for the ISO 8601 calendar, whose weeks
    ///     start on Monday, in the source's time zone at each moment.
    ///   - filter: Which segments' steps to count; nil, the default, for all steps. The filter tests each segment as a
    ///     whole, also one in several buckets; a step counts in the bucket of its time.
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(*b* log *n*) for *b* buckets; with a filter, also linear in the steps and segments in the range.
    public func steps(
        in range: some TimeRange, by bucket: CalendarBucket, calendar: Calendar? = nil,
        where filter: SegmentFilter? = nil
    ) throws -> [StepCount] {
        let buckets = bucket.ranges(in: range.timestamps.clamped(to: Timestamp.supported), try calendars(calendar))
        // Buckets before and after everything recorded need no query.
        let oldest = try row.flatMap { try $0.oldest(from: $0.keptFrom, db) } ?? .max
        let newest = try row?.newest(db) ?? .min
        let all = try buckets.map { range in
            let isRecorded =
                range.lowerBound.nanosecondsSince1970 <= newest && range.upperBound.nanosecondsSince1970 > oldest
            return try isRecorded
                ? count(in: range)
                : StepCount(range: range, count: 0, coveredNanoseconds: 0, isTruncated: isTruncated(range))
        }
        return try filter.map { try counts(all, where: $0) } ?? all
    }

    /// The times of all steps in a range, in order.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps in the range.
    public func stepTimes(in range: some TimeRange) throws -> [Timestamp] {
        let part = keptPart(of: range.timestamps)
        guard let row else { return [] }
        var last = Int64.min
        return try db.rows(
            "SELECT time FROM step WHERE source = ? AND time >= ? AND time < ? ORDER BY time",
            [row.id, part.lowerBound, part.upperBound]
        ) { row in
            let time = try row.moment(0)
            guard time > last else { throw DatabaseError.damaged("steps are out of order") }
            last = time
            return Timestamp(nanosecondsSince1970: time)
        }
    }

    /// The bouts in a range, in the order of time.
    ///
    /// - Parameters:
    ///   - range: The range. It clips the first and the last bout.
    ///   - gap: The longest break, in seconds, within a bout.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps in the range.
    public func bouts(in range: some TimeRange, gap: TimeInterval = Bout.defaultGap) throws -> [Bout] {
        try stepTimes(in: range).reduce(into: []) { bouts, time in
            if let last = bouts.last, time.seconds(since: last.range.upperBound) <= gap {
                bouts[bouts.count - 1] = Bout(range: last.range.lowerBound..<time, steps: last.steps + 1)
            } else {
                bouts.append(Bout(range: time..<time, steps: 1))
            }
        }
    }

    // MARK: Counts

    private func count(in range: Range<Timestamp>) throws -> StepCount {
        let sum = try row.map { try CountPyramid(source: $0.id).sum(keptPart(of: range), db) }
        return StepCount(
            range: range, count: Int(sum?.steps ?? 0), coveredNanoseconds: sum?.coveredNanoseconds ?? 0,
            isTruncated: isTruncated(range))
    }

    /// The same counts of adjacent ranges, restricted to the segments that a filter includes.
    private func counts(_ counts: [StepCount], where filter: SegmentFilter) throws -> [StepCount] {
        guard let first = counts.first?.range, let last = counts.last?.range else { return [] }
        var parts = try activities(in: first.lowerBound..<last.upperBound, where: filter).map(\.clippedRange)[...]
        return try counts.map { all in
            parts = parts.drop { $0.upperBound <= all.range.lowerBound }
            let steps = try parts.prefix { $0.lowerBound < all.range.upperBound }
                .reduce(0) { try $0 + count(in: $1.clamped(to: all.range)).count }
            return StepCount(
                range: all.range, count: steps, coveredNanoseconds: all.coveredNanoseconds,
                isTruncated: all.isTruncated)
        }
    }

    /// The calendar of buckets from each moment on.
    private func calendars(_ calendar: Calendar?) throws -> [(since: Int64, calendar: Calendar)] {
        if let calendar { return [(.min, calendar)] }
        let zones = try row.map { try ZoneTable(source: $0.id).all(db) } ?? []
        return (zones.isEmpty ? [(.min, .current)] : zones).map { since, zone in
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = zone
            return (since, calendar)
        }
    }
}
