public import Footfall
public import Foundation
internal import GRDB

extension MotionHistory {
    /// The segments that share time with a range, in the order of time.
    ///
    /// Segments are as long as one activity lasts without a gap, halts included. The first and the last one may reach out
    /// of the range: their true bounds are kept, their steps are those in the range.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - source: Whose activities; may be left out when there is only one source.
    ///   - filter: Which segments; all by default.
    ///   - order: By start, ascending by default. For other orders there is `sorted(using:)`.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the range.
    public func activities(
        in range: Range<Timestamp>, from source: String? = nil, where filter: SegmentFilter = .all,
        order: SortOrder = .forward
    ) throws -> [RecordedSegment] {
        let segments = try read { db in try Inquiry(source, at: url, db).segments(in: range, db) }
        let found = segments.filter(filter.includes)
        return order == .forward ? found : found.reversed()
    }

    /// What held at a moment; nil when it is not covered.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*) and linear in the length of the segment.
    public func activity(at moment: Timestamp, from source: String? = nil) throws -> RecordedSegment? {
        try activities(in: moment..<moment.advanced(bySeconds: 1e-9), from: source).first
    }
}

extension Inquiry {
    func segments(in range: Range<Timestamp>, _ db: Database) throws -> [RecordedSegment] {
        let visible = visible(range)
        guard let source, !visible.isEmpty else { return [] }
        let newest = try db.integer("SELECT max(start) FROM segment WHERE source = ?", [source.id])
        let rows = try db.rows(
            Inquiry.segmentsStatement, [source.id, visible.lowerBound, visible.upperBound, source.cut]
        ) { (span: Span(row: $0), steps: $0[4] as Int) }
        guard let first = rows.first?.span, let last = rows.last?.span else { return [] }
        var halts = try halts(in: max(first.start, source.cut)..<last.end, db)[...]
        return rows.map { span, steps in
            let whole = span.start..<span.end
            var inside: [Range<Int64>] = []
            while let halt = halts.first, halt.lowerBound < span.end {
                if !halt.clamped(to: whole).isEmpty { inside.append(halt.clamped(to: whole)) }
                guard halt.upperBound <= span.end else { break }
                halts.removeFirst()
            }
            var flags = ActivityFlags(stored: span.flags)
            if inside == [max(span.start, source.cut)..<span.end] { flags.insert(.stationary) }
            return RecordedSegment(
                source: source.name, range: Range(whole), clippedRange: Range(whole.clamped(to: visible)),
                isOpen: span.start == newest, flags: flags, reason: UnknownReason(stored: span.flags),
                halts: inside.map(Range.init), probability: Float(span.probability ?? 0), steps: steps)
        }
    }

    /// The halts in a range, in order, apart from each other.
    private func halts(in range: Range<Int64>, _ db: Database) throws -> [Range<Int64>] {
        guard let source else { return [] }
        let spans = try db.rows(
            """
            SELECT max(start, ?2), end FROM piece
            WHERE source = ?1 AND start < ?3 AND end > ?2 AND flags & ?4 AND flags & ?5 AND start >= ifnull(
                (SELECT start FROM piece WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
            ORDER BY start
            """,
            [
                source.id, range.lowerBound, range.upperBound, Int64(ActivityFlags.stationary.rawValue),
                Int64(~ActivityFlags.stationary.rawValue),
            ]
        ) { $0[0] as Int64..<$0[1] }
        return spans.reduce(into: []) { halts, halt in
            if let last = halts.last, last.upperBound == halt.lowerBound {
                halts[halts.count - 1] = last.lowerBound..<halt.upperBound
            } else {
                halts.append(halt)
            }
        }
    }

    /// Segments that share time with ?2..<?3, with their mean probability since ?4 and their steps in the range.
    private static let segmentsStatement = """
        SELECT start, end, flags,
            (SELECT sum(probability * (piece.end - max(piece.start, ?4))) / sum(piece.end - max(piece.start, ?4))
             FROM piece
             WHERE piece.source = ?1 AND piece.start >= segment.start AND piece.start < segment.end
                AND piece.end > ?4),
            (SELECT count(*) FROM step WHERE source = ?1 AND time >= max(start, ?2) AND time < min(end, ?3))
        FROM segment
        WHERE source = ?1 AND start < ?3 AND end > ?2 AND start >= ifnull(
            (SELECT start FROM segment WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
        ORDER BY start
        """
}
