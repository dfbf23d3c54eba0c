internal import Footfall
internal import GRDB

/// Steps and covered time of ranges of one source, in O(log n).
///
/// The table `tally` is a pyramid of sums. A node of the lowest level covers a minute; a node of each level above sums
/// the nodes inside it. A range consists of whole nodes, the largest that fit, and of two remainders shorter than a
/// minute, whose rows are counted.
///
/// The node in which a segment *starts* holds the segment's whole length, so a night at rest changes one node. The sum
/// over a range is then corrected at both ends: segments of a source do not overlap, so at most one reaches over each.
struct CountPyramid {
    struct Sum {
        var steps: Int64 = 0
        var coveredNanoseconds: Int64 = 0
    }

    /// Node widths in nanoseconds: 1 min, 15 min, 4 h, 64 h, 43 days, 683 days. The offsets of almost all time zones
    /// are multiples of 15 min, so local hours and days consist of whole nodes.
    private static let widths: [Int64] = [1, 15, 16, 16, 16, 16].reduce(into: []) { widths, factor in
        widths.append((widths.last ?? 60_000_000_000) * factor)
    }

    /// The start of node 0 of every level. No supported time is earlier, so node numbers are not negative.
    private static let origin = Timestamp.supported.lowerBound.nanosecondsSince1970

    let source: Int64

    // MARK: Sums

    /// The steps in a range, and the time of it that segments cover.
    func sum(_ range: Range<Int64>, _ db: Database) throws -> Sum {
        guard !range.isEmpty else { return Sum() }
        var sum = Sum()
        let (first, last) = CountPyramid.wholeNodes(in: range, level: 0)
        if first >= last {
            try add(rows: range, to: &sum, db)
        } else {
            try add(rows: range.lowerBound..<CountPyramid.start(of: first, level: 0), to: &sum, db)
            try add(nodes: first..<last, level: 0, to: &sum, db)
            try add(rows: CountPyramid.start(of: last, level: 0)..<range.upperBound, to: &sum, db)
        }
        try CountPyramid.add(overhang(at: range.lowerBound, db), to: &sum.coveredNanoseconds)
        sum.coveredNanoseconds -= try overhang(at: range.upperBound, db)
        let length = Int64(range.count)
        guard (0...length).contains(sum.steps), (0...length).contains(sum.coveredNanoseconds) else {
            throw DatabaseError.damaged("a sum is larger than its range")
        }
        return sum
    }

    private func add(rows range: Range<Int64>, to sum: inout Sum, _ db: Database) throws {
        guard !range.isEmpty else { return }
        try CountPyramid.add(steps(range, db), to: &sum.steps)
        let covered = try db.integer(
            "SELECT sum(end - start) FROM segment WHERE source = ? AND start >= ? AND start < ?",
            [source, range.lowerBound, range.upperBound])
        try CountPyramid.add(covered ?? 0, to: &sum.coveredNanoseconds)
    }

    private func add(nodes: Range<Int64>, level: Int, to sum: inout Sum, _ db: Database) throws {
        guard !nodes.isEmpty else { return }
        if level + 1 < CountPyramid.widths.count {
            let factor = CountPyramid.widths[level + 1] / CountPyramid.widths[level]
            let first = (nodes.lowerBound + factor - 1) / factor
            let last = nodes.upperBound / factor
            if first < last {
                try add(row: nodes.lowerBound..<first * factor, level: level, to: &sum, db)
                try add(nodes: first..<last, level: level + 1, to: &sum, db)
                try add(row: last * factor..<nodes.upperBound, level: level, to: &sum, db)
                return
            }
        }
        try add(row: nodes, level: level, to: &sum, db)
    }

    /// Adds consecutive nodes of one level.
    private func add(row nodes: Range<Int64>, level: Int, to sum: inout Sum, _ db: Database) throws {
        guard !nodes.isEmpty else { return }
        let row = try db.row(
            """
            SELECT ifnull(sum(steps), 0), ifnull(sum(covered), 0) FROM tally
            WHERE source = ? AND level = ? AND node >= ? AND node < ?
            """, [source, level, nodes.lowerBound, nodes.upperBound])
        try CountPyramid.add(row?.integer(0) ?? 0, to: &sum.steps)
        try CountPyramid.add(row?.integer(1) ?? 0, to: &sum.coveredNanoseconds)
    }

    /// Adds a stored number to a sum.
    private static func add(_ number: Int64, to sum: inout Int64) throws {
        let (total, overflow) = sum.addingReportingOverflow(number)
        guard number >= 0, !overflow else { throw DatabaseError.damaged("a sum is out of range") }
        sum = total
    }

    private func steps(_ range: Range<Int64>, _ db: Database) throws -> Int64 {
        try db.integer(
            "SELECT count(*) FROM step WHERE source = ? AND time >= ? AND time < ?",
            [source, range.lowerBound, range.upperBound]) ?? 0
    }

    /// The length beyond a moment of the last segment that starts before it.
    private func overhang(at moment: Int64, _ db: Database) throws -> Int64 {
        let end = try db.moment(
            "SELECT end FROM segment WHERE source = ? AND start < ? ORDER BY start DESC LIMIT 1", [source, moment])
        return end.map { max(0, $0 - moment) } ?? 0
    }

    // MARK: Updates

    /// Recomputes the nodes of a range in which steps, or the starts of segments, changed.
    func refresh(_ range: Range<Int64>, _ db: Database) throws {
        guard !range.isEmpty else { return }
        var first = CountPyramid.node(at: range.lowerBound)
        var last = CountPyramid.node(at: range.upperBound - 1)
        for level in CountPyramid.widths.indices {
            try db.run(
                "DELETE FROM tally WHERE source = ? AND level = ? AND node >= ? AND node <= ?",
                [source, level, first, last])
            if level == 0 {
                try refreshMinutes(first...last, db)
            } else {
                let factor = CountPyramid.widths[level] / CountPyramid.widths[level - 1]
                try db.run(
                    """
                    INSERT INTO tally (source, level, node, steps, covered)
                    SELECT source, level + 1, node / ?5, sum(steps), sum(covered) FROM tally
                    WHERE source = ?1 AND level = ?2 AND node >= ?3 AND node < ?4 GROUP BY node / ?5
                    """, [source, level - 1, first * factor, (last + 1) * factor, factor])
            }
            guard level + 1 < CountPyramid.widths.count else { break }
            let factor = CountPyramid.widths[level + 1] / CountPyramid.widths[level]
            first /= factor
            last /= factor
        }
    }

    private func refreshMinutes(_ nodes: ClosedRange<Int64>, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO tally (source, level, node, steps, covered)
            SELECT ?1, 0, node, sum(steps), sum(covered) FROM (
                SELECT (time - ?4) / ?5 AS node, count(*) AS steps, 0 AS covered
                FROM step WHERE source = ?1 AND time >= ?2 AND time < ?3 GROUP BY node
                UNION ALL
                SELECT (start - ?4) / ?5 AS node, 0, sum(end - start)
                FROM segment WHERE source = ?1 AND start >= ?2 AND start < ?3 GROUP BY node
            ) GROUP BY node
            """,
            [
                source, CountPyramid.start(of: nodes.lowerBound, level: 0),
                CountPyramid.start(of: nodes.upperBound + 1, level: 0),
                CountPyramid.origin, CountPyramid.widths[0],
            ])
    }

    /// Removes nodes that end before a moment, at most `limit` of each level. Returns whether all are removed.
    func purge(before moment: Int64, limit: Int, _ db: Database) throws -> Bool {
        var isDone = true
        for (level, width) in CountPyramid.widths.enumerated() {
            let end = (moment - CountPyramid.origin) / width
            let beyond = try db.integer(
                "SELECT node FROM tally WHERE source = ? AND level = ? AND node < ? ORDER BY node LIMIT 1 OFFSET ?",
                [source, level, end, limit])
            isDone = isDone && beyond == nil
            try db.run(
                "DELETE FROM tally WHERE source = ? AND level = ? AND node < ?", [source, level, beyond ?? end])
        }
        return isDone
    }

    // MARK: The total of everything recorded

    /// The level of one more node, which sums everything that was ever recorded, see ``RecordedTotal``. The levels of
    /// the pyramid do not depend on it, and the retention leaves it.
    private static let recordedLevel = -1

    /// The sum of everything that was ever recorded; nil for a source from a time without totals.
    func recordedTotal(_ db: Database) throws -> Sum? {
        try db.row("SELECT steps, covered FROM tally WHERE source = ? AND level = ?", [source, Self.recordedLevel])
            .map { row in
                var total = Sum()
                try CountPyramid.add(row.integer(0), to: &total.steps)
                try CountPyramid.add(row.integer(1), to: &total.coveredNanoseconds)
                return total
            }
    }

    /// Stores a total, unless the source has one.
    func startRecordedTotal(with sum: @autoclosure () throws -> Sum, _ db: Database) throws {
        guard try recordedTotal(db) == nil else { return }
        let sum = try sum()
        try db.run(
            "INSERT INTO tally (source, level, node, steps, covered) VALUES (?, ?, 0, ?, ?)",
            [source, Self.recordedLevel, sum.steps, sum.coveredNanoseconds])
    }

    /// Adds what a recording added to a source. A recording that replaced more than it added changes nothing.
    func addToRecordedTotal(_ sum: Sum, _ db: Database) throws {
        // The sums stay at the largest integer: the supported time, recorded twice, is longer.
        try db.run(
            """
            UPDATE tally SET steps = steps + min(?3, ?5 - steps), covered = covered + min(?4, ?5 - covered)
            WHERE source = ?1 AND level = ?2
            """, [source, Self.recordedLevel, max(0, sum.steps), max(0, sum.coveredNanoseconds), Int64.max])
    }

    // MARK: Check

    /// Whether the nodes that begin at or after a moment have the sums of their rows.
    func matchesRows(from moment: Int64, _ db: Database) throws -> Bool {
        let start = max(moment, CountPyramid.origin)
        for (level, width) in CountPyramid.widths.enumerated() {
            let first = (start - CountPyramid.origin + width - 1) / width
            let factor = level == 0 ? 0 : width / CountPyramid.widths[level - 1]
            let expected = level == 0 ? CountPyramid.minutes : CountPyramid.sumsOfLevelBelow
            let stored = "SELECT node, steps, covered FROM tally WHERE source = ?1 AND level = ?2 AND node >= ?3"
            let difference = try db.integer(
                """
                WITH expected AS (\(expected)), stored AS (\(stored))
                SELECT 1 WHERE EXISTS (SELECT * FROM expected EXCEPT SELECT * FROM stored)
                    OR EXISTS (SELECT * FROM stored EXCEPT SELECT * FROM expected)
                """,
                level == 0
                    ? [source, level, first, width, CountPyramid.origin, CountPyramid.origin + first * width]
                    : [source, level, first, factor])
            if difference != nil { return false }
        }
        return true
    }

    private static let minutes = """
        SELECT node, sum(steps), sum(covered) FROM (
            SELECT (time - ?5) / ?4 AS node, count(*) AS steps, 0 AS covered
            FROM step WHERE source = ?1 AND time >= ?6 GROUP BY node
            UNION ALL
            SELECT (start - ?5) / ?4 AS node, 0, sum(end - start)
            FROM segment WHERE source = ?1 AND start >= ?6 GROUP BY node
        ) GROUP BY node
        """

    private static let sumsOfLevelBelow = """
        SELECT node / ?4, sum(steps), sum(covered) FROM tally
        WHERE source = ?1 AND level = ?2 - 1 AND node >= ?3 * ?4 GROUP BY node / ?4
        """

    // MARK: Node positions

    private static func node(at moment: Int64) -> Int64 { (moment - origin) / widths[0] }

    private static func start(of node: Int64, level: Int) -> Int64 { origin + node * widths[level] }

    private static func wholeNodes(in range: Range<Int64>, level: Int) -> (first: Int64, last: Int64) {
        let width = widths[level]
        return ((range.lowerBound - origin + width - 1) / width, (range.upperBound - origin) / width)
    }
}
