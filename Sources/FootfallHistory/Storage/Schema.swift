internal import GRDB

/// The tables of a history, version by version.
///
/// Times are nanoseconds since 1970 in UTC, and ranges are half open. Four tables hold the recording, ordered by source
/// and time:
///
/// - `step`: the time of each step.
/// - `piece`: spans of covered time with their flags, the reason of an unknown activity (see ``StoredSpan``) and the
///   probability. Touching rows with equal values are joined, so the rows do not depend on the division into calls.
/// - `nonwear`: spans in which the sensor was not worn. Answers lay them over the pieces, which do not change.
/// - `zone`: the wearer's time zone from a moment on.
///
/// Two tables are derived from them in the same transaction:
///
/// - `segment`: touching pieces of one activity, without halts and probabilities. Hours of one activity are one row.
/// - `total`: the steps and the covered time up to moments 15 minutes apart, see ``RunningTotals``. It makes a count
///   O(log n).
///
/// `source` holds each source, its limits of the retention and its ``RecordedTotal``, see ``SourceRow``.
///
/// `history` holds what connects the file with its companions, see ``HistoryRow``.
///
/// Version 1 had no reasons, and a halt ended its segment. Version 2 had no identity. Up to version 3, non-wear was a
/// piece with its own reason, which replaced what was recorded there. Such pieces stay. Up to version 4, the sums were
/// in a table `tally`, with the recorded total in its level -1. The columns `keptFrom` and `deletedBefore` of `source`
/// were `cut` and `lost`.
enum Schema {
    /// The application id in the header of a history: "Foot" in ASCII.
    static let applicationID: Int32 = 0x466F_6F74

    /// The newest version, stored as the header's user version.
    static let version: Int32 = 5

    /// Converts an empty file, or one of an older version, to the newest version.
    static func migrate(_ db: Database) throws {
        let found = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found < version else { return }
        try db.inTransaction(.immediate) {
            if found < 1 { try db.execute(sql: version1) }
            if found == 1 { try joinSegments(db) }
            if found < 3 { try db.execute(sql: version3) }
            if found < 4 { try db.execute(sql: version4) }
            try db.execute(sql: version5)
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            try computeTotals(db)
            return .commit
        }
    }

    /// Joins segments that only halts separate.
    private static func joinSegments(_ db: Database) throws {
        for source in try SourceRow.all(db) {
            let spans = try db.rows(
                "SELECT start, end, flags, NULL FROM segment WHERE source = ? ORDER BY start", [source.id]
            ) { try StoredSpan(row: $0) }
            try spans.checkOrder()
            let joined = spans.reduce(into: []) { $0.join($1.asSegment) }
            guard joined != spans, let first = joined.first, let last = joined.last else { continue }
            _ = try SpanTable.segment.replace(
                first.start..<last.end, with: joined, source: source.id, storedFrom: source.storedFrom, db)
        }
    }

    /// Computes the totals from the rows. A source from a time without recorded totals starts with what is kept.
    private static func computeTotals(_ db: Database) throws {
        for var source in try SourceRow.all(db) {
            let totals = RunningTotals(source: source.id)
            try totals.rebuild(db)
            let start = max(source.keptFrom, StoredTime.first)
            let kept = try totals.sum(start..<max(start, StoredTime.end), db)
            source.recorded.steps = max(source.recorded.steps, kept.steps)
            source.recorded.coveredNanoseconds = max(source.recorded.coveredNanoseconds, kept.coveredNanoseconds)
            try source.save(db)
        }
    }

    // A file of an earlier version can be read without conversion.

    /// The version of an open file.
    static func version(of db: Database) throws -> Int32 {
        try Int32.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    }

    /// Whether the file has the table `nonwear`.
    static func hasNonWear(_ db: Database) throws -> Bool { try version(of: db) > 3 }

    /// Whether the file has the table `total`, and the columns of `source` beside it.
    static func hasTotals(_ db: Database) throws -> Bool { try version(of: db) > 4 }

    private static let version5 = """
        ALTER TABLE source RENAME COLUMN cut TO keptFrom;
        ALTER TABLE source RENAME COLUMN lost TO deletedBefore;
        ALTER TABLE source ADD COLUMN recordedSteps INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE source ADD COLUMN recordedCovered INTEGER NOT NULL DEFAULT 0; -- nanoseconds
        UPDATE source SET (recordedSteps, recordedCovered) = (tally.steps, tally.covered)
            FROM tally WHERE tally.source = source.id AND tally.level = -1;
        DROP TABLE tally;
        CREATE TABLE total (
            source INTEGER NOT NULL, moment INTEGER NOT NULL, steps INTEGER NOT NULL, covered INTEGER NOT NULL,
            PRIMARY KEY (source, moment)
        ) WITHOUT ROWID, STRICT;
        """

    private static let version4 = """
        CREATE TABLE nonwear (
            source INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL CHECK (start < end),
            PRIMARY KEY (source, start)
        ) WITHOUT ROWID, STRICT;
        """

    private static let version3 = """
        ALTER TABLE history ADD COLUMN identity INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN previous INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN path TEXT;
        UPDATE history SET identity = random(), stamp = random();
        """

    private static let version1 = """
        CREATE TABLE history (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            retention INTEGER,             -- nanoseconds, null without limit
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
