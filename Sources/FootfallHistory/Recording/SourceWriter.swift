internal import Footfall
internal import GRDB
internal import GRDBSQLite

/// Applies recordings to one source. All methods run inside a transaction.
struct SourceWriter {
    private(set) var source: SourceRow
    let retention: Retention
    private var expired = 0
    private var pyramid: CountPyramid { CountPyramid(source: source.id) }

    init(_ source: SourceRow, retention: Retention) {
        self.source = source
        self.retention = retention
    }

    /// Finds or creates the source.
    init(name: String, retention: Retention, _ db: Database) throws {
        self.retention = retention
        if let found = try SourceRow.named(name, db) {
            source = found
        } else {
            try db.run("INSERT INTO source (name, cut, lost) VALUES (?, ?, ?)", [name, Int64.min, Int64.min])
            guard let made = try SourceRow.named(name, db) else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            source = made
        }
    }

    /// The earliest time that may be recorded: the newest time minus the retention.
    private func limit(_ db: Database) throws -> Int64 {
        guard let newest = try source.newest(db), let limit = retention.limit(newest: newest) else {
            return source.keptFrom
        }
        return max(limit, source.keptFrom)
    }

    // MARK: Adding

    /// Records events. Returns their numbers, their extent, and the steps at their end that no segment covers yet.
    mutating func record(
        _ events: some Sequence<MotionEvent>, pending: [Int64], _ db: Database
    ) throws -> (outcome: RecordingOutcome, extent: Range<Int64>?, pending: [Int64]) {
        let limit = try limit(db)
        expired = 0
        var builder = PatchBuilder(pending: pending)
        for event in events {
            if let patch = builder.add(event) { try apply(patch, from: limit, db) }
        }
        if let patch = builder.finish() { try apply(patch, from: limit, db) }
        try add(uncovered: builder.uncovered + builder.pending, from: limit, db)
        if expired > 0 { try forget(before: limit, db) }
        let outcome = RecordingOutcome(
            recorded: max(0, builder.added - expired), expired: expired, refused: builder.refused)
        return (outcome, builder.extent, builder.pending)
    }

    /// Replaces the rows in a patch's range, as far as it is not older than the limit.
    private mutating func apply(_ patch: Patch, from limit: Int64, _ db: Database) throws {
        guard patch.range.lowerBound < limit else { return try replace(patch.range, with: patch, db) }
        var late = Patch()
        for var piece in patch.pieces where piece.end > limit {
            piece.start = max(piece.start, limit)
            late.pieces.append(piece)
        }
        late.steps = patch.steps.filter { $0 >= limit }
        // At least one: the patch starts before the limit, if only with a part of its first piece.
        expired += max(1, patch.pieces.count - late.pieces.count + patch.steps.count - late.steps.count)
        if !late.pieces.isEmpty { try replace(late.range, with: late, db) }
    }

    private func replace(_ range: Range<Int64>, with patch: Patch, _ db: Database) throws {
        try db.run(
            "DELETE FROM step WHERE source = ? AND time >= ? AND time < ?",
            [source.id, range.lowerBound, range.upperBound])
        try insert(patch.steps, db)
        _ = try SpanTable.piece.replace(range, with: patch.pieces, source: source.id, keptFrom: source.keptFrom, db)
        let changed = try SpanTable.segment.replace(
            range, with: patch.segments, source: source.id, keptFrom: source.keptFrom, db)
        // A segment may start long before the range. There only the node of its start changes.
        if changed.lowerBound < range.lowerBound {
            try pyramid.refresh(changed.lowerBound..<changed.lowerBound + 1, db)
        }
        try pyramid.refresh(range.lowerBound..<changed.upperBound, db)
    }

    /// Adds steps outside segments.
    private mutating func add(uncovered steps: [Int64], from limit: Int64, _ db: Database) throws {
        let kept = steps.filter { $0 >= limit }
        expired += steps.count - kept.count
        guard let first = kept.min(), let last = kept.max() else { return }
        try insert(kept, db)
        try pyramid.refresh(first..<last + 1, db)
    }

    private func insert(_ steps: [Int64], _ db: Database) throws {
        try db.insert(steps, source: source.id, "INSERT OR IGNORE INTO step (source, time)", columns: 1) {
            sqlite3_bind_int64($1, $2, $0)
        }
    }

    // MARK: Removing

    /// Removes all rows in a range.
    func erase(_ range: Range<Int64>, _ db: Database) throws {
        try replace(range, with: Patch(), db)
    }

    /// Moves the start of the kept time forward to the limit, once something older exists.
    mutating func enforceRetention(_ db: Database) throws {
        let limit = try limit(db)
        guard limit > source.keptFrom else { return }
        let hasForgotten = source.forgottenBefore == source.keptFrom && source.keptFrom != .min
        guard try hasForgotten || (source.oldest(db) ?? .max) < limit else { return }
        try forget(before: limit, db)
    }

    private mutating func forget(before limit: Int64, _ db: Database) throws {
        source.keptFrom = limit
        source.forgottenBefore = max(source.forgottenBefore, limit)
        try source.save(db)
    }

    /// Deletes expired rows, at most about `limit` from each table. Returns whether all are deleted.
    func purge(limit: Int, _ db: Database) throws -> Bool {
        guard source.keptFrom != .min else { return true }
        var isDone = try pyramid.purge(before: source.keptFrom, limit: limit, db)
        for (table, time, isOver) in [
            ("step", "time", "time < ?"), ("piece", "start", "end <= ?"), ("segment", "start", "end <= ?"),
        ] {
            let beyond = try db.integer(
                "SELECT \(time) FROM \(table) WHERE source = ? AND \(time) < ? ORDER BY \(time) LIMIT 1 OFFSET ?",
                [source.id, source.keptFrom, limit])
            isDone = isDone && beyond == nil
            try db.run(
                "DELETE FROM \(table) WHERE source = ? AND \(time) < ? AND \(isOver)",
                [source.id, beyond ?? source.keptFrom, source.keptFrom])
        }
        return isDone
    }

    /// Moves the start of the kept time back for a longer retention.
    ///
    /// - Precondition: All expired rows are deleted, see ``purge(limit:_:)``.
    mutating func relax(_ db: Database) throws {
        guard try needsRelaxing(db) else { return }
        for table in [SpanTable.piece, .segment] {
            if let start = try table.trim(to: source.keptFrom, source: source.id, db) {
                try pyramid.refresh(start..<start + 1, db)
            }
        }
        try pyramid.refresh(source.keptFrom..<source.keptFrom + 1, db)
        source.keptFrom = try requiredStart(db)
        try source.save(db)
    }

    /// Whether the retention became longer since the start of the kept time was set.
    func needsRelaxing(_ db: Database) throws -> Bool { try requiredStart(db) < source.keptFrom }

    private func requiredStart(_ db: Database) throws -> Int64 {
        try source.newest(db).flatMap { retention.limit(newest: $0) } ?? .min
    }
}
