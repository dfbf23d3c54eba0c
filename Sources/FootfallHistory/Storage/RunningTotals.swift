internal import Footfall
internal import GRDB

/// Steps and covered time of ranges of one source, in O(log n). The table `total` has marks, 15 minutes apart. Each
/// holds the number of all steps before it, and the length of all segments that start before it. A mark exists where a
/// step or the start of a segment lies in the 15 minutes before it; elsewhere the mark before it holds the same sums.
/// The sum of a range is the difference of the sums up to its ends. The sum up to a moment is that of the next mark,
/// minus the rows between the moment and the mark, and minus the later part of a segment that spans the moment.
/// Segments of a source do not overlap, so at most one spans it. The retention deletes rows from the oldest on, so it
/// changes no difference.
struct RunningTotals {
    struct Sum: Equatable {
        var steps: Int64 = 0
        var coveredNanoseconds: Int64 = 0

        /// Adds the positive numbers of a recording.
        mutating func add(_ other: Sum) {
            func sum(_ left: Int64, _ right: Int64) -> Int64 {
                // The supported time, recorded twice, is longer than the largest integer.
                left.addingReportingOverflow(max(0, right)).overflow ? .max : left + max(0, right)
            }
            steps = sum(steps, other.steps)
            coveredNanoseconds = sum(coveredNanoseconds, other.coveredNanoseconds)
        }

        static func - (left: Sum, right: Sum) throws -> Sum {
            let steps = left.steps.subtractingReportingOverflow(right.steps)
            let covered = left.coveredNanoseconds.subtractingReportingOverflow(right.coveredNanoseconds)
            guard !steps.overflow, !covered.overflow else { throw DatabaseError.damaged("a sum is out of range") }
            return Sum(steps: steps.partialValue, coveredNanoseconds: covered.partialValue)
        }
    }

    /// A stored sum. Throws an error for damage if a number is negative.
    static func stored(steps: Int64, covered: Int64) throws -> Sum {
        guard steps >= 0, covered >= 0 else { throw DatabaseError.damaged("a sum is negative") }
        return Sum(steps: steps, coveredNanoseconds: covered)
    }

    /// The distance of the marks in nanoseconds, 15 min. The offsets of almost all time zones are multiples of it, so
    /// local hours and days begin and end at marks.
    private static let width: Int64 = 900_000_000_000

    let source: Int64

    // MARK: Sums

    /// The steps in a range in which the retention has deleted nothing, and the time of it that segments cover.
    func sum(_ range: Range<Int64>, _ db: Database) throws -> Sum {
        guard !range.isEmpty else { return Sum() }
        let sum = try sum(before: range.upperBound, db) - sum(before: range.lowerBound, db)
        let length = Int64(range.count)
        guard (0...length).contains(sum.steps), (0...length).contains(sum.coveredNanoseconds) else {
            throw DatabaseError.damaged("a sum is larger than its range")
        }
        return sum
    }

    private func sum(before moment: Int64, _ db: Database) throws -> Sum {
        let mark = RunningTotals.mark(after: moment - 1)
        var rest = Sum()
        if moment < mark {
            let steps = try db.integer(
                "SELECT count(*) FROM step WHERE source = ? AND time >= ? AND time < ?", [source, moment, mark])
            let covered = try db.integer(
                "SELECT sum(end - start) FROM segment WHERE source = ? AND start >= ? AND start < ?",
                [source, moment, mark])
            rest = Sum(steps: steps ?? 0, coveredNanoseconds: covered ?? 0)
        }
        let end = try db.moment(
            "SELECT end FROM segment WHERE source = ? AND start < ? ORDER BY start DESC LIMIT 1", [source, moment])
        let overhang = Sum(coveredNanoseconds: end.map { max(0, $0 - moment) } ?? 0)
        return try total(upTo: mark, db) - rest - overhang
    }

    /// The sum at the last mark up to a moment.
    private func total(upTo moment: Int64, _ db: Database) throws -> Sum {
        try db.row(
            "SELECT steps, covered FROM total WHERE source = ? AND moment <= ? ORDER BY moment DESC LIMIT 1",
            [source, moment]
        ).map { try Self.stored(steps: $0.integer(0), covered: $0.integer(1)) } ?? Sum()
    }

    // MARK: Updates

    /// Recomputes the marks of a range in which steps, or the starts of segments, changed, and moves those after it by
    /// the difference. `range` is a range in which the retention has deleted nothing. Takes time linear in the steps
    /// and segments of the range and in the marks after it.
    func refresh(_ range: Range<Int64>, _ db: Database) throws {
        guard !range.isEmpty else { return }
        let first = RunningTotals.mark(after: range.lowerBound)
        let last = RunningTotals.mark(after: range.upperBound - 1)
        let (start, old) = (try total(upTo: first - 1, db), try total(upTo: last, db))
        try db.run("DELETE FROM total WHERE source = ? AND moment >= ? AND moment <= ?", [source, first, last])
        try db.run(
            "INSERT INTO total (source, moment, steps, covered) \(RunningTotals.marks)",
            [
                source, first - RunningTotals.width, last, RunningTotals.origin, RunningTotals.width,
                start.steps, start.coveredNanoseconds,
            ])
        let change = try total(upTo: last, db) - old
        guard change.steps != 0 || change.coveredNanoseconds != 0 else { return }
        try db.run(
            "UPDATE total SET steps = steps + ?, covered = covered + ? WHERE source = ? AND moment > ?",
            [change.steps, change.coveredNanoseconds, source, last])
    }

    /// Computes all marks from the rows.
    func rebuild(_ db: Database) throws { try refresh(StoredTime.first..<StoredTime.end, db) }

    /// The marks of source ?1 for its rows in ?2..<?3, where ?6 and ?7 are the sums before.
    private static let marks = """
        SELECT ?1, moment, ?6 + sum(sum(steps)) OVER (ORDER BY moment), ?7 + sum(sum(covered)) OVER (ORDER BY moment)
        FROM (
            SELECT ?4 + ((time - ?4) / ?5 + 1) * ?5 AS moment, count(*) AS steps, 0 AS covered
            FROM step WHERE source = ?1 AND time >= ?2 AND time < ?3 GROUP BY moment
            UNION ALL
            SELECT ?4 + ((start - ?4) / ?5 + 1) * ?5 AS moment, 0, sum(end - start)
            FROM segment WHERE source = ?1 AND start >= ?2 AND start < ?3 GROUP BY moment
        ) GROUP BY moment
        """

    /// Removes the marks that no sum from a moment on needs.
    func purge(before moment: Int64, _ db: Database) throws {
        try db.run(
            """
            DELETE FROM total WHERE source = ?1
                AND moment < (SELECT max(moment) FROM total WHERE source = ?1 AND moment <= ?2)
            """, [source, RunningTotals.mark(after: moment - 1)])
    }

    // MARK: Check

    /// Whether the marks after a moment, from which on the retention has deleted nothing, have the sums of their rows.
    func matchesRows(from moment: Int64, _ db: Database) throws -> Bool {
        // The marks up to here may count deleted rows.
        let first = RunningTotals.mark(after: max(moment, StoredTime.first) - 1)
        let start = try total(upTo: first, db)
        let stored = "SELECT ?1, moment, steps, covered FROM total WHERE source = ?1 AND moment > ?2"
        let difference = try db.integer(
            """
            WITH expected AS (\(RunningTotals.marks)), stored AS (\(stored))
            SELECT 1 WHERE EXISTS (SELECT * FROM expected EXCEPT SELECT * FROM stored)
                OR EXISTS (SELECT * FROM stored EXCEPT SELECT * FROM expected)
            """,
            [
                source, first, StoredTime.end, RunningTotals.origin, RunningTotals.width,
                start.steps, start.coveredNanoseconds,
            ])
        return difference == nil
    }

    // MARK: Marks

    /// The time from which the marks count. No supported time is earlier.
    private static let origin = StoredTime.first

    private static func mark(after moment: Int64) -> Int64 { origin + ((moment - origin) / width + 1) * width }
}
