public import Footfall
internal import FootfallReaders
public import Foundation
internal import GRDB
internal import Synchronization

/// The steps and activities of one or more wearers, for seven days or another retention, in one file.
///
/// ```swift
/// let history = try MotionHistory(at: url)
/// var analyzer = MotionAnalyzer()
/// for batch in batches {
///     try history.record(analyzer.analyze(batch), from: "wrist")
/// }
/// try history.record(analyzer.finish(), from: "wrist")
///
/// let steps = try history.steps(in: today, from: "wrist")
/// print(steps.count, steps.coverage, steps.isTruncated)
/// ```
///
/// - **One writer, many readers.** A file has one writer at a time, in this or any other process. A second writer gets
///   an error that names the first one. Any number of readers, see ``init(reading:)``, ask at the same time. Readers
///   and the writer do not wait for each other. Only marks are added beside a writer, see ``mark(_:in:from:)``.
/// - **Consistent answers.** Each query reads one state of the history. Several queries inside one ``read(_:)`` read
///   the same state.
/// - **Half-open ranges.** A step belongs to a range if `start ≤ time < end`, so adjacent ranges add up.
/// - **Stable answers.** An answer changes only if the same time of the same source is recorded again, if it is
///   deleted, or if the retention removes it.
/// - **Independent sources.** A query without a source's name reads the only source.
///
/// A history may be shared between threads and tasks.
public final class MotionHistory: Sendable {
    /// The file; nil for a history in memory.
    public var url: URL? { file?.url }

    /// The path without links; nil for a history in memory.
    var path: String? { file?.path }

    /// What opening found beside the file and the user should know: the log of another history, or recordings that are
    /// missing. Each is a sentence; there is none for an ordinary history.
    public let remarks: [String]

    var database: any DatabaseReader { connections.withLock { $0 } }
    private let connections: Mutex<any DatabaseReader>
    private let writable: (any DatabaseWriter)?
    let file: HistoryFile?
    private let lock: WriterLock?
    private let isClosed = Atomic(false)
    /// The steps since the last segment, by source.
    private let pending = Mutex<[String: [Int64]]>([:])
    /// The recordings whose events may wait for their transaction.
    let recordings = Mutex<[LiveRecording.Reference]>([])
    /// The wall clock; nil if events ahead of it are recorded.
    private let clock: (@Sendable () -> Timestamp)?
    private let acceptsLeap: Bool

    /// How far an event may be ahead of the wall clock, in seconds: clocks that are set by hand or drift are a few
    /// minutes off.
    private static let tolerance = 600.0

    /// Opens a history for recording, and creates it with mode 0600 if there is no file.
    ///
    /// A foreign file, a damaged history and one of a newer version cause an error and remain unchanged. A history of
    /// an older version is converted.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist.
    ///   - retention: How long to keep events; stored in the file. Nil, the default, keeps the stored retention, which
    ///     is seven days for a new history. A longer retention does not restore deleted events.
    ///   - acceptsFuture: Whether to record events that are more than ten minutes ahead of the wall clock. Such times
    ///     come from a wrong clock, and they would move everything recorded before them out of the retention. By
    ///     default they are set aside and counted, see ``RecordingOutcome/setAside``.
    ///   - acceptsLeap: Whether less than a minute of samples after more than an hour without any moves the window of
    ///     the retention. Such samples may come from a wrong clock. By default they are recorded, and the window ends
    ///     before them, see ``SourceSnapshot/leap()``.
    /// - Throws: ``HistoryError``.
    public convenience init(
        at url: URL, retention: Retention? = nil, acceptsFuture: Bool = false, acceptsLeap: Bool = false
    ) throws {
        try self.init(
            at: url, retention: retention, clock: acceptsFuture ? nil : MotionHistory.wallClock,
            acceptsLeap: acceptsLeap)
    }

    /// Opens a history for recording. `clock` is the wall clock; nil to record events ahead of it.
    package init(
        at url: URL, retention: Retention? = nil, clock: (@Sendable () -> Timestamp)?, acceptsLeap: Bool = false
    ) throws {
        let url = url.standardizedFileURL
        (self.clock, self.acceptsLeap) = (clock, acceptsLeap)
        var remarks: [String] = []
        Drafts.tidy(url.deletingLastPathComponent().path)
        if !FileManager.default.fileExists(atPath: url.path) { remarks = try HistoryFile.create(at: url) }
        let file = try HistoryFile(at: url, isReadOnly: false)
        self.file = file
        lock = try WriterLock(for: file)
        do {
            // The file may have been removed or replaced before it was locked.
            try file.checkPresence()
            let origin = HistoryRow(ofFile: file.descriptor)?.path
            remarks += try Companions.settle(file)
            try file.checkPages()
            let pool = try file.writer()
            remarks += try pool.writeWithoutTransaction { db in
                try Schema.migrate(db)
                try HistoryRow.note(path: file.path, db)
                // The note has to be in the file itself before the log holds anything else.
                _ = try? db.checkpoint()
                try Recorder.open(db, retention: retention)
                return try WaitingEvents.recover(beside: file, from: origin, db)
            }
            connections = Mutex(pool)
            writable = pool
        } catch {
            throw HistoryError.translating(error, at: url)
        }
        self.remarks = remarks
    }

    /// Opens an existing history for reading. Another process may record meanwhile. Only ``mark(_:in:from:)``,
    /// ``mark(_:at:from:)`` and ``unmark(_:from:)`` change it.
    ///
    /// What a killed recorder left is recorded first, where the file may be written: a later recorder then changes no
    /// answer. A history of an earlier version is converted. Where that is not possible, a converted copy answers, in
    /// which later events are missing. The events that a running recorder has not recorded yet, of 20 s at most, are
    /// missing.
    ///
    /// - Throws: ``HistoryError``.
    public convenience init(reading url: URL) throws {
        let file = try HistoryFile(at: url.standardizedFileURL, isReadOnly: true)
        do {
            let remarks = try file.settle() + Self.takeOver(file)
            self.init(file, try file.reader(), remarks)
        } catch {
            throw HistoryError.translating(error, at: file.url)
        }
    }

    init(
        _ file: HistoryFile?, _ database: any DatabaseReader, _ remarks: [String],
        writable: (any DatabaseWriter)? = nil, clock: (@Sendable () -> Timestamp)? = nil
    ) {
        (self.file, self.remarks) = (file, remarks)
        connections = Mutex(database)
        (self.writable, lock, self.clock, acceptsLeap) = (writable, nil, clock, false)
    }

    /// Records what a killed recorder left, removes its files, and converts a history of an earlier version, as the
    /// next recorder would. Without permission or room they stay as they are.
    private static func takeOver(_ file: HistoryFile) -> [String] {
        // A recorder notes the path of the file while it has it open.
        let isOpen = HistoryRow(ofFile: file.descriptor)?.path == file.path
        guard isOpen || file.isOfEarlierVersion || WaitingEvents.Moment(beside: file) != nil,
            access(file.path, W_OK) == 0, flock(file.descriptor, LOCK_SH | LOCK_NB) == 0
        else { return [] }
        flock(file.descriptor, LOCK_UN)
        guard let recorder = try? MotionHistory(at: file.url, acceptsFuture: true) else { return [] }
        try? recorder.finish()
        return recorder.remarks
    }

    /// Creates a history in memory. It ends with the last reference to it.
    ///
    /// - Parameters:
    ///   - retention: How long to keep events; nil, the default, for seven days.
    ///   - acceptsFuture: Whether to record events that are more than ten minutes ahead of the wall clock.
    /// - Throws: ``HistoryError`` if there is not enough memory.
    public static func inMemory(retention: Retention? = nil, acceptsFuture: Bool = false) throws -> MotionHistory {
        try inMemory(retention: retention, clock: acceptsFuture ? nil : wallClock)
    }

    /// Creates a history in memory with a clock for tests.
    package static func inMemory(
        retention: Retention? = nil, clock: (@Sendable () -> Timestamp)?
    ) throws -> MotionHistory {
        let queue = try DatabaseQueue(configuration: HistoryFile.configuration(isReadOnly: false))
        try queue.writeWithoutTransaction { db in
            try Schema.migrate(db)
            try Recorder.open(db, retention: retention)
        }
        return MotionHistory(nil, queue, [], writable: queue, clock: clock)
    }

    deinit { close() }

    /// Ends all access. Without readers in other processes, every change is then in the file itself, which has no
    /// companion files any more.
    ///
    /// The last reference to a history does the same, but a process may end before. Later calls throw ``HistoryError``.
    public func close() { try? finish() }

    /// Ends all access as ``close()`` does, and makes sure that the disk has everything that was recorded.
    ///
    /// - Throws: ``HistoryError`` if the disk fails or is full. What was recorded is then in the file `…-wal`, and the
    ///   next access tries again.
    public func finish() throws {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        defer { lock?.release() }
        do {
            try writable?.writeWithoutTransaction { db in
                if db.isInsideTransaction { try db.rollback() }
                if let file { try MotionHistory.empty(file, db) }
            }
        } catch {
            try? database.close()
            throw HistoryError.translating(error, at: url)
        }
        guard let file else { return }
        try? database.close()
        file.removeCompanions(isLocked: lock != nil)
    }

    /// Moves everything from the log to the file.
    private static func empty(_ file: HistoryFile, _ db: Database) throws {
        do {
            // A reader in another process may prevent it. The next writer then does it.
            try db.execute(sql: "PRAGMA busy_timeout = 500")
            try HistoryRow.note(path: nil, db)
            _ = try db.checkpoint(.truncate)
            try file.checkPresence()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        } catch {
            try HistoryFile.keepLog(db)
            throw error
        }
    }

    // MARK: Access

    /// Whether the history is open for reading only.
    var isReadOnly: Bool { writable == nil }

    /// Throws ``HistoryError`` after ``close()``, and for a file that was removed or replaced. A query of a closed
    /// connection would end the process. That of a history in memory stays open, for queries that have begun.
    func checkAccess() throws {
        guard !isClosed.load(ordering: .relaxed) else { throw HistoryError(.other("the history is closed"), at: url) }
        try file?.checkPresence()
    }

    /// Answers one or more queries from one state of the history.
    ///
    /// ```swift
    /// let (total, days) = try history.read { snapshot in
    ///     let wrist = try snapshot.source("wrist")
    ///     return (try wrist.steps(in: range), try wrist.steps(in: range, by: .day))
    /// }
    /// ```
    ///
    /// The counts of the days add up to the total, also while another process records.
    ///
    /// - Parameter question: Receives the snapshot, which is valid until the closure returns. Inside the closure, use
    ///   the snapshot and not the history: a nested read or recording is a programming error.
    /// - Throws: ``HistoryError``, and any error of `question`.
    public func read<Answer>(_ question: (HistorySnapshot) throws -> Answer) throws -> Answer {
        recordWaiting()
        return try readDatabase { try question(HistorySnapshot(url: url, db: $0)) }
    }

    /// Answers as ``read(_:)`` does, unless the answer is over before. Events that wait in this process are missing.
    /// `isOver` states whether to end. It is called often, on the thread of the answer.
    package func read<Answer>(
        until isOver: @escaping () -> Bool, _ question: (HistorySnapshot) throws -> Answer
    ) throws -> Answer {
        try readDatabase { db in try db.run(until: isOver) { try question(HistorySnapshot(url: url, db: db)) } }
    }

    /// Reads from one state of the database.
    func readDatabase<Answer>(_ question: (Database) throws -> Answer) throws -> Answer {
        try HistoryError.translating(at: url) {
            try checkAccess()
            if let file, file.isOutdated {
                let new = try file.reader()
                connections.withLock { $0 = new }
            }
            return try database.read(question)
        }
    }

    /// Changes the history in one transaction.
    func write<Outcome>(_ change: (Database) throws -> Outcome) throws -> Outcome {
        try self.change { db in
            let outcome = try MotionHistory.transaction(db, change)
            try boundLog(db)
            return outcome
        }
    }

    /// Runs a change as a transaction with news for other processes.
    static func transaction<Outcome>(_ db: Database, _ change: (Database) throws -> Outcome) throws -> Outcome {
        var outcome: Outcome?
        try db.inTransaction(.immediate) {
            outcome = try change(db)
            try HistoryRow.stampNews(db)
            return .commit
        }
        guard let outcome else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return outcome
    }

    /// Changes the history without a transaction.
    func change<Outcome>(_ change: (Database) throws -> Outcome) throws -> Outcome {
        guard let writable else { throw HistoryError(.readOnly, at: url) }
        return try HistoryError.translating(at: url) {
            try checkAccess()
            return try writable.writeWithoutTransaction(change)
        }
    }

    /// Undoes an open transaction.
    func rollBack() {
        try? change { db in if db.isInsideTransaction { try db.rollback() } }
    }

    /// The size in bytes above which the log is emptied while readers wait. Otherwise readers that overlap all the
    /// time, so that one always needs the log, make it grow without bound.
    private static let largestLog = 2 * HistoryFile.logSize
    /// The longest time to wait for readers, in milliseconds. New readers do not wait meanwhile.
    private static let longestWait = 250

    /// Empties a large log, after a transaction.
    func boundLog(_ db: Database) throws {
        guard let file, file.sizeOfLog > Self.largestLog else { return }
        try db.execute(sql: "PRAGMA busy_timeout = \(Self.longestWait)")
        // A reader that takes longer is tried again with the next call.
        _ = try? db.checkpoint(.truncate)
        try db.execute(sql: "PRAGMA busy_timeout = \(HistoryFile.longestWait)")
    }

    // MARK: Recording

    private static func wallClock() -> Timestamp { Timestamp(Date()) }

    /// Later events are set aside.
    var latest: Int64 { clock.map { $0().advanced(bySeconds: MotionHistory.tolerance).nanosecondsSince1970 } ?? .max }

    /// Records settled events of one source in one transaction.
    ///
    /// A segment, with the steps since the segment before it, replaces everything recorded for that source in its
    /// range. So recording a trace twice changes nothing, an overlapping trace replaces what it overlaps, and traces
    /// may be recorded in any order. A gap changes nothing. Steps outside segments are kept. Steps at the end of the
    /// events may belong to the first segment of the next call, so events may be recorded one by one. Events ahead of
    /// the wall clock are set aside, see ``init(at:retention:acceptsFuture:acceptsLeap:)``.
    ///
    /// - Parameters:
    ///   - events: The events of a ``/Footfall/MotionAnalyzer``, in its order, any number of them. For those of a live
    ///     device, ``record(_:of:from:timeZone:then:)`` writes less.
    ///   - source: The name of the wearer or device.
    ///   - timeZone: The wearer's time zone. Nil, the default, stands for the zone before or, for a new source, for the
    ///     system's.
    ///   - replaces: Whether the events may replace others of the same time. If not, a recording that would
    ///     replace anything fails with ``HistoryError/Reason/occupied(source:)``.
    /// - Returns: The numbers of recorded and dropped steps and segments.
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(*k* log *n*) for *k* events.
    @discardableResult
    public func record(
        _ events: some Sequence<MotionEvent>, from source: String, timeZone: TimeZone? = nil, replaces: Bool = true
    ) throws -> RecordingOutcome {
        try pending.withLock { pending in
            let (outcome, stillPending) = try write { db in
                try record(
                    events, pending: pending[source], from: source, timeZone: timeZone, replaces: replaces, db)
            }
            pending[source] = stillPending
            lock?.add(source)
            return outcome
        }
    }

    /// Records events inside a transaction. `pending` are the steps since the last segment of the source.
    func record(
        _ events: some Sequence<MotionEvent>, pending: [Int64]?, from source: String, timeZone: TimeZone?,
        replaces: Bool,
        _ db: Database
    ) throws -> (RecordingOutcome, pending: [Int64]) {
        let content = replaces ? nil : try RecordedContent(of: events, from: source, db)
        let recording = try Recorder.record(
            events, pending: pending ?? [], latest: latest, acceptsLeap: acceptsLeap, from: source, timeZone: timeZone,
            db)
        guard try content?.isKept(db) ?? true else { throw HistoryError(.occupied(source: source), at: url) }
        return recording
    }

    /// The steps since the last segment of a source.
    func pendingSteps(of source: String) -> [Int64]? { pending.withLock { $0[source] } }

    /// Takes over the sources of a recording that has ended, with their steps since the last segment.
    func end(_ recording: [String: [Int64]]) {
        for (source, steps) in recording {
            pending.withLock { $0[source] = steps }
            lock?.add(source)
        }
    }
}

extension MotionHistory {
    /// Removes everything recorded in a range. The range is then uncovered.
    ///
    /// Marks that lie within the range are removed with it. A source without any events left is removed. The rows are
    /// overwritten in the file. A leap of the time moves rows out of the retention. They count again if the leap is
    /// deleted within a day of recorded time.
    ///
    /// - Parameters:
    ///   - range: The range. It clips segments that reach out of it.
    ///   - source: The source; nil, the default, for the only one.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the removed rows.
    public func delete(in range: some TimeRange, from source: String? = nil) throws {
        recordWaiting()
        try write { db in
            guard let found = try SourceRow.find(source, at: url, db) else { return }
            let range = range.timestamps.clamped(to: Timestamp.supported)
            let nanoseconds = range.lowerBound.nanosecondsSince1970..<range.upperBound.nanosecondsSince1970
            guard !nanoseconds.isEmpty else { return }
            var writer = SourceWriter(found, retention: try db.retention())
            try MarkTable(source: found.id).remove(within: nanoseconds, newest: found.newest(db) ?? .min, db)
            try writer.erase(nanoseconds, db)
            try writer.restore(db)
            if try writer.source.oldest(from: writer.source.keptFrom, db) == nil { try found.remove(db) }
        }
    }
}
