internal import Footfall
package import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The open file of a history: its checks, its creation and its connections.
package final class HistoryFile: Sendable {
    /// The descriptors to close with the last open history of a file. SQLite uses POSIX locks, and closing any
    /// descriptor of a file ends all POSIX locks of the process on it.
    private static let descriptors = Mutex<[FileIdentity: (users: Int, closed: [Int32])]>([:])

    let url: URL
    /// The path without symbolic links. SQLite names its companion files after it. Of several hard links, it is the one
    /// under which the history was opened for recording.
    let path: String
    let descriptor: Int32
    private let identity: FileIdentity
    /// The row of the file when it was opened for reading without a log, else nil.
    private let unfollowed = Mutex<HistoryRow?>(nil)

    /// Opens a history, and checks its header without SQLite. Throws ``HistoryError``, unless it is a supported
    /// history.
    init(at url: URL, isReadOnly: Bool) throws {
        self.url = url
        let path = url.resolvingSymlinksInPath().path
        // A pipe must not make this call wait.
        descriptor = open(path, (isReadOnly ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw HistoryError(Self.reason(forCode: errno), at: url) }
        var status = stat()
        fstat(descriptor, &status)
        let identity = FileIdentity(status)
        self.identity = identity
        let recorded = status.st_nlink > 1 ? HistoryRow(ofFile: descriptor)?.path : nil
        self.path = recorded.flatMap { stat($0, &status) == 0 && FileIdentity(status) == identity ? $0 : nil } ?? path
        Self.descriptors.withLock { $0[identity, default: (0, [])].users += 1 }
        try checkHeader()
    }

    deinit {
        Self.descriptors.withLock { [identity, descriptor] descriptors in
            var entry = descriptors.removeValue(forKey: identity) ?? (1, [])
            entry.users -= 1
            entry.closed.append(descriptor)
            if entry.users > 0 {
                descriptors[identity] = entry
            } else {
                for descriptor in entry.closed { close(descriptor) }
            }
        }
    }

    // MARK: Checks

    /// Throws if the path leads to another file than the opened one. Rows written to a removed file would be lost.
    func checkPresence() throws {
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw HistoryError(Self.reason(forCode: errno), at: url) }
        guard FileIdentity(status) == identity else { throw HistoryError(.missing, at: url) }
    }

    /// Makes sure that the log beside the file is its own, before the file is read. Returns what the user should know.
    func settle() throws -> [String] {
        let row = HistoryRow(ofFile: descriptor)
        let isSettled =
            row.map { row in
                LogFile(at: path + Companions.log)?.follows(row) ?? (row.path == nil)
            } ?? true
        // A writer has settled it, and changes both meanwhile.
        guard !isSettled, WriterLock.take(descriptor, path + Companions.note) == nil else { return [] }
        defer { flock(descriptor, LOCK_UN) }
        return try Companions.settle(self)
    }

    private func checkHeader() throws {
        var header = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &header, header.count, 0)
        guard count >= 0 else {
            throw HistoryError(errno == EISDIR || errno == ESPIPE ? .foreign : Self.reason(forCode: errno), at: url)
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
        guard Schema.isKnown(version) else {
            let text = "it has the format \(version) of a version of Footfall that was never released"
            throw HistoryError(.other(text), at: url)
        }
    }

    /// Whether the header states an earlier version, which a recorder converts.
    var isOfEarlierVersion: Bool {
        var version: Int32 = 0
        // The user version in SQLite's header, with its highest byte first.
        return pread(descriptor, &version, 4, 60) == 4 && Int32(bigEndian: version) < Schema.version
    }

    /// The size in bytes up to which opening checks all pages, which takes about 15 ms.
    private static let checkedSize = 4 << 20

    /// Throws if a page of the file is damaged. In a large file, only the pages of the small tables are checked. A call
    /// that reads or changes a damaged page of another table throws, and ``MotionHistory/check()`` finds it.
    func checkPages() throws {
        let queue = try DatabaseQueue(path: path, configuration: Self.configuration(isReadOnly: true))
        var status = stat()
        let isSmall = fstat(descriptor, &status) == 0 && status.st_size <= Self.checkedSize
        let results = try queue.read { db in
            try (isSmall ? ["1"] : ["history", "source", "zone"]).map {
                try String.fetchOne(db, sql: "PRAGMA quick_check(\($0))")
            }
        }
        try queue.close()
        guard results.allSatisfy({ $0 == "ok" }) else { throw HistoryError(.damaged, at: url) }
    }

    // MARK: Creation

    /// Creates an empty history with mode 0600, unless another process creates one meanwhile. The file is written under
    /// a random name and then renamed, so the path never leads to an incomplete history. Returns what the user should
    /// know.
    static func create(at link: URL) throws -> [String] {
        let url = try end(of: link)
        let longest = Companions.all.map(\.utf8.count).max() ?? 0
        guard url.lastPathComponent.utf8.count + longest <= Int(NAME_MAX) else {
            throw HistoryError(.other("the name is too long for the files that are kept beside a history"), at: url)
        }
        let draft = draft(for: url)
        defer { Companions.removeDraft(draft.path) }
        let owned = try write(draft, at: url) { queue in
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL")
                try Schema.migrate(db)
            }
        }
        defer { close(owned) }
        do {
            return try place(draft, at: url, replaces: false)
        } catch let error as HistoryError where error.reason == .exists {
            return []
        }
    }

    /// The most symbolic links that follow each other, as in Linux.
    private static let mostLinks = 40

    /// Where a symbolic link to a missing file leads, such as to another disk; the path itself if it is no link.
    private static func end(of link: URL) throws -> URL {
        var url = link
        for _ in 0..<mostLinks {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { return url }
            url = URL(filePath: next, relativeTo: url).standardizedFileURL
        }
        throw HistoryError(reason(forCode: ELOOP), at: link)
    }

    /// Creates a file with mode 0600 and writes a database into it, without companions. Returns the descriptor by which
    /// this process owns the file. It is closed after all connections: closing it ends the locks of SQLite.
    static func write(_ file: URL, at url: URL, _ body: (DatabaseQueue) throws -> Void) throws -> Int32 {
        let owned = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard owned >= 0 else { throw HistoryError(reason(forCode: errno), at: url) }
        fchmod(owned, 0o600)
        Drafts.own(owned)
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration(isReadOnly: false))
            try body(queue)
            // At its end SQLite does the same, but reports no error.
            try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try queue.close()
            guard fsync(owned) == 0 else { throw HistoryError(reason(forCode: errno), at: url) }
        } catch {
            close(owned)
            throw HistoryError.translating(error, at: url)
        }
        return owned
    }

    /// Renames a complete history without companions, such as a copy. `replaces` states whether it replaces a history
    /// and its companions. No process may record into that history. Returns what the user should know.
    @discardableResult
    package static func place(_ draft: URL, at target: URL, replaces: Bool) throws -> [String] {
        let path = target.standardizedFileURL.path
        let folder = FolderLock(for: target.standardizedFileURL)
        var locked: Int32?
        defer { if let locked { close(locked) } }
        var status = stat()
        if lstat(path, &status) == 0 {
            guard replaces else { throw HistoryError(.exists, at: target) }
            locked = try lock(path, at: target)
        }
        let remarks = locked == nil ? try Companions.clear(path, at: target) : []
        guard rename(draft.path, path) == 0 else { throw HistoryError(reason(forCode: errno), at: target) }
        for suffix in locked == nil ? [] : Companions.all { unlink(path + suffix) }
        try folder.synchronize(at: target)
        return remarks
    }

    /// Locks a file that no history is recorded into, until its descriptor is closed.
    private static func lock(_ path: String, at url: URL) throws -> Int32 {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw HistoryError(reason(forCode: errno), at: url) }
        if let reason = WriterLock.take(descriptor, path + Companions.note) {
            close(descriptor)
            throw HistoryError(reason, at: url)
        }
        return descriptor
    }

    /// The random name of an unfinished file in the folder of a history.
    static func draft(for url: URL) -> URL {
        url.standardizedFileURL.deletingLastPathComponent().appending(path: Drafts.name)
    }

    // MARK: Connections

    /// Opens the history for recording.
    func writer() throws -> DatabasePool {
        try DatabasePool(path: path, configuration: Self.configuration(isReadOnly: false))
    }

    /// Opens the history for reading. One that is still of an earlier version is converted in a temporary copy.
    func reader() throws -> any DatabaseReader {
        let reader = try readerOfAnyVersion()
        guard try reader.read(Schema.version(of:)) < Schema.version else { return reader }
        let copy = try DatabaseQueue(path: "", configuration: Self.configuration(isReadOnly: false))
        try reader.backup(to: copy)
        try reader.close()
        try copy.writeWithoutTransaction(Schema.migrate)
        return copy
    }

    private func readerOfAnyVersion() throws -> any DatabaseReader {
        let configuration = Self.configuration(isReadOnly: true)
        unfollowed.withLock { $0 = nil }
        // SQLite creates missing companions. Those of a reader who may not write the history would lock its owner out.
        let mayWrite = access(path, W_OK) == 0
        if mayWrite || [Companions.log, Companions.index].allSatisfy({ access(path + $0, F_OK) == 0 }) {
            do {
                let pool = try DatabasePool(
                    path: mayWrite ? path : address("readonly_shm=1"), configuration: configuration)
                _ = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM source") }
                return pool
            } catch let error as DatabaseError where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) {
                // In a read-only folder SQLite cannot create its index of the log.
            }
        }
        // Without a log the file may be opened as immutable, until a writer changes it.
        guard sizeOfLog == 0 else { return try readerOfCopy() }
        unfollowed.withLock { $0 = HistoryRow(ofFile: descriptor) }
        return try DatabaseQueue(path: address("immutable=1"), configuration: configuration)
    }

    /// Whether the connections for reading do not have the present state: they were opened without a log, and a writer
    /// has changed the file.
    var isOutdated: Bool { unfollowed.withLock { $0.map { $0 != HistoryRow(ofFile: descriptor) } ?? false } }

    /// The path as an address with a parameter of SQLite.
    private func address(_ parameter: String) -> String { "\(URL(filePath: path).absoluteString)?\(parameter)" }

    /// Opens a temporary copy of the database and its log. The copy has no name any more, and ends with the process.
    private func readerOfCopy() throws -> any DatabaseReader {
        let folder = FileManager.default.temporaryDirectory.appending(path: "footfall-\(UUID().uuidString)")
        let manager = FileManager.default
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? manager.removeItem(at: folder) }
        let copy = folder.appending(path: "history").path
        for suffix in ["-wal", ""] { try manager.copyItem(atPath: path + suffix, toPath: copy + suffix) }
        for suffix in ["-wal", ""] { chmod(copy + suffix, 0o600) }
        let queue = try DatabaseQueue(path: copy, configuration: Self.configuration(isReadOnly: true))
        _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM source") }
        return queue
    }

    /// Removes the companion files that a connection for reading or a killed writer left behind, if no other process
    /// uses them. SQLite removes them at the end of the last connection, if that may write. `isLocked` states whether
    /// the caller holds the lock of a writer.
    func removeCompanions(isLocked: Bool) {
        // The events of a killed session find their history by the path in its log, and the next writer records them.
        let recordedPath = HistoryRow(ofFile: descriptor)?.path ?? path
        guard isLocked || recordedPath == path && access(path + Companions.waiting, F_OK) != 0,
            [Companions.log, Companions.index].contains(where: { access(path + $0, F_OK) == 0 }),
            access(path, W_OK) == 0, (try? checkPresence()) != nil,
            isLocked || flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        defer { if !isLocked { flock(descriptor, LOCK_UN) } }
        let queue = try? DatabaseQueue(path: path, configuration: Self.configuration(isReadOnly: false))
        // The writer was killed, or its end could not change the file beside a reader.
        try? queue?.write { db in
            if try String.fetchOne(db, sql: "SELECT path FROM history") != nil { try HistoryRow.note(path: nil, db) }
        }
        try? queue?.close()
    }

    /// Keeps SQLite from removing the log at the end of a connection. By then the path may lead to another history, or
    /// the disk may have had no room for the content of the log.
    static func keepLog(_ db: Database) throws {
        var isKept: Int32 = 1
        try db.execute(sql: "PRAGMA journal_size_limit = -1")
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    /// The size in bytes to which a checkpoint shortens the log.
    static let logSize = 4 << 20
    /// How long a connection waits for another one, in milliseconds.
    static let longestWait = 5000

    /// The size of the log in bytes.
    var sizeOfLog: Int {
        var status = stat()
        return stat(path + Companions.log, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The settings of a connection.
    static func configuration(isReadOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.label = "Footfall"
        // Readers and the writer do not wait for each other, except during a checkpoint.
        configuration.busyMode = .timeout(Double(longestWait) / 1000)
        configuration.foreignKeysEnabled = false
        // A recording of several calls is one transaction, see ``WholeRecording``.
        configuration.allowsUnsafeTransactions = !isReadOnly
        configuration.prepareDatabase { db in
            if !isReadOnly { try db.execute(sql: "PRAGMA journal_size_limit = \(logSize)") }
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
        case EEXIST: .exists
        default: .other(String(cString: strerror(code)))
        }
    }
}

/// The identity of a file, the same for each path and link to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    package init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
}
