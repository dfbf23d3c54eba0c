internal import FootfallHistory
internal import Foundation
internal import GRDB

/// The file of a study: what each log gave, in one SQLite database beside the tables. A log is one transaction, so any
/// number of commands write at once: each waits for its turn. The file has a rollback journal and no log of its own: it
/// is one file, and can be read in a folder that cannot be written. Epochs are stored to the decimals of their table,
/// so the days follow from either.
final class StudyFile: Sendable {
    /// The name of the file in the folder of results.
    static let name = "footfall.study"
    static let marker = "SQLite format 3"
    /// `FSTU`, by which SQLite and `file` tell a study from another database.
    private static let applicationID = 0x4653_5455
    private static let version = 1
    /// How long a command waits for its turn, in seconds: a log takes less than one, and there may be hundreds.
    private static let longestWait = 600.0
    /// The log of a draft.
    static let draft: Int64 = 1

    private let path: String
    private let queue: DatabaseQueue

    /// Opens the file in a folder of results. `isNew` states whether to create it where it is missing.
    init(in folder: URL, isNew: Bool = false) throws(FileError) {
        path = folder.appending(path: Self.name).relativePath
        var isReadOnly = false
        if FileIdentity(of: path) == nil {
            guard isNew else { throw Self.missing(in: folder) }
        } else {
            isReadOnly = access(path, W_OK) != 0 || access(folder.path, W_OK) != 0
        }
        queue = try Self.translating(path, isNew ? .writing : .reading) { [path] in
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration(isReadOnly: isReadOnly))
            if isNew { try queue.writeWithoutTransaction(Self.create) }
            return queue
        }
        let (id, version, schema) = try read { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA application_id"), try Int.fetchOne(db, sql: "PRAGMA user_version"),
                try Int.fetchOne(db, sql: "PRAGMA schema_version")
            )
        }
        // A command was stopped while it created the file.
        guard schema != 0 else { throw Self.missing(in: folder) }
        guard id == Self.applicationID, version == Self.version else {
            throw FileError(
                path: path, problem: "is no study of this version of Footfall; name another folder, or remove the file",
                .replacing)
        }
    }

    /// Creates a temporary file for one log. Most of it is in memory; the rest is in a file without a name, which ends
    /// with the process.
    init() throws(FileError) {
        path = FileManager.default.temporaryDirectory.path
        queue = try Self.translating(path, .writing) {
            // https://www.sqlite.org/inmemorydb.html#temp_db
            var configuration = Self.configuration(isReadOnly: false)
            // The rows come before their log.
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: "", configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = OFF")
                try Self.create(db)
            }
            return queue
        }
    }

    /// The error of a folder without a result.
    static func missing(in folder: URL) -> FileError {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
            return FileError(
                path: folder.relativePath, problem: "does not exist; name the folder of analyze --tables")
        }
        return FileError(
            path: folder.relativePath,
            problem: isFolder.boolValue
                ? "has no results; analyze --tables writes \(name) when its first log is done"
                : "is no folder that can be read")
    }

    private static func configuration(isReadOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.busyMode = .timeout(longestWait)
        return configuration
    }

    // MARK: Schema

    private static func create(_ db: Database) throws {
        try db.inTransaction(.immediate) {
            let id = try Int.fetchOne(db, sql: "PRAGMA application_id")
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
            guard id == 0, isEmpty else { return .rollback }
            try db.execute(sql: schema)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// Times are nanoseconds since 1970.
    private static let schema = """
        CREATE TABLE log (
            id INTEGER PRIMARY KEY, path TEXT NOT NULL, series TEXT NOT NULL, folder TEXT NOT NULL UNIQUE,
            trace TEXT NOT NULL, size INTEGER, modified INTEGER, hash TEXT, options TEXT NOT NULL, problem TEXT,
            steps INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, timeZone TEXT NOT NULL,
            cutPoints TEXT, calibration TEXT NOT NULL, epochSeconds INTEGER NOT NULL, placement TEXT,
            UNIQUE (path, series));
        -- The line of traces.ndjson: gaps, non-wear, notes, warnings, how the log was read.
        -- A long one has several pieces, from 0.
        CREATE TABLE analysis (
            log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, piece INTEGER NOT NULL, record TEXT NOT NULL,
            PRIMARY KEY (log, piece)) WITHOUT ROWID;
        CREATE TABLE step (
            log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, time INTEGER NOT NULL, quality REAL NOT NULL,
            PRIMARY KEY (log, time)) WITHOUT ROWID;
        CREATE TABLE segment (
            log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, start INTEGER NOT NULL, end INTEGER NOT NULL,
            flags INTEGER NOT NULL, reason INTEGER, probability REAL NOT NULL, steps INTEGER NOT NULL,
            halts TEXT NOT NULL, PRIMARY KEY (log, start)) WITHOUT ROWID;
        CREATE TABLE epoch (
            log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, start INTEGER NOT NULL, enmoMg REAL NOT NULL,
            madMg REAL NOT NULL, angleZDeg REAL, clipped REAL NOT NULL, worn INTEGER NOT NULL, countsX INTEGER,
            countsY INTEGER, countsZ INTEGER, PRIMARY KEY (log, start)) WITHOUT ROWID;
        CREATE TABLE gait (
            log INTEGER NOT NULL REFERENCES log ON DELETE CASCADE, start INTEGER NOT NULL, measures TEXT NOT NULL,
            PRIMARY KEY (log, start)) WITHOUT ROWID;
        -- The days of a log whose wearer is a person of its own, by the rules of the newest analysis.
        CREATE TABLE day (
            log INTEGER PRIMARY KEY REFERENCES log ON DELETE CASCADE, rules TEXT NOT NULL, rows BLOB NOT NULL);
        """

    // MARK: Reading and writing

    /// Reads one state of the file.
    func read<Value>(_ body: (Database) throws -> Value) throws(FileError) -> Value {
        try Self.translating(path, .reading) { try queue.read(body) }
    }

    /// Passes the rows of a query on, one by one. A row is valid only during the call. Throws `FileError`, and what
    /// `body` throws.
    func forEach(_ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void) throws {
        do {
            try queue.read { db in
                let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
                while let row = try cursor.next() { try body(row) }
            }
        } catch let error as DatabaseError {
            throw FileError(error, at: path, .reading)
        }
    }

    /// Changes the file in one transaction.
    func write(_ body: (Database) throws -> Void) throws(FileError) {
        try Self.translating(path, .writing) { try queue.write(body) }
    }

    private static func translating<Value>(
        _ path: String, _ access: FileError.Access, _ body: () throws -> Value
    ) throws(FileError) -> Value {
        do {
            return try body()
        } catch let error as FileError {
            throw error
        } catch let error as DatabaseError {
            throw FileError(error, at: path, access)
        } catch {
            throw FileError(error, path: path, access)
        }
    }

    // MARK: The logs

    /// All logs, in the order of their folders.
    func logs() throws(FileError) -> [StudiedLog] {
        try read { try StudiedLog.fetchAll($0, sql: "SELECT * FROM log ORDER BY folder") }
    }

    /// A log; nil if another command has replaced it.
    func log(_ id: Int64) throws(FileError) -> StudiedLog? { try read { try StudiedLog.fetchOne($0, key: id) } }

    /// The number, the folder and the problem of each log, in the order of the folders.
    func folders() throws(FileError) -> [(id: Int64, folder: String, problem: String?)] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT id, folder, problem FROM log ORDER BY folder").map {
                ($0[0], $0[1], $0[2])
            }
        }
    }

    /// The names of logs that look like copies of one recording, such as `a.csv` and `a.csv.gz`: they differ in their
    /// extensions alone, and have the same first and last sample and as many steps. They start before `end`, in
    /// nanoseconds since 1970.
    func copies(before end: Int64) throws(FileError) -> [[String]] {
        try read { db in
            let same = "start, end, steps, series"
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT trace, \(same) FROM log WHERE problem IS NULL AND start < ? AND (\(same)) IN (
                        SELECT \(same) FROM log GROUP BY \(same) HAVING count(*) > 1)
                    ORDER BY trace
                    """, arguments: [end])
            let groups = Dictionary(grouping: rows) { row -> [DatabaseValue] in
                [(row[0] as String).traceStem.databaseValue] + row.databaseValues.dropFirst()
            }
            return groups.values.filter { $0.count > 1 }.map { $0.map { $0[0] } }.sorted { $0[0] < $1[0] }
        }
    }

    /// Takes the log of a draft, in the place of what the file has of it. Calls `prepare` when it is the turn of this
    /// log and nothing has changed yet. Throws `FileError`, also for the folder of another log, and what `prepare`
    /// throws.
    func take(_ log: StudiedLog, from draft: StudyFile, prepare: () throws -> Void) throws(FileError) {
        try Self.translating(path, .writing) {
            try draft.queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA foreign_keys = ON")
                try db.execute(sql: "ATTACH ? AS study", arguments: [path])
                defer { try? db.execute(sql: "DETACH study") }
                try db.inTransaction(.immediate) {
                    let other = try StudiedLog.fetchOne(
                        db, sql: "SELECT * FROM study.log WHERE folder = ? AND (path <> ? OR series <> ?)",
                        arguments: [log.folder, log.path, log.series])
                    if let other, !other.isSameLog(as: log.identity) {
                        throw FileError.clash(of: log.path, with: other.path)
                    }
                    try prepare()
                    try db.execute(
                        sql: "DELETE FROM study.log WHERE folder = ? OR (path = ? AND series = ?)",
                        arguments: [log.folder, log.path, log.series])
                    try db.execute(sql: "INSERT INTO study.log SELECT NULL, \(Self.columns) FROM main.log")
                    let id = db.lastInsertedRowID
                    for (table, columns) in Self.tables {
                        try db.execute(
                            sql: "INSERT INTO study.\(table) SELECT ?, \(columns) FROM main.\(table)", arguments: [id])
                    }
                    return .commit
                }
            }
        }
    }

    private static let columns = """
        path, series, folder, trace, size, modified, hash, options, problem, steps, start, end, timeZone, cutPoints,
        calibration, epochSeconds, placement
        """
    /// The tables of a log, and their columns behind that of the log.
    private static let tables = [
        ("analysis", "piece, record"), ("step", "time, quality"),
        ("segment", segmentColumns),
        ("epoch", "start, enmoMg, madMg, angleZDeg, clipped, worn, countsX, countsY, countsZ"),
        ("gait", "start, measures"), ("day", "rules, rows"),
    ]

    /// Removes what the file has of a log that cannot be read any more, and notes the reason.
    func forget(_ log: StudiedLog, because problem: String) throws(FileError) {
        try write { db in
            for (table, _) in Self.tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE log = ?", arguments: [log.id])
            }
            try db.execute(sql: "UPDATE log SET problem = ?, steps = 0 WHERE id = ?", arguments: [problem, log.id])
        }
    }

    /// Passes on the lines of `traces.ndjson` in pieces, in the order of the names of the logs.
    func forEachPiece(_ body: (String) -> Void) throws {
        for log in try logs().sorted(by: { ($0.trace, $0.folder) < ($1.trace, $1.folder) }) where log.problem == nil {
            try forEach("SELECT record FROM analysis WHERE log = ? ORDER BY piece", [log.id]) { body($0[0]) }
            body("\n")
        }
    }

    /// The stored days of a log; nil if they are computed by other rules, or not stored.
    func days(of log: Int64, by rules: String) throws(FileError) -> Data? {
        try read {
            try Data.fetchOne($0, sql: "SELECT rows FROM day WHERE log = ? AND rules = ?", arguments: [log, rules])
        }
    }

    func store(_ rows: Data, of log: Int64, by rules: String) throws(FileError) {
        // Another command may have replaced the log meanwhile.
        try write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO day SELECT id, ?, ? FROM log WHERE id = ?",
                arguments: [rules, rows, log])
        }
    }
}

struct StudiedLog: Codable, FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "log"

    let id: Int64
    /// The absolute path, and the series of a table of several; an empty text for all rows. Both tell it from others.
    let path: String
    let series: String
    /// The folder of its tables in that of the results.
    let folder: String
    /// The name in results.
    let trace: String
    /// The content; nil for a pipe.
    let size: Int?
    let modified: Int?
    let hash: String?
    /// How it was read.
    let options: String
    /// Why it cannot be read any more; nil for a log with results.
    private(set) var problem: String?
    let steps: Int
    /// The first sample, and the end of the last one, in nanoseconds since 1970.
    let start: Int64
    let end: Int64
    let timeZone: String
    let cutPoints: String?
    /// A ``CalibrationState`` as JSON.
    let calibration: String
    let epochSeconds: Int
    let placement: String?
}

extension StudiedLog {
    /// The file; nil for a pipe.
    var identity: LogIdentity? {
        guard let size, let modified, let hash else { return nil }
        return LogIdentity(path: path, size: size, modified: modified, hash: hash)
    }

    /// Whether a file has the same content, perhaps under another path: it may have moved since.
    func isSameLog(as other: LogIdentity?) -> Bool {
        identity.map { $0.content == other?.content } ?? false
    }
}

extension FileError {
    /// The error of a log that would take the place of another.
    static func clash(of path: String, with other: String) -> FileError {
        FileError(path: path, problem: "its tables would take the place of those of \(other); rename one of them")
    }

    /// The error of a database. SQLite does not pass the error of the system on for a full disk and its like.
    fileprivate init(_ error: DatabaseError, at path: String, _ access: Access) {
        let reason = error.message ?? "\(error.resultCode)"
        let refusals: [ResultCode] = [.SQLITE_PERM, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_AUTH]
        self.init(
            path: path, problem: "cannot be \(access == .reading ? "read" : "written"): \(reason)",
            refusals.contains(error.resultCode) ? .notPermitted : access)
    }
}
