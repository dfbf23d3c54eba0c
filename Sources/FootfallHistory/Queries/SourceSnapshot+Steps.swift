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
    /// - Complexity: O(log *n*); with a filter, linear in the segments in the range.
    public func steps(in range: some TimeRange, where filter: SegmentFilter? = nil) throws -> StepCount {
        let range = range.timestamps
        var all = try count(in: range)
        if let filter { all.count = try activities(in: range, where: filter).reduce(0) { $0 + $1.steps } }
        return all
    }

    /// The steps and the covered time that were ever recorded.
    ///
    /// A recording adds what it has beyond the steps and the time that it replaces. Nothing is subtracted: not when
    /// the retention or a deletion removes steps, and not when a recording replaces steps by fewer. Only the removal of
    /// the whole source ends the total. In a history that was made from an export, it starts with the imported events.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*).
    public func recordedTotal() throws -> RecordedTotal {
        let kept = try count(in: Timestamp.supported)
        // A file from a time without recorded totals gets them when it is converted.
        return RecordedTotal(
            steps: max(kept.count, Int(row?.recorded.steps ?? 0)),
            coverage: Double(max(kept.coveredNanoseconds, row?.recorded.coveredNanoseconds ?? 0)) / 1e9)
    }

    /// Counts the steps in consecutive buckets of the wearer's calendar.
    ///
    /// The buckets tile the range, and their counts add up to that of the range. The range clips the first and the last
    /// bucket. Days and hours follow the wearer's clock through daylight saving and through changes of the time zone.
    ///
    /// - Parameters:
    ///   - range: The range, of at most ``CalendarBucket/most`` buckets. All of it is cut into buckets, also before and
    ///     after everything recorded.
    ///   - bucket: The length of the buckets.
    ///   - calendar: The calendar of days and weeks. Nil, the default, stands for the ISO 8601 calendar, whose weeks
    ///     start on Monday, in the source's time zone at each moment.
    ///   - filter: Which segments' steps to count; nil, the default, for all steps. The filter tests each segment as a
    ///     whole, also one in several buckets; a step counts in the bucket of its time.
    /// - Throws: ``HistoryError``; ``HistoryError/Reason/tooManyBuckets(_:)`` before the first bucket.
    /// - Complexity: O(*b* log *n*) for *b* buckets; with a filter, also linear in the segments in the range.
    public func steps(
        in range: some TimeRange, by bucket: CalendarBucket, calendar: Calendar? = nil,
        where filter: SegmentFilter? = nil
    ) throws -> [StepCount] {
        var counts: [StepCount] = []
        try forEachBucket(in: range, by: bucket, calendar: calendar, where: filter) { counts.append($0) }
        return counts
    }

    /// Passes consecutive buckets with their steps to `body`, in the order of time. It makes no list, unlike
    /// ``steps(in:by:calendar:where:)``.
    ///
    /// - Throws: ``HistoryError``, and what `body` throws.
    public func forEachBucket(
        in range: some TimeRange, by bucket: CalendarBucket, calendar: Calendar? = nil,
        where filter: SegmentFilter? = nil, _ body: (StepCount) throws -> Void
    ) throws {
        let range = range.timestamps.clamped(to: Timestamp.supported)
        let buckets = bucket.count(in: range)
        guard buckets <= CalendarBucket.most else { throw HistoryError(.tooManyBuckets(buckets), at: url) }
        // Buckets before and after everything recorded need no query.
        let kept = try keptRange
        var parts = try filter.map { try activities(in: range, where: $0)[...] }
        for range in bucket.ranges(in: range, try calendars(calendar)) {
            guard let kept, range.lowerBound <= kept.upperBound, range.upperBound > kept.lowerBound else {
                try body(StepCount(range: range, count: 0, coveredNanoseconds: 0, isTruncated: isTruncated(range)))
                continue
            }
            var count = try count(in: range)
            if let steps = try parts?.count(in: range, { try self.count(in: $0).count }) { count.count = steps }
            try body(count)
        }
    }

    /// The times of all steps in a range, in order.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps in the range.
    public func stepTimes(in range: some TimeRange) throws -> [Timestamp] {
        let part = keptPart(of: range.timestamps)
        guard let row else { return [] }
        var last = Int64.min
        var times: [Timestamp] = []
        try db.integers(
            "SELECT time FROM step WHERE source = ? AND time >= ? AND time < ? ORDER BY time",
            [row.id, part.lowerBound, part.upperBound]
        ) { time in
            guard try StoredTime.checked(time) > last else { throw DatabaseError.damaged("steps are out of order") }
            last = time
            times.append(Timestamp(nanosecondsSince1970: time))
        }
        return times
    }

    /// The bouts in a range, in the order of time.
    ///
    /// - Parameters:
    ///   - range: The range. It clips the first and the last bout.
    ///   - gap: The longest break, in seconds, within a bout.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the bouts in the range, and in the steps of a bout that the range clips; with another
    ///   gap than the default, in all steps in the range.
    public func bouts(in range: some TimeRange, gap: TimeInterval = Bout.defaultGap) throws -> [Bout] {
        if gap == Bout.defaultGap {
            let part = keptPart(of: range.timestamps)
            return try row.map { try BoutTable(source: $0.id).bouts(in: part, db) } ?? []
        }
        return try stepTimes(in: range).reduce(into: []) { $0.add($1, gap: gap) }
    }

    // MARK: Counts

    private func count(in range: Range<Timestamp>) throws -> StepCount {
        let sum = try row.map { try RunningTotals(source: $0.id).sum(keptPart(of: range), db) }
        return StepCount(
            range: range, count: Int(sum?.steps ?? 0), coveredNanoseconds: sum?.coveredNanoseconds ?? 0,
            isTruncated: isTruncated(range))
    }

    /// The calendar of buckets from each moment on.
    private func calendars(_ calendar: Calendar?) throws -> [(since: Int64, calendar: Calendar)] {
        if let calendar { return [(.min, calendar)] }
        let zones = try row.map { try ZoneTable(source: $0.id).all(db) } ?? []
        return (zones.isEmpty ? [(.min, .current)] : zones).map { ($0, Calendar(.iso8601, in: $1)) }
    }
}

extension ArraySlice<RecordedSegment> {
    /// Adds up the steps in the parts of a range, in the order of time. Drops the parts before it. `steps` counts the
    /// steps of a segment that is partly in the range.
    fileprivate mutating func count(
        in range: Range<Timestamp>, _ steps: (Range<Timestamp>) throws -> Int
    ) rethrows -> Int {
        self = drop { $0.clippedRange.upperBound <= range.lowerBound }
        return try prefix { $0.clippedRange.lowerBound < range.upperBound }.reduce(0) { sum, segment in
            let part = segment.clippedRange.clamped(to: range)
            return try sum + (part == segment.clippedRange ? segment.steps : steps(part))
        }
    }
}

/// The totals of all recordings of a source. They never fall while the source exists.
public struct RecordedTotal: Hashable, Sendable {
    /// The number of steps.
    public let steps: Int
    /// The covered time in seconds.
    public let coverage: TimeInterval
}
