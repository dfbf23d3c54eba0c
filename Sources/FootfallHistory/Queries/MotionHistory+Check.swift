internal import Footfall
internal import GRDB

extension MotionHistory {
    /// Checks the whole file in one read transaction: its pages, the range and the order of all values, and the
    /// segments and sums against the rows that they are derived from.
    ///
    /// Another process may record meanwhile.
    ///
    /// - Throws: ``HistoryError`` for a file that is no history, and for one that cannot be read.
    /// - Complexity: Linear in the size of the file.
    public func check() throws -> HistoryCheck {
        try readDatabase { db in
            var check = HistoryCheck()
            check.problem = try RowCheck(db: db).problem()
            guard check.problem == nil else { return check }
            let sources = try HistorySnapshot(url: url, db: db).sources()
            (check.sources, check.steps) = (sources.count, sources.reduce(0) { $0 + $1.steps })
            return check
        }
    }
}

private struct RowCheck {
    private static let export = "'footfall history export', then 'footfall history import' into a new file repairs it"
    private static let restore = "restore a copy, or record the traces into a new file"

    let db: Database

    /// The first problem; nil for a sound history.
    func problem() throws -> HistoryCheck.Problem? {
        let pages = try checked(nil, Self.restore) {
            let result = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "no answer"
            return result == "ok" ? nil : result.split(separator: "\n").joined(separator: " ")
        }
        if let pages { return pages }
        if let rows = try checked(nil, Self.export, commonRows) { return rows }
        for source in try SourceRow.all(db) {
            let range = "'footfall history delete' of the source or of the damaged time"
            if let rows = try checked(source.name, range, { try recordedRows(of: source) }) { return rows }
            if let rows = try checked(source.name, Self.export, { try derivedRows(of: source) }) { return rows }
        }
        return nil
    }

    /// Runs a part of the check. A value that cannot be read is a problem, too.
    private func checked(
        _ source: String?, _ remedy: String, _ part: () throws -> String?
    ) throws -> HistoryCheck.Problem? {
        do {
            return try part().map { HistoryCheck.Problem(source: source, text: $0, remedy: remedy) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            let text = error.message ?? "a page is damaged"
            return HistoryCheck.Problem(source: source, text: text, remedy: remedy)
        }
    }

    /// Checks the retention and the sources, and that each row has a source.
    private func commonRows() throws -> String? {
        _ = try db.retention()
        _ = try SourceRow.all(db)
        for table in Schema.tablesOfSources {
            let isStray =
                try db.integer("SELECT 1 FROM \(table) WHERE source NOT IN (SELECT id FROM source) LIMIT 1") != nil
            if isStray { return "the table \(table) has rows without a source" }
        }
        return nil
    }

    /// Checks the rows that the others are derived from.
    private func recordedRows(of source: SourceRow) throws -> String? {
        _ = try ZoneTable(source: source.id).all(db)
        _ = try MarkTable(source: source.id).rows(endingAfter: .min, db)
        let strayStep = try db.integer(
            "SELECT 1 FROM step WHERE source = ? AND (time < ? OR time >= ?) LIMIT 1",
            [source.id, StoredTime.first, StoredTime.end])
        if strayStep != nil { return "a step is outside 1900 to 2150" }
        if try haveOverlap(.piece, source) { return "pieces overlap" }
        if try haveOverlap(.nonWear, source) { return "spans of non-wear overlap" }
        return nil
    }

    private func haveOverlap(_ table: SpanTable, _ source: SourceRow) throws -> Bool {
        var end = Int64.min
        let spans = try spans(of: table, source)
        while let span = try spans.next().map(StoredSpan.init) {
            if span.start < end { return true }
            end = span.end
        }
        return false
    }

    /// Checks the segments and the sums against the pieces and steps.
    private func derivedRows(of source: SourceRow) throws -> String? {
        if try !segmentsMatchPieces(of: source) { return "the segments do not match the pieces" }
        if try !RunningTotals(source: source.id).matchesRows(from: source.storedFrom, db) {
            return "the sums do not match the rows"
        }
        if try !BoutTable(source: source.id).matchesSteps(from: source.storedFrom, db) {
            return "the bouts do not match the steps"
        }
        return nil
    }

    /// The largest relative error of a sum of certainties, which depends on the order of its parts.
    private static let tolerance = 1e-6

    private func segmentsMatchPieces(of source: SourceRow) throws -> Bool {
        let pieces = try spans(of: .piece, source)
        let segments = try spans(of: .segment, source)
        /// The part that is not deleted; a segment keeps its start.
        func stored(_ span: StoredSpan) -> StoredSpan {
            var span = span
            span.start = max(span.start, source.storedFrom)
            return span
        }
        var expected: [StoredSpan] = []
        func matchesNext() throws -> Bool {
            guard var segment = try segments.next().map(StoredSpan.init) else { return false }
            if segment.start >= source.storedFrom {
                let (steps, certainty) = try SpanTable.facts(in: segment.start..<segment.end, source: source.id, db)
                guard steps == segment.steps,
                    abs(certainty - segment.certainty) <= Self.tolerance * Double(segment.end - segment.start)
                else { return false }
            }
            (segment.steps, segment.certainty) = (0, 0)
            return stored(segment) == expected.removeFirst()
        }
        while let piece = try pieces.next().map(StoredSpan.init) {
            var part = stored(piece.asSegment(steps: 0))
            part.certainty = 0
            expected.join(part)
            if expected.count > 1, try !matchesNext() { return false }
        }
        if !expected.isEmpty, try !matchesNext() { return false }
        return try segments.next() == nil
    }

    /// All spans that are not deleted, in order of time.
    private func spans(of table: SpanTable, _ source: SourceRow) throws -> RowCursor {
        try Row.fetchCursor(
            db.makeStatement(
                sql: """
                    SELECT \(table.columns) FROM \(table.rawValue)
                    WHERE source = ? AND end > ? ORDER BY start
                    """), arguments: [source.id, source.storedFrom])
    }
}

/// The result of a check of a whole history.
public struct HistoryCheck: Hashable, Sendable {
    /// The first problem that was found.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The source in whose rows it is; nil for the file as a whole.
        public var source: String?
        /// The problem, such as `the sums do not match the rows`.
        public var text: String
        /// The remedy.
        public var remedy: String

        /// The source, the problem and the remedy.
        public var description: String { "\(source.map { $0 + ": " } ?? "")\(text); \(remedy)" }
    }

    /// The first problem; nil for a sound history.
    public internal(set) var problem: Problem?
    /// The number of sources.
    public internal(set) var sources = 0
    /// The number of steps that answers count.
    public internal(set) var steps = 0
}
