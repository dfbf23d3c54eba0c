internal import Footfall
internal import GRDB

/// The content of a source in the time of a recording. It shows whether the recording replaces any of it.
struct RecordedContent {
    private let source: String
    private let range: Range<Int64>
    private let steps: Set<Int64>
    private let pieces: [StoredSpan]

    /// Reads the content before the recording of events.
    init(of events: some Sequence<MotionEvent>, from source: String, _ db: Database) throws {
        var (start, end) = (Int64.max, Int64.min)
        for event in events {
            switch event {
            case .step(let step):
                start = min(start, step.time.nanosecondsSince1970)
                end = max(end, step.time.nanosecondsSince1970)
            case .segment(let segment):
                start = min(start, segment.range.lowerBound.nanosecondsSince1970)
                end = max(end, segment.range.upperBound.nanosecondsSince1970)
            // A span of non-wear replaces nothing.
            case .gap, .nonWear: break
            }
        }
        try self.init(in: start <= end ? start..<end : 0..<0, of: source, db)
    }

    private init(in range: Range<Int64>, of source: String, _ db: Database) throws {
        (self.source, self.range) = (source, range)
        guard let row = try SourceRow.named(source, db), !range.isEmpty else {
            (steps, pieces) = ([], [])
            return
        }
        let bounds: StatementArguments = [row.id, range.lowerBound, range.upperBound]
        steps = Set(
            try db.rows("SELECT time FROM step WHERE source = ? AND time >= ? AND time < ?", bounds) {
                try $0.integer(0)
            })
        pieces = try db.rows(
            """
            SELECT max(start, ?2), min(end, ?3), flags, probability FROM piece
            WHERE \(SpanTable.piece.overlap) ORDER BY start
            """, bounds
        ) { try StoredSpan(row: $0) }
    }

    /// Whether the source still holds all of this, perhaps with more.
    func isKept(_ db: Database) throws -> Bool {
        let now = try RecordedContent(in: range, of: source, db)
        return steps.isSubset(of: now.steps)
            && pieces.allSatisfy { piece in
                now.pieces.contains {
                    $0.start <= piece.start && piece.end <= $0.end && $0.flags == piece.flags
                        && $0.probability == piece.probability
                }
            }
    }
}
