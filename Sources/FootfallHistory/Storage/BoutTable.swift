internal import Footfall
internal import GRDB

/// The bouts of one source, with the default gap. An answer about a range reads them instead of the steps. A row
/// reaches from the first step to a nanosecond after the last one. It stays as it is when the retention removes the
/// first steps of its bout. If a range cuts a bout, the answer counts the steps in the range.
struct BoutTable {
    let source: Int64
    private static let gap = Int64(clamping: Bout.defaultGap * 1e9)

    /// The columns that ``StoredSpan`` reads.
    private static let columns = "start, end, 0, NULL, steps, 0.0"

    /// The bouts in a range, in which the retention has deleted nothing. The range cuts the first and the last one.
    func bouts(in range: Range<Int64>, _ db: Database) throws -> [Bout] {
        let rows = try db.rows(
            "SELECT \(Self.columns) FROM bout WHERE \(SpanTable.overlap("bout")) ORDER BY start",
            [source, range.lowerBound, range.upperBound], StoredSpan.init)
        try rows.checkOrder()
        return try rows.compactMap { try stored($0, in: range, db) }
    }

    /// The part of a row in a range, without reading steps if that is all of it.
    private func stored(_ row: StoredSpan, in range: Range<Int64>, _ db: Database) throws -> Bout? {
        let bout = Bout(range: Range(row.start..<row.end - 1), steps: Int(row.steps))
        return row.start < range.lowerBound || row.end > range.upperBound ? try part(of: bout, in: range, db) : bout
    }

    /// The steps of a bout in a range; nil without any.
    func part(of bout: Bout, in range: Range<Int64>, _ db: Database) throws -> Bout? {
        let start = max(bout.range.lowerBound.nanosecondsSince1970, range.lowerBound)
        let end = min(bout.range.upperBound.nanosecondsSince1970 + 1, range.upperBound)
        let row = try db.row(
            "SELECT count(*), min(time), max(time) FROM step WHERE source = ? AND time >= ? AND time < ?",
            [source, start, end])
        guard let row, case let steps = try row.integer(0), steps > 0 else { return nil }
        return Bout(range: Range(try row.moment(1)..<row.moment(2)), steps: Int(steps))
    }

    /// Recomputes the bouts of a range in which steps changed, with those that they may join. Takes time linear in the
    /// steps of the range and of a bout that reaches out of it.
    func refresh(_ range: Range<Int64>, _ db: Database) throws {
        guard !range.isEmpty else { return }
        let left = try last(startingBefore: range.lowerBound, db).flatMap { bout in
            bout.end > range.lowerBound - Self.gap ? bout : nil
        }
        let right = try last(startingBefore: range.upperBound + Self.gap, db).flatMap { bout in
            bout.end > range.upperBound ? bout : nil
        }
        var bouts: [Bout] = []
        if let left, let part = try stored(left, in: .min..<range.lowerBound, db) { bouts.join(part) }
        for bout in try computed(in: range, db) { bouts.join(bout) }
        if let right, let part = try stored(right, in: range.upperBound..<right.end, db) { bouts.join(part) }
        try db.run(
            "DELETE FROM bout WHERE source = ? AND start >= ? AND start < ?",
            [source, left?.start ?? range.lowerBound, max(right?.end ?? .min, range.upperBound)])
        for bout in bouts {
            try db.run(
                "INSERT INTO bout (source, start, end, steps) VALUES (?, ?, ?, ?)",
                [
                    source, bout.range.lowerBound.nanosecondsSince1970,
                    bout.range.upperBound.nanosecondsSince1970 + 1, bout.steps,
                ])
        }
    }

    private func last(startingBefore moment: Int64, _ db: Database) throws -> StoredSpan? {
        try db.row(
            "SELECT \(Self.columns) FROM bout WHERE source = ? AND start < ? ORDER BY start DESC LIMIT 1",
            [source, moment]
        ).map(StoredSpan.init)
    }

    /// The bouts of the steps in a range.
    private func computed(in range: Range<Int64>, _ db: Database) throws -> [Bout] {
        var bouts: [Bout] = []
        try db.integers(
            "SELECT time FROM step WHERE source = ? AND time >= ? AND time < ? ORDER BY time",
            [source, range.lowerBound, range.upperBound]
        ) { moment in
            let time = Timestamp(nanosecondsSince1970: moment)
            // A damaged table may have them in another order.
            guard bouts.last.map({ $0.range.upperBound <= time }) ?? true else {
                throw DatabaseError.damaged("steps are out of order")
            }
            bouts.add(time)
        }
        return bouts
    }

    /// Whether the bouts after a moment, from which on the retention has deleted nothing, are those of the steps.
    func matchesSteps(from moment: Int64, _ db: Database) throws -> Bool {
        let range = max(moment, StoredTime.first)..<StoredTime.end
        return try bouts(in: range, db) == computed(in: range, db)
    }
}
