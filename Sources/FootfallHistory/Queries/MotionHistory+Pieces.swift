public import Footfall
internal import GRDB

extension MotionHistory {
    /// What was recorded of a range, moment by moment: a new span wherever flags, reason or probability change.
    ///
    /// These are the segments that an analyzer emitted, halts among them; neighbours that say the same are one.
    /// ``activities(in:from:where:order:)-(Range<Timestamp>,_,_,_)`` joins them further.
    ///
    /// - Parameters:
    ///   - range: The range. The first and the last span may reach out of it; the steps are those in the whole of each span.
    ///   - source: Whose; may be left out when there is only one source.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the spans and steps in the range.
    public func pieces(in range: Range<Timestamp>, from source: String? = nil) throws -> [Segment] {
        try read { db in try Inquiry(source, at: url, db).pieces(in: range, db) }
    }
}

extension Inquiry {
    func pieces(in range: Range<Timestamp>, _ db: Database) throws -> [Segment] {
        let visible = visible(range)
        guard let source, !visible.isEmpty else { return [] }
        let statement = """
            SELECT max(start, ?4), end, flags, probability,
                (SELECT count(*) FROM step WHERE source = ?1 AND time >= max(start, ?4) AND time < end)
            FROM piece
            WHERE source = ?1 AND start < ?3 AND end > ?2 AND start >= ifnull(
                (SELECT start FROM piece WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
            ORDER BY start
            """
        return try db.rows(statement, [source.id, visible.lowerBound, visible.upperBound, source.cut]) { row in
            let span = Span(row: row)
            return Segment(
                range: Range(span.start..<span.end), flags: ActivityFlags(stored: span.flags),
                reason: UnknownReason(stored: span.flags), probability: Float(span.probability ?? 0), steps: row[4])
        }
    }
}
