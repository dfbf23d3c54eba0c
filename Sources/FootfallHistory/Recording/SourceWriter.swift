internal import Footfall
internal import GRDB
internal import GRDBSQLite

/// Applies recordings to one source. All methods run inside a transaction.
struct SourceWriter {
    private(set) var source: SourceRow
    /// Whether the writer created the source.
    private(set) var isNew = false
    let retention: Retention
    /// Whether even a short part after a long pause moves the window of the retention.
    var acceptsLeap = false
    /// The steps and the covered time that the writer added, minus those that it replaced.
    private(set) var added = RunningTotals.Sum()
    /// The number of stored steps that others of the same time replaced.
    private var replaced = 0
    private var totals: RunningTotals { RunningTotals(source: source.id) }
    private var bouts: BoutTable { BoutTable(source: source.id) }

    init(_ source: SourceRow, retention: Retention) {
        self.source = source
        self.retention = retention
    }

    /// Finds or creates the source. Throws ``HistoryError`` for a new source with a name that a query over HTTP could
    /// not have.
    init(name: String, retention: Retention, _ db: Database) throws {
        self.retention = retention
        if let found = try SourceRow.named(name, db) {
            source = found
        } else {
            guard Mark.isValid(name) else { throw HistoryError(.invalidSource, at: nil) }
            try db.run(
                "INSERT INTO source (name, keptFrom, deletedBefore) VALUES (?, ?, ?)", [name, Int64.min, Int64.min])
            guard let made = try SourceRow.named(name, db) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            (source, isNew) = (made, true)
        }
    }

    /// The start of the time to keep: the end of the window minus the retention.
    private func keptLimit(_ db: Database) throws -> Int64 {
        guard let newest = try acceptsLeap ? source.newest(db) : source.windowEnd(db),
            let limit = retention.limit(newest: newest)
        else {
            return source.keptFrom
        }
        return max(limit, source.keptFrom)
    }

    /// A leap moves the newest time ahead by more than this, in nanoseconds. It may be wrong. So the rows that it moves
    /// out of the retention stay in the file until as much time follows the leap.
    private static let leap: Int64 = 86_400_000_000_000

    /// The start of the rows to store: the start of the time to keep or, soon after a leap, the start before the leap.
    private func storedLimit(_ keptLimit: Int64, _ db: Database) throws -> Int64 {
        guard let length = retention.nanoseconds, let newest = try source.newest(db) else { return keptLimit }
        let leap = min(length, SourceWriter.leap)
        let before = try source.newest(before: newest - leap, db)
        if let before, let after = try source.oldest(from: newest - leap, db), after - before <= leap {
            return keptLimit
        }
        return min(keptLimit, max(source.deletedBefore, before.flatMap(retention.limit(newest:)) ?? .min))
    }

    // MARK: Adding

    /// Records events up to a latest time. Returns their numbers, their extent, and the steps at their end that no
    /// segment covers yet.
    mutating func record(
        _ events: some Sequence<MotionEvent>, pending: [Int64], latest: Int64, _ db: Database
    ) throws -> (outcome: RecordingOutcome, extent: Range<Int64>?, pending: [Int64]) {
        var late = LateRows(limit: try keptLimit(db))
        var builder = PatchBuilder(pending: pending, latest: latest)
        for event in events {
            if let patch = try builder.add(event, isFree: { try isFree($0, db) }) { try apply(patch, &late, db) }
        }
        if let patch = builder.finish() { try apply(patch, &late, db) }
        try add(uncovered: builder.uncovered + builder.pending, &late, db)
        if late.storedLimit != nil { try forget(late, db) }
        var outcome = RecordingOutcome()
        outcome.recorded = max(0, builder.added - late.count)
        (outcome.expired, outcome.refused, outcome.replaced) = (late.count, builder.refused, replaced)
        outcome.setAside = builder.setAside.count
        if outcome.setAside > 0 { outcome.latestSetAside = Timestamp(nanosecondsSince1970: builder.setAside.end) }
        return (outcome, builder.extent, builder.pending)
    }

    /// Whether the source holds nothing in a range.
    private func isFree(_ range: Range<Int64>, _ db: Database) throws -> Bool {
        try db.integer(
            """
            SELECT EXISTS (SELECT * FROM piece WHERE \(SpanTable.piece.overlap))
                OR EXISTS (SELECT * FROM step WHERE source = ?1 AND time >= ?2 AND time < ?3)
            """, [source.id, range.lowerBound, range.upperBound]) == 0
    }

    /// Rows of a recording that are older than the time to keep.
    private struct LateRows {
        /// The start of the time to keep.
        let limit: Int64
        /// The number of rows that end before the limit.
        var count = 0
        /// The start of the rows to store; nil until a row starts before the limit.
        var storedLimit: Int64?
        /// Whether a row is not stored.
        var hasDropped = false
    }

    /// Replaces the rows in a patch's range, as far as they are to be stored.
    private mutating func apply(_ patch: Patch, _ late: inout LateRows, _ db: Database) throws {
        guard !patch.pieces.isEmpty else { return try add(nonWear: patch.part(from: late.limit).nonWear, db) }
        guard patch.range.lowerBound < late.limit else { return try replace(patch.range, with: patch, db) }
        late.count += patch.count(before: late.limit)
        let stored = patch.part(from: try storedStart(from: patch.range.lowerBound, &late, db))
        if !stored.pieces.isEmpty { try replace(stored.range, with: stored, db) }
    }

    /// Returns the start of the rows to store, and notes whether a row starts before it.
    private func storedStart(from start: Int64, _ late: inout LateRows, _ db: Database) throws -> Int64 {
        let limit = try late.storedLimit ?? storedLimit(late.limit, db)
        late.storedLimit = limit
        late.hasDropped = late.hasDropped || start < limit
        return limit
    }

    private mutating func replace(_ range: Range<Int64>, with patch: Patch, _ db: Database) throws {
        added.coveredNanoseconds -= try SpanTable.segment.covered(range, source: source.id, db)
        added.coveredNanoseconds += patch.pieces.reduce(0) { $0 + $1.end - $1.start }
        let bounds: StatementArguments = [source.id, range.lowerBound, range.upperBound]
        if !patch.isEmpty { replaced += try stepsOnlyStored(in: bounds, patch.steps, db) }
        try db.run("DELETE FROM step WHERE source = ? AND time >= ? AND time < ?", bounds)
        added.steps -= Int64(db.changesCount)
        try insert(patch.steps, db)
        try bouts.refresh(range, db)
        _ = try SpanTable.piece.replace(range, with: patch.pieces, source: source.id, storedFrom: source.storedFrom, db)
        let changed = try SpanTable.segment.replace(
            range, with: patch.segments, source: source.id, storedFrom: source.storedFrom, db)
        // A segment may start long before the range, in a time without other changes.
        if changed.lowerBound < range.lowerBound {
            try refreshTotals(changed.lowerBound..<changed.lowerBound + 1, db)
        }
        try refreshTotals(range.lowerBound..<changed.upperBound, db)
        _ = try SpanTable.nonWear.replace(range, with: [], source: source.id, storedFrom: source.storedFrom, db)
        try add(nonWear: patch.nonWear, db)
    }

    /// The number of stored steps that are not among others, which are in the order of time.
    private func stepsOnlyStored(in bounds: StatementArguments, _ others: [Int64], _ db: Database) throws -> Int {
        var (rest, count) = (others[...], 0)
        _ = try db.rows("SELECT time FROM step WHERE source = ? AND time >= ? AND time < ? ORDER BY time", bounds) {
            let time = try $0.integer(0)
            rest = rest.drop { $0 < time }
            if rest.first != time { count += 1 }
        }
        return count
    }

    /// Adds spans of non-wear. The segments that they overlay are recorded.
    private func add(nonWear spans: [StoredSpan], _ db: Database) throws {
        for span in spans {
            _ = try SpanTable.nonWear.replace(
                span.start..<span.end, with: [span], source: source.id, storedFrom: source.storedFrom, db)
        }
    }

    private mutating func add(uncovered steps: [Int64], _ late: inout LateRows, _ db: Database) throws {
        guard let oldest = steps.min() else { return }
        late.count += steps.count { $0 < late.limit }
        let limit = oldest < late.limit ? try storedStart(from: oldest, &late, db) : oldest
        let stored = steps.filter { $0 >= limit }
        guard let first = stored.min(), let last = stored.max() else { return }
        try insert(stored, db)
        try SpanTable.updateFacts(overlapping: first..<last + 1, source: source.id, db)
        try refreshTotals(first..<last + 1, db)
        try bouts.refresh(first..<last + 1, db)
    }

    /// Recomputes the totals of a range. Those of the deleted rows count in no sum.
    private func refreshTotals(_ range: Range<Int64>, _ db: Database) throws {
        let start = max(range.lowerBound, source.storedFrom)
        try totals.refresh(start..<max(start, range.upperBound), db)
    }

    private mutating func insert(_ steps: [Int64], _ db: Database) throws {
        let before = db.totalChangesCount
        try db.insert(steps, source: source.id, "INSERT OR IGNORE INTO step (source, time)", columns: 1) {
            sqlite3_bind_int64($1, $2, $0)
        }
        added.steps += Int64(db.totalChangesCount - before)
    }

    /// Adds what the writer added to the total of everything recorded. Neither number falls: one of which the recording
    /// replaced more than it added stays.
    mutating func addToRecordedTotal(_ db: Database) throws {
        let before = source
        source.recorded.add(added)
        if source != before { try source.save(db) }
    }

    // MARK: Removing

    /// Removes all rows in a range.
    mutating func erase(_ range: Range<Int64>, _ db: Database) throws { try replace(range, with: Patch(), db) }

    /// Moves the start of the kept time forward to the limit, once something older exists.
    mutating func enforceRetention(_ db: Database) throws {
        let before = source
        let limit = try keptLimit(db)
        let isRolling = source.keptFrom != .min && source.deletedBefore <= source.keptFrom
        func isAnything(from start: Int64, before end: Int64) throws -> Bool {
            try start < end && (source.oldest(from: start, db) ?? .max) < end
        }
        if try limit > source.keptFrom && (isRolling || isAnything(from: source.keptFrom, before: limit)) {
            source.keptFrom = limit
        }
        let stored = try storedLimit(source.keptFrom, db)
        if try stored > source.deletedBefore && isAnything(from: source.storedFrom, before: stored) {
            source.deletedBefore = stored
        }
        if source != before { try source.save(db) }
    }

    /// Moves the start of the kept time forward over late rows.
    private mutating func forget(_ late: LateRows, _ db: Database) throws {
        source.keptFrom = late.limit
        if late.hasDropped { source.deletedBefore = max(source.deletedBefore, late.storedLimit ?? .min) }
        try source.save(db)
    }

    /// Moves the start of the kept time back over complete rows, after a deletion or for a longer retention.
    mutating func restore(_ db: Database) throws {
        guard try needsRelaxing(db), source.deletedBefore < source.keptFrom else { return }
        source.keptFrom = source.deletedBefore
        try source.save(db)
        try enforceRetention(db)
    }

    /// Deletes expired rows, at most about `limit` from each table. Returns whether all are deleted.
    func purge(limit: Int, _ db: Database) throws -> Bool {
        let end = source.storedFrom
        guard end != .min else { return true }
        try totals.purge(before: end, db)
        try MarkTable(source: source.id).purge(before: end, db)
        var isDone = true
        for (table, time, isOver) in [
            ("step", "time", "time < ?"), ("piece", "start", "end <= ?"), ("segment", "start", "end <= ?"),
            ("nonwear", "start", "end <= ?"), ("bout", "start", "end <= ?"),
        ] {
            let beyond = try db.integer(
                "SELECT \(time) FROM \(table) WHERE source = ? AND \(time) < ? ORDER BY \(time) LIMIT 1 OFFSET ?",
                [source.id, end, limit])
            isDone = isDone && beyond == nil
            try db.run(
                "DELETE FROM \(table) WHERE source = ? AND \(time) < ? AND \(isOver)",
                [source.id, beyond ?? end, end])
        }
        return isDone
    }

    /// Moves the start of the kept time back for a longer retention.
    ///
    /// - Precondition: All expired rows are deleted, see ``purge(limit:_:)``.
    mutating func relax(_ db: Database) throws {
        guard try needsRelaxing(db) else { return }
        for table in [SpanTable.piece, .segment] {
            try table.trim(to: source.keptFrom, source: source.id, db)
        }
        try SpanTable.updateFacts(overlapping: source.keptFrom..<source.keptFrom + 1, source: source.id, db)
        try bouts.refresh(source.keptFrom..<source.keptFrom + 1, db)
        // Earlier rows may be recorded now, so no total may count deleted ones.
        try totals.rebuild(db)
        source.keptFrom = try requiredStart(db)
        try source.save(db)
    }

    /// Whether the retention became longer since the start of the kept time was set.
    func needsRelaxing(_ db: Database) throws -> Bool { try requiredStart(db) < source.keptFrom }

    private func requiredStart(_ db: Database) throws -> Int64 {
        try source.newest(db).flatMap { retention.limit(newest: $0) } ?? .min
    }
}
