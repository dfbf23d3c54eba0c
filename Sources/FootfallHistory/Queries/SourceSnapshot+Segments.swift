public import Footfall
public import Foundation
internal import GRDB

extension SourceSnapshot {
    /// The segments that overlap a range, in the order of time.
    ///
    /// A segment lasts as long as one activity without a gap, including halts. Spans of non-wear are segments with the
    /// reason `notWorn`, laid over what was recorded. The first and the last one may reach out of the range: they keep
    /// their whole extent, and their steps are those in the range.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - filter: Which segments to return; all by default.
    ///   - order: The order of their starts, ascending by default. For other orders use `sorted(using:)`.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the segments and halts in the range.
    public func activities(
        in range: some TimeRange, where filter: SegmentFilter = .all, order: SortOrder = .forward
    ) throws -> [RecordedSegment] {
        let found = try segments(in: keptPart(of: range.timestamps)).filter(filter.includes)
        return order == .forward ? found : found.reversed()
    }

    /// The segment at a moment; nil if the moment is not covered.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*), and linear in the halts of the segment.
    public func activity(at moment: Timestamp) throws -> RecordedSegment? {
        try activities(in: moment..<moment.advanced(bySeconds: 1e-9)).first
    }

    /// The pieces that overlap a range. A piece ends where flags, reason or probability change.
    ///
    /// These are the segments of the analyzer, including halts. Equal neighbors are joined, and spans of non-wear are
    /// laid over them. ``activities(in:where:order:)`` joins them further.
    ///
    /// - Parameter range: The range. The first and the last piece may reach out of it; the steps are those of the whole
    ///   piece.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the pieces and steps in the range.
    public func pieces(in range: some TimeRange) throws -> [Segment] {
        let part = keptPart(of: range.timestamps)
        guard let row, !part.isEmpty else { return [] }
        let statement = """
            SELECT max(start, ?4), end, flags, probability,
                (SELECT count(*) FROM step WHERE source = ?1 AND time >= max(start, ?4) AND time < end), 0.0
            FROM piece WHERE \(SpanTable.piece.overlap) ORDER BY start
            """
        let rows = try db.rows(
            statement, [row.id, part.lowerBound, part.upperBound, row.keptFrom], StoredSpan.init)
        try rows.checkOrder()
        let pieces = rows.map { span in
            Segment(
                range: Range(span.start..<span.end), flags: ActivityFlags(stored: span.flags),
                reason: UnknownReason(stored: span.flags), probability: Float(span.probability ?? 0),
                steps: Int(span.steps))
        }
        guard let first = pieces.first, let last = pieces.last else { return [] }
        let unworn = try nonWear(in: first.range.lowerBound..<last.range.upperBound)
        return unworn.isEmpty ? pieces : pieces.overlaid(byNonWear: unworn)
    }

    /// The covered and the uncovered parts of a range.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the segments in the range. For the covered time alone, ``steps(in:where:)`` is faster.
    public func coverage(in range: some TimeRange) throws -> Coverage {
        let range = range.timestamps
        let part = keptPart(of: range)
        var covered: [Range<Int64>] = []
        if let row, !part.isEmpty {
            covered = try db.ranges(
                "SELECT max(start, ?2), min(end, ?3) FROM segment WHERE \(SpanTable.segment.overlap) ORDER BY start",
                [row.id, part.lowerBound, part.upperBound])
        }
        return Coverage(range: range, covered: covered.map(Range.init), isTruncated: isTruncated(range))
    }

    /// The duration of each activity in each of many ranges, in seconds.
    ///
    /// ```swift
    /// let hours = try history.steps(in: day, by: .hour)
    /// let durations = try history.durations(in: hours.map(\.range))
    /// ```
    ///
    /// - Parameter ranges: Ranges in the order of time that do not overlap, such as those of buckets.
    /// - Returns: For each range the seconds of the activities that occur in it. They add up to its coverage.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the ranges, and in the segments in them.
    public func durations(in ranges: [Range<Timestamp>]) throws -> [[Activity: TimeInterval]] {
        guard let first = ranges.first, let last = ranges.last else { return [] }
        var segments = try activities(in: first.lowerBound..<max(first.lowerBound, last.upperBound))[...]
        return ranges.map { range in
            segments = segments.drop { $0.clippedRange.upperBound <= range.lowerBound }
            return segments.prefix { $0.clippedRange.lowerBound < range.upperBound }.durations(in: range)
        }
    }

    /// The totals of a range.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - boutGap: The longest break, in seconds, within a bout.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the segments and bouts in the range, and in the steps of bouts that the range or a
    ///   walking segment clips; with another gap than the default, in all steps in the range.
    public func summary(of range: some TimeRange, boutGap: TimeInterval = Bout.defaultGap) throws -> MotionSummary {
        let segments = try activities(in: range)
        let durations = segments.durations(in: range.timestamps)
        let bouts = try bouts(in: range, gap: boutGap)
        return MotionSummary(
            steps: try steps(in: range), durations: durations,
            longestBout: bouts.max { $0.duration < $1.duration },
            walking: try pace(of: bouts, in: segments), segments: segments)
    }

    /// The pace within the walking segments. Both lists are in the order of time.
    private func pace(of bouts: [Bout], in segments: [RecordedSegment]) throws -> Pace {
        var pace = Pace()
        var walks = segments.filter { $0.activity == .walking }.map(\.clippedRange)[...]
        for bout in bouts {
            walks = walks.drop { $0.upperBound <= bout.range.lowerBound }
            for walk in walks.prefix(while: { $0.lowerBound <= bout.range.upperBound }) {
                if walk.contains(bout.range.lowerBound) && walk.contains(bout.range.upperBound) {
                    pace.add(bout)
                } else if let table = row.map({ BoutTable(source: $0.id) }) {
                    let bounds = walk.lowerBound.nanosecondsSince1970..<walk.upperBound.nanosecondsSince1970
                    if let part = try table.part(of: bout, in: bounds, db) { pace.add(part) }
                }
            }
        }
        return pace
    }

    // MARK: Rows

    private func segments(in part: Range<Int64>) throws -> [RecordedSegment] {
        guard let source = row, !part.isEmpty else { return [] }
        // A span of non-wear is one segment, also where it lies over several of which some are outside the part.
        let unworn = try nonWear(in: Range(part))
        let start = unworn.first.map { max($0.lowerBound.nanosecondsSince1970, source.keptFrom) } ?? part.lowerBound
        let end = unworn.last?.upperBound.nanosecondsSince1970 ?? part.upperBound
        let recorded = try recordedSegments(of: source, in: min(start, part.lowerBound)..<max(end, part.upperBound))
        guard let first = recorded.first, let last = recorded.last else { return [] }
        let all = try nonWear(in: first.range.lowerBound..<last.range.upperBound)
        let newest = try db.integer(
            "SELECT end FROM segment WHERE source = ? ORDER BY start DESC LIMIT 1", [source.id])
        return try (all.isEmpty ? recorded : recorded.overlaid(byNonWear: all)).compactMap { segment in
            let whole = segment.range.lowerBound.nanosecondsSince1970..<segment.range.upperBound.nanosecondsSince1970
            let clipped = whole.clamped(to: part)
            guard !clipped.isEmpty else { return nil }
            let kept = max(whole.lowerBound, source.keptFrom)..<whole.upperBound
            let isHalt = segment.halts == [Range(kept)]
            let steps =
                clipped == whole ? segment.steps : Int(try RunningTotals(source: source.id).sum(clipped, db).steps)
            return RecordedSegment(
                source: source.name, range: segment.range, clippedRange: Range(clipped),
                isOpen: whole.upperBound == newest, flags: isHalt ? segment.flags.union(.stationary) : segment.flags,
                reason: segment.reason, halts: segment.halts, probability: segment.probability, steps: steps)
        }
    }

    /// The spans of non-wear that overlap a range, in order of time.
    private func nonWear(in range: Range<Timestamp>) throws -> [Range<Timestamp>] {
        guard let row, !range.isEmpty else { return [] }
        return try db.ranges(
            "SELECT start, end FROM nonwear WHERE \(SpanTable.nonWear.overlap) ORDER BY start",
            [row.id, range.lowerBound.nanosecondsSince1970, range.upperBound.nanosecondsSince1970]
        ).map(Range.init)
    }

    /// The segments that overlap a range, as they are stored.
    private func recordedSegments(of source: SourceRow, in range: Range<Int64>) throws -> [Segment] {
        let table = SpanTable.segment
        let rows = try db.rows(
            "SELECT \(table.columns) FROM segment WHERE \(table.overlap) ORDER BY start",
            [source.id, range.lowerBound, range.upperBound], StoredSpan.init)
        try rows.checkOrder()
        guard let first = rows.first, let last = rows.last else { return [] }
        var halts = try halts(of: source, in: max(first.start, source.keptFrom)..<last.end)[...]
        return try rows.map { span in
            let (whole, kept) = (span.start..<span.end, max(span.start, source.keptFrom)..<span.end)
            let certainty =
                kept == whole
                ? span.certainty : try SpanTable.facts(in: kept, source: source.id, db).certainty
            halts = halts.drop { $0.upperBound <= span.start }
            let inside = halts.prefix { $0.lowerBound < span.end }.map { Range($0.clamped(to: whole)) }
            return Segment(
                range: Range(whole), flags: ActivityFlags(stored: span.flags),
                reason: UnknownReason(stored: span.flags), probability: Float(min(certainty / Double(kept.count), 1)),
                steps: Int(span.steps), halts: inside)
        }
    }

    /// The halts in a range, in the order of time. They do not touch each other.
    private func halts(of source: SourceRow, in range: Range<Int64>) throws -> [Range<Int64>] {
        try db.ranges(
            """
            SELECT max(start, ?2), end FROM piece INDEXED BY halt
            WHERE \(SpanTable.piece.overlap) AND \(Schema.isHalt) ORDER BY start
            """, [source.id, range.lowerBound, range.upperBound])
    }
}

extension Database {
    /// Ranges from the first two columns of an answer, in order, with touching ones joined. Throws an error for damage
    /// if the ranges are out of order.
    fileprivate func ranges(_ sql: String, _ arguments: StatementArguments) throws -> [Range<Int64>] {
        try rows(sql, arguments) { (start: try $0.moment(0), end: try $0.moment(1)) }.reduce(into: []) {
            ranges, range in
            let last = ranges.last
            guard range.start < range.end, last.map({ $0.upperBound <= range.start }) ?? true else {
                throw DatabaseError.damaged("spans are out of order")
            }
            if let last, last.upperBound == range.start {
                ranges[ranges.count - 1] = last.lowerBound..<range.end
            } else {
                ranges.append(range.start..<range.end)
            }
        }
    }
}

extension SourceSnapshot {
    /// The part at the end of the source that does not move the window of the retention: less than a minute of samples
    /// after more than an hour without any. Nil if there is none, or if moving the
    /// window would remove nothing from the answers.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*).
    public func leap() throws -> RecordedLeap? {
        guard let row, let newest = try row.newest(db), let end = try row.windowEnd(db), end < newest,
            let start = try row.oldest(from: end, db), let limit = try db.retention().limit(newest: newest),
            limit > row.keptFrom
        else { return nil }
        func moment(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanosecondsSince1970: nanoseconds) }
        let removed = try steps(in: Timestamp.supported.lowerBound..<moment(limit))
        guard removed.count > 0 || removed.coverage > 0 else { return nil }
        return RecordedLeap(
            range: moment(end)..<moment(newest), start: moment(start), limit: moment(limit), steps: removed.count)
    }
}

/// A short part at the end of a source, after a long time without samples. Its times may come from a wrong clock, so it
/// does not move the window of the retention.
public struct RecordedLeap: Hashable, Sendable {
    /// From the end of what is before the part to the end of the part.
    public let range: Range<Timestamp>
    /// The start of the part.
    public let start: Timestamp
    /// The end of the time that no answer would count any more if the part moved the window.
    public let limit: Timestamp
    /// The steps before that.
    public let steps: Int
}
