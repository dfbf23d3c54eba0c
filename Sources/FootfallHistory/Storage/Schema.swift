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
/// Three tables are derived from them in the same transaction:
///
/// - `segment`: touching pieces of one activity, without halts. Hours of one activity are one row, with the number of
///   its steps and its ``StoredSpan/certainty``, so an answer reads no pieces but those of halts.
/// - `total`: the steps and the covered time up to moments 15 minutes apart, see ``RunningTotals``. It makes a count
///   O(log n).
/// - `bout`: the bouts with the default gap, see ``BoutTable``.
///
/// `mark` holds the texts that the wearer gave to moments and ranges, see ``MarkTable``. No recording changes them.
///
/// `source` holds each source, its limits of the retention and its ``RecordedTotal``, see ``SourceRow``.
///
/// `history` holds what connects the file with its companions, see ``HistoryRow``.
///
/// Version 2 is that of Footfall 0.1.0: without an identity and without non-wear, with the sums in a table `tally`, and
/// with the columns `cut` and `lost` of `source` for `keptFrom` and `deletedBefore`. Version 6 is without the steps and
/// the certainty of segments, version 7 without bouts. No other version is read.
enum Schema {
    /// The application id in the header of a history: "Foot" in ASCII.
    static let applicationID: Int32 = 0x466F_6F74

    /// The newest version, stored as the header's user version.
    static let version: Int32 = 8

    /// The version of Footfall 0.1.0.
    private static let firstVersion: Int32 = 2

    /// The first version with non-wear, totals, marks and an identity.
    private static let versionOfTotals: Int32 = 6

    /// The first version with the sums of segments.
    private static let versionOfSums: Int32 = 7

    /// The tables whose rows belong to a source.
    static let tablesOfSources = ["step", "piece", "segment", "nonwear", "total", "bout", "zone", "mark"]

    /// Whether files of a version can be read.
    static func isKnown(_ found: Int32) -> Bool {
        [firstVersion, versionOfTotals, versionOfSums, version].contains(found)
    }

    /// A condition for the pieces that are halts: stationary, and something else.
    static let isHalt = "flags & 1 AND flags & 254"

    /// Converts an empty file, or one of an earlier version, to the newest version.
    static func migrate(_ db: Database) throws {
        let found = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found < version else { return }
        try db.inTransaction(.immediate) {
            if found == 0 { try db.execute(sql: version2) }
            if found < versionOfTotals { try db.execute(sql: version6) }
            if found < versionOfSums { try db.execute(sql: version7) }
            try db.execute(sql: version8)
            let all = StoredTime.first..<StoredTime.end
            for source in try SourceRow.all(db) {
                if found < versionOfSums { try SpanTable.updateFacts(overlapping: all, source: source.id, db) }
                try BoutTable(source: source.id).refresh(all, db)
            }
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            if found < versionOfTotals { try computeTotals(db) } else { try HistoryRow.stamp(db) }
            return .commit
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

    /// The version of an open file.
    static func version(of db: Database) throws -> Int32 {
        try Int32.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
    }

    private static let version8 = """
        CREATE TABLE bout (
            source INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL CHECK (start < end),
            steps INTEGER NOT NULL,
            PRIMARY KEY (source, start)
        ) WITHOUT ROWID, STRICT;
        """

    private static let version7 = """
        ALTER TABLE segment ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE segment ADD COLUMN certainty REAL NOT NULL DEFAULT 0;
        CREATE INDEX halt ON piece (source, start, end) WHERE \(isHalt);
        """

    private static let version6 = """
        ALTER TABLE history ADD COLUMN identity INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN previous INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE history ADD COLUMN path TEXT;
        UPDATE history SET identity = random(), stamp = random();
        CREATE TABLE nonwear (
            source INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL CHECK (start < end),
            PRIMARY KEY (source, start)
        ) WITHOUT ROWID, STRICT;
        ALTER TABLE source RENAME COLUMN cut TO keptFrom;
        ALTER TABLE source RENAME COLUMN lost TO deletedBefore;
        ALTER TABLE source ADD COLUMN recordedSteps INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE source ADD COLUMN recordedCovered INTEGER NOT NULL DEFAULT 0; -- nanoseconds
        DROP TABLE tally;
        CREATE TABLE total (
            source INTEGER NOT NULL, moment INTEGER NOT NULL, steps INTEGER NOT NULL, covered INTEGER NOT NULL,
            PRIMARY KEY (source, moment)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE mark (
            source INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER CHECK (start < end), text TEXT NOT NULL,
            PRIMARY KEY (source, start, text)
        ) WITHOUT ROWID, STRICT;
        """

    private static let version2 = """
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
