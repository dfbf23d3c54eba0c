internal import GRDB

/// The tables of a history, version by version.
///
/// Times are nanoseconds since 1970 in UTC, ranges half open. What was recorded stands in three tables, each ordered
/// by source and time:
///
/// - `step`: one row per step. A step is its time, so recording it again changes nothing.
/// - `piece`: what was said of each covered moment: flags, why an activity is unknown (see ``Span``), and probability.
///   Touching pieces that say the same are one row, which makes the rows a function of what was said and not of how it
///   was portioned out.
/// - `zone`: the time zone the wearer was in, from a moment on.
///
/// Two more are derived from them, in the same transaction, so that no answer depends on the length of the range:
///
/// - `segment`: runs of touching pieces that say the same, halts and probabilities aside. Hours of one activity are one
///   row, found by one look-up.
/// - `tally`: a pyramid over time: per minute, quarter of an hour, four hours and so on (see ``Tally``) the number of
///   steps and the length of the segments that start there. A range of any length is some whole nodes of each level and
///   less than a minute of rows at either end: O(log n). A running number per step would make a count two look-ups
///   instead of about twenty, but every step recorded out of order would renumber all that follow; here it touches six
///   nodes.
///
/// `source.cut` is where the source's history begins: rows before it are as good as gone for every answer, and are
/// deleted little by little. `source.lost` is the moment before which something has been forgotten.
///
/// Version 1 gave no reasons, and a halt cut its segment in two.
enum Schema {
    /// Marks a SQLite file as a history: "Foot" in ASCII, in the header's application id.
    static let applicationID: Int32 = 0x466F_6F74

    /// The newest version this code knows; kept in the header's user version.
    static let version: Int32 = 2

    /// Brings an empty file or one of an older version to the newest.
    static func migrate(_ db: Database) throws {
        let found = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found < version else { return }
        try db.inTransaction(.immediate) {
            if found < 1 { try db.execute(sql: version1) }
            if found == 1 { try joinSegments(db) }
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// Makes one segment of those that only halts part.
    private static func joinSegments(_ db: Database) throws {
        for source in try SourceRow.all(db) {
            let spans = try db.rows(
                "SELECT start, end, flags, NULL FROM segment WHERE source = ? ORDER BY start", [source.id]
            ) { Span(row: $0) }
            let joined = spans.reduce(into: []) { $0.join($1.asSegment) }
            guard joined != spans, let first = joined.first, let last = joined.last else { continue }
            let range = first.start..<last.end
            _ = try Timeline.segment.replace(range, with: joined, source: source.id, cut: source.cut, db)
            try Tally(source: source.id).refresh(range, db)
        }
    }

    private static let version1 = """
        CREATE TABLE history (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            retention INTEGER,             -- nanoseconds, null for ever
            revision INTEGER NOT NULL      -- grows with every recording; how other processes see that there is news
        ) STRICT;
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            cut INTEGER NOT NULL,
            lost INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE zone (
            source INTEGER NOT NULL, since INTEGER NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (source, since)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE step (
            source INTEGER NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY (source, time)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE piece (
            source INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL CHECK (start < end),
            flags INTEGER NOT NULL, probability REAL NOT NULL,
            PRIMARY KEY (source, start)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE segment (
            source INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL CHECK (start < end),
            flags INTEGER NOT NULL,
            PRIMARY KEY (source, start)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE tally (
            source INTEGER NOT NULL, level INTEGER NOT NULL, node INTEGER NOT NULL,
            steps INTEGER NOT NULL, covered INTEGER NOT NULL,
            PRIMARY KEY (source, level, node)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO history (id, retention, revision) VALUES (1, \(Retention.sevenDays.nanoseconds ?? 0), 0);
        """
}
