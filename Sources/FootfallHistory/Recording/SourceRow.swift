internal import GRDB

/// A source as it stands in the file.
struct SourceRow {
    let id: Int64
    let name: String
    /// Where the source's history begins; rows before it no longer count.
    var cut: Int64
    /// The moment before which something was forgotten; `Int64.min` when nothing was.
    var lost: Int64

    init(row: Row) {
        id = row[0]
        name = row[1]
        cut = row[2]
        lost = row[3]
    }

    static func named(_ name: String, _ db: Database) throws -> SourceRow? {
        try db.row("SELECT id, name, cut, lost FROM source WHERE name = ?", [name]).map(SourceRow.init(row:))
    }

    static func all(_ db: Database) throws -> [SourceRow] {
        try db.rows("SELECT id, name, cut, lost FROM source ORDER BY name", []) { SourceRow(row: $0) }
    }

    /// Writes ``cut`` and ``lost``.
    func save(_ db: Database) throws {
        try db.run("UPDATE source SET cut = ?, lost = ? WHERE id = ?", [cut, lost, id])
    }

    /// The newest time recorded: the end of the last segment or the last step.
    func newest(_ db: Database) throws -> Int64? {
        let end = try db.integer("SELECT end FROM segment WHERE source = ? ORDER BY start DESC LIMIT 1", [id])
        let step = try db.integer("SELECT max(time) FROM step WHERE source = ?", [id])
        return [end, step].compactMap { $0 }.max()
    }

    /// The oldest time kept: ``cut``, or the first start of a segment or first step after it.
    func oldest(_ db: Database) throws -> Int64? {
        let segment = try db.integer(
            """
            SELECT max(start, ?2) FROM segment WHERE source = ?1 AND end > ?2 AND start >= ifnull(
                (SELECT start FROM segment WHERE source = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1), ?2)
            ORDER BY start LIMIT 1
            """, [id, cut])
        let step = try db.integer("SELECT min(time) FROM step WHERE source = ? AND time >= ?", [id, cut])
        return [segment, step].compactMap { $0 }.min()
    }
}
