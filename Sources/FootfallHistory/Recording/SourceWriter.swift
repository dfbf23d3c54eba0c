internal import Footfall
internal import GRDB
internal import GRDBSQLite

/// Applies recordings to one source, inside a transaction.
struct SourceWriter {
    private(set) var source: SourceRow
    let retention: Retention
    private var expired = 0
    private var tally: Tally { Tally(source: source.id) }

    init(_ source: SourceRow, retention: Retention) {
        self.source = source
        self.retention = retention
    }

    /// Finds the source, or makes it.
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

    /// The moment before which nothing may be recorded: the newest time so far less the retention.
    private mutating func limit(_ db: Database) throws -> Int64 {
        guard let newest = try source.newest(db), let cut = retention.cut(newest: newest) else { return source.cut }
        return max(cut, source.cut)
    }

    // MARK: Adding

    /// Records events. Returns what came of them, from when to when they were, and the steps at their end that no
    /// segment has covered yet.
    mutating func record(
        _ events: some Sequence<MotionEvent>, waiting: [Int64], _ db: Database
    ) throws -> (outcome: RecordingOutcome, extent: Range<Int64>?, waiting: [Int64]) {
        let limit = try limit(db)
        expired = 0
        var builder = PatchBuilder(waiting: waiting)
        for event in events {
            if let patch = builder.take(event) { try apply(patch, from: limit, db) }
        }
        if let patch = builder.finish() { try apply(patch, from: limit, db) }
        try add(loose: builder.loose + builder.waiting, from: limit, db)
        if expired > 0 { try forget(before: limit, db) }
        let outcome = RecordingOutcome(
            recorded: max(0, builder.taken - expired), expired: expired, refused: builder.refused)
        return (outcome, builder.extent, builder.waiting)
    }

    /// Makes a patch all there is to say about its range, as far as that is not forgotten already.
    private mutating func apply(_ patch: Patch, from limit: Int64, _ db: Database) throws {
        guard patch.range.lowerBound < limit else { return try replace(patch.range, with: patch, db) }
        var late = Patch()
        for var piece in patch.pieces where piece.end > limit {
            piece.start = max(piece.start, limit)
            late.pieces.append(piece)
        }
        late.steps = patch.steps.filter { $0 >= limit }
        // At least one, as the patch begins too early.
        expired += max(1, patch.pieces.count - late.pieces.count + patch.steps.count - late.steps.count)
        if !late.pieces.isEmpty { try replace(late.range, with: late, db) }
    }

    private func replace(_ range: Range<Int64>, with patch: Patch, _ db: Database) throws {
        try db.run(
            "DELETE FROM step WHERE source = ? AND time >= ? AND time < ?",
            [source.id, range.lowerBound, range.upperBound])
        try insert(patch.steps, db)
        _ = try Timeline.piece.replace(range, with: patch.pieces, source: source.id, cut: source.cut, db)
        let changed = try Timeline.segment.replace(
            range, with: patch.segments, source: source.id, cut: source.cut, db)
        // A segment may start long before the range; only the node it starts in has changed there.
        if changed.lowerBound < range.lowerBound {
            try tally.refresh(changed.lowerBound..<changed.lowerBound + 1, db)
        }
        try tally.refresh(range.lowerBound..<changed.upperBound, db)
    }

    /// Adds steps of which no segment says anything.
    private mutating func add(loose steps: [Int64], from limit: Int64, _ db: Database) throws {
        let kept = steps.filter { $0 >= limit }
        expired += steps.count - kept.count
        guard let first = kept.min(), let last = kept.max() else { return }
        try insert(kept, db)
        try tally.refresh(first..<last + 1, db)
    }

    private func insert(_ steps: [Int64], _ db: Database) throws {
        try db.insert(steps, source: source.id, "INSERT OR IGNORE INTO step (source, time)", columns: 1) {
            sqlite3_bind_int64($1, $2, $0)
        }
    }

    // MARK: Removing

    /// Removes what is said about a range; the time in it is as if never covered.
    func erase(_ range: Range<Int64>, _ db: Database) throws {
        try replace(range, with: Patch(), db)
    }

    /// Moves the cut to where the retention wants it, once something older is there to be forgotten.
    mutating func enforceRetention(_ db: Database) throws {
        let limit = try limit(db)
        guard limit > source.cut else { return }
        let hasForgotten = source.lost == source.cut && source.cut != .min
        guard try hasForgotten || (source.oldest(db) ?? .max) < limit else { return }
        try forget(before: limit, db)
    }

    private mutating func forget(before limit: Int64, _ db: Database) throws {
        source.cut = limit
        source.lost = max(source.lost, limit)
        try source.save(db)
    }

    /// Deletes rows that no longer count, at most about `limit` of each kind. Returns whether all are gone.
    func purge(limit: Int, _ db: Database) throws -> Bool {
        guard source.cut != .min else { return true }
        var isDone = try tally.forget(before: source.cut, limit: limit, db)
        for (table, time, isOver) in [
            ("step", "time", "time < ?"), ("piece", "start", "end <= ?"), ("segment", "start", "end <= ?"),
        ] {
            let beyond = try db.integer(
                "SELECT \(time) FROM \(table) WHERE source = ? AND \(time) < ? ORDER BY \(time) LIMIT 1 OFFSET ?",
                [source.id, source.cut, limit])
            isDone = isDone && beyond == nil
            try db.run(
                "DELETE FROM \(table) WHERE source = ? AND \(time) < ? AND \(isOver)",
                [source.id, beyond ?? source.cut, source.cut])
        }
        return isDone
    }

    /// Moves the cut back to where a longer retention wants it. What was forgotten stays forgotten.
    ///
    /// All rows that no longer count must be gone.
    mutating func relax(_ db: Database) throws {
        guard try wantsToRelax(db) else { return }
        for timeline in [Timeline.piece, .segment] {
            for start in try timeline.trim(to: source.cut, source: source.id, db) {
                try tally.refresh(start..<start + 1, db)
            }
        }
        try tally.refresh(source.cut..<source.cut + 1, db)
        source.cut = try wantedCut(db)
        try source.save(db)
    }

    /// Whether the retention has become longer since the cut was made.
    func wantsToRelax(_ db: Database) throws -> Bool { try wantedCut(db) < source.cut }

    private func wantedCut(_ db: Database) throws -> Int64 {
        try source.newest(db).flatMap { retention.cut(newest: $0) } ?? .min
    }
}
