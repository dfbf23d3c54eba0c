internal import Footfall
internal import GRDB
internal import GRDBSQLite

/// A table of spans that never overlap within a source: `piece`, `segment` or `nonwear`.
enum SpanTable: String {
    case piece
    case segment
    case nonWear = "nonwear"

    /// The columns that the table has beyond the source and the span.
    private var ownColumns: [String] {
        switch self {
        case .piece: ["flags", "probability"]
        case .segment: ["flags", "steps", "certainty"]
        case .nonWear: []
        }
    }

    /// The columns that ``StoredSpan`` reads.
    var columns: String {
        switch self {
        case .piece: "start, end, flags, probability, 0, 0.0"
        case .segment: "start, end, flags, NULL, steps, certainty"
        case .nonWear: "start, end, 0, NULL, 0, 0.0"
        }
    }

    /// A condition for the rows of source ?1 that overlap ?2..<?3. At most one of them starts before ?2. The lower
    /// bound on `start` limits the search in the index.
    var overlap: String { Self.overlap(rawValue) }

    /// The same condition for any table of spans that do not overlap.
    static func overlap(_ table: String) -> String {
        """
        source = ?1 AND start < ?3 AND end > ?2 AND start >= ifnull(
            (SELECT start FROM \(table) WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
        """
    }

    /// Replaces the rows in `range` by `spans`. Rows that reach over an end of the range keep their outer part;
    /// touching rows with equal values are joined. Rows that end at or before `storedFrom` take no part. Returns the
    /// range in which the starts of new or changed rows lie. Takes time logarithmic in the table, and linear in the
    /// rows removed and added and in the pieces and steps of a segment that is cut.
    func replace(
        _ range: Range<Int64>, with spans: [StoredSpan], source: Int64, storedFrom: Int64, _ db: Database
    ) throws -> Range<Int64> {
        var left = try span("start < ? ORDER BY start DESC", range.lowerBound, source, db)
        if let found = left, found.end < range.lowerBound || found.end <= storedFrom { left = nil }
        var right = try span("start < ? ORDER BY start DESC", range.upperBound, source, db)
        if let found = right, found.end <= range.upperBound {
            right = try span("start = ?", range.upperBound, source, db)
        }

        var joined: [StoredSpan] = []
        if let left { joined.join(try part(of: left, in: left.start..<range.lowerBound, source, db)) }
        for span in spans { joined.join(span) }
        if let right { joined.join(try part(of: right, in: range.upperBound..<right.end, source, db)) }

        let changed = (left?.start ?? range.lowerBound)..<range.upperBound + 1
        try db.run(
            "DELETE FROM \(rawValue) WHERE source = ? AND start >= ? AND start < ?",
            [source, changed.lowerBound, changed.upperBound])
        try insert(joined, source, db)
        return changed
    }

    /// A row, cut to a range. The sums of a segment that is cut are those of its rows, which are replaced before.
    private func part(
        of span: StoredSpan, in range: Range<Int64>, _ source: Int64, _ db: Database
    ) throws -> StoredSpan {
        var part = span
        (part.start, part.end) = (Swift.max(span.start, range.lowerBound), Swift.min(span.end, range.upperBound))
        guard self == .segment, part != span, part.start < part.end else { return part }
        (part.steps, part.certainty) = try Self.facts(in: part.start..<part.end, source: source, db)
        return part
    }

    /// The steps and the certainty of a part of a segment, from its steps and pieces.
    static func facts(
        in range: Range<Int64>, source: Int64, _ db: Database
    ) throws -> (steps: Int64, certainty: Double) {
        let row = try db.row(
            """
            SELECT (SELECT count(*) FROM step WHERE source = ?1 AND time >= ?2 AND time < ?3),
                (SELECT total(probability * (min(end, ?3) - max(start, ?2))) FROM piece WHERE \(SpanTable.piece.overlap))
            """, [source, range.lowerBound, range.upperBound])
        return try row.map { (try $0.integer(0), try $0.number(1)) } ?? (0, 0)
    }

    /// Recomputes the steps and the certainty of the segments that overlap a range.
    static func updateFacts(overlapping range: Range<Int64>, source: Int64, _ db: Database) throws {
        let segments = try db.rows(
            "SELECT \(segment.columns) FROM segment WHERE \(segment.overlap)",
            [source, range.lowerBound, range.upperBound], StoredSpan.init)
        for segment in segments {
            let (steps, certainty) = try facts(in: segment.start..<segment.end, source: source, db)
            try db.run(
                "UPDATE segment SET steps = ?, certainty = ? WHERE source = ? AND start = ?",
                [steps, certainty, source, segment.start])
        }
    }

    /// The length of the rows inside a range.
    func covered(_ range: Range<Int64>, source: Int64, _ db: Database) throws -> Int64 {
        let length = try db.integer(
            "SELECT sum(min(end, ?3) - max(start, ?2)) FROM \(rawValue) WHERE \(overlap)",
            [source, range.lowerBound, range.upperBound])
        guard (0...Int64(range.count)).contains(length ?? 0) else { throw DatabaseError.damaged("spans overlap") }
        return length ?? 0
    }

    /// Moves the start of the row across a moment to the moment, if there is such a row.
    func trim(to moment: Int64, source: Int64, _ db: Database) throws {
        try db.run(
            """
            UPDATE \(rawValue) SET start = ?2 WHERE source = ?1 AND end > ?2
                AND start = (SELECT max(start) FROM \(rawValue) WHERE source = ?1 AND start < ?2)
            """, [source, moment])
    }

    /// The first row that meets a condition on `start`, which no row after the moment meets.
    private func span(_ condition: String, _ moment: Int64, _ source: Int64, _ db: Database) throws -> StoredSpan? {
        let span = try db.row(
            "SELECT \(columns) FROM \(rawValue) WHERE source = ? AND \(condition) LIMIT 1", [source, moment]
        ).map(StoredSpan.init)
        // SQLite searches the index without a check of the order of its rows.
        guard span.map({ $0.start <= moment }) ?? true else { throw DatabaseError.damaged("spans are out of order") }
        return span
    }

    private func insert(_ spans: [StoredSpan], _ source: Int64, _ db: Database) throws {
        let columns = ["source", "start", "end"] + ownColumns
        try db.insert(
            spans, source: source, "INSERT INTO \(rawValue) (\(columns.joined(separator: ", ")))",
            columns: columns.count - 1
        ) { span, statement, parameter in
            sqlite3_bind_int64(statement, parameter, span.start)
            sqlite3_bind_int64(statement, parameter + 1, span.end)
            if self != .nonWear { sqlite3_bind_int64(statement, parameter + 2, span.flags) }
            if self == .piece { sqlite3_bind_double(statement, parameter + 3, span.probability ?? 0) }
            if self == .segment {
                sqlite3_bind_int64(statement, parameter + 3, span.steps)
                sqlite3_bind_double(statement, parameter + 4, span.certainty)
            }
        }
    }
}

/// A row of `piece` or `segment`: a span of time with one set of flags.
struct StoredSpan: Hashable {
    var start: Int64
    var end: Int64
    /// The activity flags in the lowest eight bits and, above them, the reason of an unknown activity; 0 for none.
    var flags: Int64
    /// Nil in the table `segment`.
    var probability: Double?
    /// The number of steps in a row of `segment`; 0 in other tables.
    var steps: Int64 = 0
    /// The sum of the nanoseconds of a row of `segment`, each times its probability; 0 in other tables.
    var certainty = 0.0

    /// The same span for the table `segment`: with the sums of a segment, and without a halt in an activity that
    /// continues.
    func asSegment(steps: Int) -> StoredSpan {
        let lasting = Int64(ActivityFlags(stored: flags).withoutHalt.rawValue)
        return StoredSpan(
            start: start, end: end, flags: flags & ~0xFF | lasting, probability: nil, steps: Int64(steps),
            certainty: (probability ?? 0) * Double(end - start))
    }
}

extension StoredSpan {
    /// The largest stored flags: eight bits of flags and eight bits of the reason.
    private static let flagsMask: Int64 = 0xFFFF

    /// Reads the columns of the properties, in their order. Throws an error for damage if a value is out of range.
    init(row: Row) throws {
        self.init(
            start: try row.moment(0), end: try row.moment(1), flags: try row.integer(2),
            probability: try row.probability(3), steps: try row.integer(4), certainty: try row.number(5))
        guard steps >= 0, certainty >= 0 else { throw DatabaseError.damaged("a sum of a segment is negative") }
        guard start < end else { throw DatabaseError.damaged("a span ends before its start") }
        guard flags & ~Self.flagsMask == 0 else { throw DatabaseError.damaged("the flags of a span are unknown") }
    }
}

extension [StoredSpan] {
    /// Throws unless the spans are in the order of time and do not overlap.
    func checkOrder() throws {
        for (left, right) in zip(self, dropFirst()) where right.start < left.end {
            throw DatabaseError.damaged("spans overlap")
        }
    }

    /// Adds a span. Touching spans with equal values become one, with the sums of both.
    mutating func join(_ span: StoredSpan) {
        guard span.start < span.end else { return }
        if let last, last.end == span.start, last.flags == span.flags, last.probability == span.probability {
            self[count - 1].end = span.end
            self[count - 1].steps += span.steps
            self[count - 1].certainty += span.certainty
        } else {
            append(span)
        }
    }
}

extension Segment {
    /// The flags and the reason in the form of ``StoredSpan/flags``.
    var storedFlags: Int64 { Int64(flags.rawValue) | Int64(reason?.rawValue ?? 0) << 8 }
}

extension ActivityFlags {
    init(stored flags: Int64) { self.init(rawValue: UInt8(truncatingIfNeeded: flags)) }
}

extension UnknownReason {
    /// Reads the reason of a ``StoredSpan``; nil for none, and for one of a newer version.
    init?(stored flags: Int64) { self.init(rawValue: UInt8(truncatingIfNeeded: flags >> 8)) }
}
