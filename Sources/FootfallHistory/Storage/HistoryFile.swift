internal import Foundation
internal import GRDB

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The file of a history: its checks, its creation and its connections.
struct HistoryFile: Hashable {
    let url: URL
    private let device: UInt64
    private let inode: UInt64

    /// Identifies the file at a path.
    init(at url: URL) throws {
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw HistoryError(HistoryFile.reason(forCode: errno), at: url) }
        self.url = url
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Throws if the path leads to another file than the opened one. Rows written to a removed file would be lost.
    func checkPresence() throws {
        guard try HistoryFile(at: url) == self else { throw HistoryError(.missing, at: url) }
    }

    // MARK: Checks

    /// Throws unless the header, read without SQLite, is that of a supported history.
    static func checkHeader(at url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HistoryError(reason(forCode: errno), at: url) }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &header, header.count)
        guard count >= 0 else {
            throw HistoryError(errno == EISDIR ? .foreign : reason(forCode: errno), at: url)
        }
        func number(at offset: Int) -> Int32 {
            Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard count == header.count, header.starts(with: Array("SQLite format 3\u{0}".utf8)),
            number(at: 68) == Schema.applicationID
        else { throw HistoryError(.foreign, at: url) }
        let version = number(at: 60)
        guard version <= Schema.version else { throw HistoryError(.newerVersion(Int(version)), at: url) }
        guard version > 0 else { throw HistoryError(.damaged, at: url) }
    }

    /// The size in bytes up to which opening checks all pages, which takes about 15 ms.
    private static let checkedSize = 4 << 20

    /// Throws if a page of the file is damaged. Of a large file, only the pages of the small tables are checked; damage of
    /// the others is an error of the call that reads or changes them, and ``MotionHistory/check()`` finds it.
    static func checkPages(at url: URL) throws {
        do {
            let queue = try DatabaseQueue(path: url.path, configuration: configuration(isReadOnly: true))
            var status = stat()
            let isSmall = stat(url.path, &status) == 0 && status.st_size <= checkedSize
            let results = try queue.read { db in
                try (isSmall ? ["1"] : ["history", "source", "zone"]).map {
                    try String.fetchOne(db, sql: "PRAGMA quick_check(\($0))")
                }
            }
            try queue.close()
            guard results.allSatisfy({ $0 == "ok" }) else { throw HistoryError(.damaged, at: url) }
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }

    // MARK: Creation

    /// Creates an empty history with mode 0600.
    ///
    /// The file is written under another name and then renamed, so the path never leads to an incomplete history. The
    /// caller holds the writer's lock.
    static func create(at url: URL) throws {
        let draft = URL(fileURLWithPath: url.path + "-new")
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draft.path + suffix) }
        let descriptor = open(draft.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HistoryError(reason(forCode: errno), at: url) }
        fchmod(descriptor, 0o600)
        close(descriptor)
        do {
            let queue = try DatabaseQueue(path: draft.path, configuration: configuration(isReadOnly: false))
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try Schema.migrate(db)
            }
            try queue.close()
        } catch {
            unlink(draft.path)
            throw HistoryError.translating(error, at: url)
        }
        guard rename(draft.path, url.path) == 0 else { throw HistoryError(reason(forCode: errno), at: url) }
    }

    // MARK: Connections

    /// Opens a history for reading.
    static func reader(at url: URL) throws -> any DatabaseReader {
        let configuration = configuration(isReadOnly: true)
        do {
            let pool = try DatabasePool(path: url.path, configuration: configuration)
            _ = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM source") }
            return pool
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && !hasLog(url)
        {
            // On a read-only disk SQLite cannot create its index of the log, but no writer can change the file either.
            // Without a log, the file may then be opened as immutable.
            var path = url.path
            for (character, code) in [("%", "%25"), ("?", "%3f"), ("#", "%23")] {
                path = path.replacingOccurrences(of: character, with: code)
            }
            return try DatabaseQueue(path: "file:\(path)?immutable=1", configuration: configuration)
        }
    }

    private static func hasLog(_ url: URL) -> Bool {
        var status = stat()
        return stat(url.path + "-wal", &status) == 0 && status.st_size > 0
    }

    /// The settings of a connection.
    static func configuration(isReadOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.label = "Footfall"
        // Readers and the writer do not wait for each other, except during a checkpoint.
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            // A checkpoint shortens the log to this many bytes.
            if !isReadOnly { try db.execute(sql: "PRAGMA journal_size_limit = 4194304") }
        }
        return configuration
    }

    /// The reason for a failed system call.
    static func reason(forCode code: Int32) -> HistoryError.Reason {
        switch code {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM, EROFS: .notPermitted
        case ENOSPC, EDQUOT, EFBIG: .full
        case EISDIR: .foreign
        default: .other(String(cString: strerror(code)))
        }
    }
}
