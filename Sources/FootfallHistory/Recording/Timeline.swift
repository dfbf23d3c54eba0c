internal import Footfall
internal import GRDB
internal import GRDBSQLite

/// A stretch of time of which something was said. Probability is nil in segments, which leave it to their pieces.
struct Span: Hashable {
    var start: Int64
    var end: Int64
    /// The flags in the lowest eight bits and, above them, why an activity is unknown: 0 where nobody said.
    var flags: Int64
    var probability: Double?

    /// The same of the table of segments: without a probability, and without the halts that a segment outlasts.
    var asSegment: Span {
        let lasting = Int64(ActivityFlags(stored: flags).withoutHalt.rawValue)
        return Span(start: start, end: end, flags: flags & ~0xFF | lasting, probability: nil)
    }

    /// Whether both say the same and touch, so that they are one.
    func continues(into next: Span) -> Bool {
        end == next.start && flags == next.flags && probability == next.probability
    }
}

extension [Span] {
    /// Adds a span, as part of the last one where it continues it.
    mutating func join(_ span: Span) {
        guard span.start < span.end else { return }
        if let last, last.continues(into: span) {
            self[count - 1].end = span.end
        } else {
            append(span)
        }
    }
}

/// A table of spans of one source that never overlap: `piece` or `segment`.
enum Timeline: String {
    case piece
    case segment

    /// Makes `spans` all there is to say about `range`.
    ///
    /// What stood there is cut off at the ends of the range, or removed; what then touches and says the same becomes
    /// one span. Spans that end at or before `cut` are forgotten already and take no part.
    ///
    /// - Returns: The range in which rows start that are new or changed.
    /// - Complexity: O(log n) for the table, and linear in the rows removed and added.
    func replace(
        _ range: Range<Int64>, with spans: [Span], source: Int64, cut: Int64, _ db: Database
    ) throws -> Range<Int64> {
        var left = try span("start < ? ORDER BY start DESC", range.lowerBound, source, db)
        if let found = left, found.end < range.lowerBound || found.end <= cut { left = nil }
        var right = try span("start < ? ORDER BY start DESC", range.upperBound, source, db)
        if let found = right, found.end <= range.upperBound {
            right = try span("start = ?", range.upperBound, source, db)
        }

        var joined: [Span] = []
        if var left {
            left.end = Swift.min(left.end, range.lowerBound)
            joined.join(left)
        }
        for span in spans { joined.join(span) }
        if var right {
            right.start = Swift.max(right.start, range.upperBound)
            joined.join(right)
        }

        let changed = (left?.start ?? range.lowerBound)..<range.upperBound + 1
        try db.run(
            "DELETE FROM \(rawValue) WHERE source = ? AND start >= ? AND start < ?",
            [source, changed.lowerBound, changed.upperBound])
        try insert(joined, source, db)
        return changed
    }

    /// Makes the span across a moment begin there. Returns where it began.
    func trim(to moment: Int64, source: Int64, _ db: Database) throws -> [Int64] {
        guard let found = try span("start < ? ORDER BY start DESC", moment, source, db), found.end > moment else {
            return []
        }
        try db.run(
            "UPDATE \(rawValue) SET start = ? WHERE source = ? AND start = ?", [moment, source, found.start])
        return [found.start]
    }

    private func span(_ condition: String, _ moment: Int64, _ source: Int64, _ db: Database) throws -> Span? {
        try db.row("SELECT \(columns) FROM \(rawValue) WHERE source = ? AND \(condition) LIMIT 1", [source, moment])
            .map(Span.init(row:))
    }

    private func insert(_ spans: [Span], _ source: Int64, _ db: Database) throws {
        let isPiece = self == .piece
        let columns = isPiece ? "source, start, end, flags, probability" : "source, start, end, flags"
        try db.insert(
            spans, source: source, "INSERT INTO \(rawValue) (\(columns))", columns: isPiece ? 4 : 3
        ) { span, statement, parameter in
            sqlite3_bind_int64(statement, parameter, span.start)
            sqlite3_bind_int64(statement, parameter + 1, span.end)
            sqlite3_bind_int64(statement, parameter + 2, span.flags)
            if isPiece { sqlite3_bind_double(statement, parameter + 3, span.probability ?? 0) }
        }
    }

    private var columns: String { self == .piece ? "start, end, flags, probability" : "start, end, flags, NULL" }
}

extension Segment {
    /// What a ``Span`` keeps as its flags.
    var storedFlags: Int64 { Int64(flags.rawValue) | Int64(reason?.rawValue ?? 0) << 8 }
}

extension ActivityFlags {
    /// Reads the flags of a ``Span``.
    init(stored flags: Int64) { self.init(rawValue: UInt8(truncatingIfNeeded: flags)) }
}

extension UnknownReason {
    /// Reads the flags of a ``Span``; nil where no reason was given, or one that this version does not know.
    init?(stored flags: Int64) { self.init(rawValue: UInt8(truncatingIfNeeded: flags >> 8)) }
}

extension Span {
    /// Reads start, end, flags and probability, in this order.
    init(row: Row) {
        self.init(start: row[0], end: row[1], flags: row[2], probability: row[3])
    }
}
