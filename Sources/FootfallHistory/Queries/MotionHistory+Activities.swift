public import Footfall
public import Foundation
internal import GRDB

extension MotionHistory {
    /// The segments that share time with a range, in the order of time.
    ///
    /// Segments are as long as one activity lasts without a gap. The first and the last one may reach out of the range:
    /// their true bounds are kept, their steps are those in the range.
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
        return try db.rows(Inquiry.segmentsStatement, [source.id, visible.lowerBound, visible.upperBound, source.cut]) {
            let start: Int64 = $0[0]
            let end: Int64 = $0[1]
            let flags: Int64 = $0[2]
            let certainty: Double? = $0[4]
            return RecordedSegment(
                source: source.name,
                range: Timestamp(nanosecondsSince1970: start)..<Timestamp(nanosecondsSince1970: end),
                clippedRange: Timestamp(
                    nanosecondsSince1970: max(start, visible.lowerBound))..<Timestamp(
                        nanosecondsSince1970: min(end, visible.upperBound)),
                isOpen: start == newest, flags: ActivityFlags(rawValue: UInt8(truncatingIfNeeded: flags)),
                probability: Float(certainty ?? 0), steps: $0[3])
        }
    }

    /// Segments that share time with ?2..<?3, with their steps in it and their mean probability since ?4.
    private static let segmentsStatement = """
        SELECT start, end, flags,
            (SELECT count(*) FROM step WHERE source = ?1 AND time >= max(start, ?2) AND time < min(end, ?3)),
            (SELECT sum(probability * (piece.end - max(piece.start, ?4))) / sum(piece.end - max(piece.start, ?4))
             FROM piece
             WHERE piece.source = ?1 AND piece.start >= segment.start AND piece.start < segment.end
                AND piece.end > ?4)
        FROM segment
        WHERE source = ?1 AND start < ?3 AND end > ?2 AND start >= ifnull(
            (SELECT start FROM segment WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
        ORDER BY start
        """
}
