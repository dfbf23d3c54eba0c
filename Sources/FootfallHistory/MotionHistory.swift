public import Footfall
public import Foundation
internal import GRDB
internal import Synchronization

/// What was recorded of the wearers' motion, for seven days or as long as it is told to, and what can be asked of it.
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
/// - **One writer, many readers.** A file has one writer at a time, in this or any other process; another one gets an
///   error that names the first. Any number of readers, see ``init(reading:)``, ask at the same time and neither wait
///   nor make the writer wait. Every question is answered from one state of the file, never from half a recording.
/// - **Ranges are half open**: a step belongs to a range when `start ≤ time < end`, so neighbouring ranges add up.
/// - **Answers stay.** Only recording the same time of the same source again, or
///   ``delete(in:from:)-(Range<Timestamp>,_)``, changes what is said about it, until it is forgotten for its age.
/// - **Sources do not touch each other.** Where a question names no source, the only one there is is meant.
///
/// A history is safe to share between threads and tasks.
public final class MotionHistory: Sendable {
    /// Where the history is; nil for one in memory.
    public var url: URL? { file?.url }

    let database: any DatabaseReader
    private let writable: (any DatabaseWriter)?
    private let file: HistoryFile?
    private let lock: WriterLock?
    /// Steps recorded last, by source, that no segment has covered yet.
    private let waiting = Mutex<[String: [Int64]]>([:])

    /// Opens a history for recording, and makes it when there is none. The file gets mode 0600.
    ///
    /// A file that is not a history, is damaged, or comes from a newer version is refused and left as it is. One from
    /// an older version is brought to this one.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist.
    ///   - retention: How long to remember from now on; the file keeps it. Nil, the default, leaves it as it is, which
    ///     is seven days for a new history. A longer one does not bring back what is forgotten.
    /// - Throws: ``HistoryError``.
    public init(at url: URL, retention: Retention? = nil) throws {
        let url = url.standardizedFileURL
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        if exists { try HistoryFile.checkHeader(at: url) }
        lock = try WriterLock(for: url)
        if FileManager.default.fileExists(atPath: url.path) {
            try HistoryFile.checkHeader(at: url)
            try HistoryFile.checkPages(at: url)
        } else {
            try HistoryFile.create(at: url)
        }
        do {
            file = try HistoryFile(at: url)
            let pool = try DatabasePool(path: url.path, configuration: HistoryFile.configuration(isReadOnly: false))
            try pool.writeWithoutTransaction { db in
                try Schema.migrate(db)
                try Recorder.open(db, retention: retention)
            }
            database = pool
            writable = pool
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }

    /// Opens a history to ask questions only. It is neither made nor changed, whoever writes to it meanwhile.
    ///
    /// - Throws: ``HistoryError``.
    public init(reading url: URL) throws {
        let url = url.standardizedFileURL
        try HistoryFile.checkHeader(at: url)
        do {
            file = try HistoryFile(at: url)
            database = try HistoryFile.reader(at: url)
            writable = nil
            lock = nil
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }

    /// - Parameter name: One of SQLite's names for databases without a file that others could open.
    private init(named name: String, _ retention: Retention?) throws {
        let queue = try DatabaseQueue(path: name, configuration: HistoryFile.configuration(isReadOnly: false))
        try queue.writeWithoutTransaction { db in
            try Schema.migrate(db)
            try Recorder.open(db, retention: retention)
        }
        database = queue
        writable = queue
        file = nil
        lock = nil
    }

    /// Makes a history that is gone with the last reference to it.
    ///
    /// - Throws: ``HistoryError`` when there is no memory for it.
    public static func inMemory(retention: Retention? = nil) throws -> MotionHistory {
        try MotionHistory(named: ":memory:", retention)
    }

    /// Makes a history that is gone with the last reference to it, and that takes a few megabytes of memory however much
    /// is recorded: the rest is in a temporary file without a name, which is gone however the process ends.
    ///
    /// - Throws: ``HistoryError`` when there is no room for it.
    package static func temporary(retention: Retention? = nil) throws -> MotionHistory {
        // https://www.sqlite.org/inmemorydb.html#temp_db
        try MotionHistory(named: "", retention)
    }

    // MARK: Access

    /// Whether the history only answers questions.
    var isReadOnly: Bool { writable == nil }

    /// Answers a question from one state of the history.
    func read<Answer>(_ question: (Database) throws -> Answer) throws -> Answer {
        do {
            try file?.checkPresence()
            return try database.read(question)
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }

    /// Changes the history, wholly or not at all.
    func write<Outcome>(_ change: (Database) throws -> Outcome) throws -> Outcome {
        guard let writable else { throw HistoryError(.readOnly, at: url) }
        do {
            try file?.checkPresence()
            return try writable.write { db in
                let outcome = try change(db)
                try db.run("UPDATE history SET revision = revision + 1")
                return outcome
            }
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }

    // MARK: Recording

    /// Records settled events of one source, all of them or, when it throws, none.
    ///
    /// A segment, with the steps since the segment before it, is a complete statement about its span: it replaces
    /// whatever was recorded of that source in that span. So recording a trace twice changes nothing, a corrected or
    /// overlapping trace replaces what it overlaps, and traces may come in any order. Gaps say nothing and remove
    /// nothing. Steps that no segment covers are kept by themselves; when they are the last events, they wait for the
    /// segment that the next call may bring, so that events can be recorded one by one as well.
    ///
    /// - Parameters:
    ///   - events: What a ``/Footfall/MotionAnalyzer`` returned, in its order. Each call is one transaction: a live recorder
    ///     calls at least once a second, one that reads files hands over as much as it likes.
    ///   - source: The name of the wearer or device.
    ///   - timeZone: Where the wearer was. Nil, the default, means where they were before, and for a new source the
    ///     system's zone.
    /// - Returns: What came of the events.
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(*k* log *n*) for *k* events.
    @discardableResult
    public func record(
        _ events: some Sequence<MotionEvent>, from source: String, timeZone: TimeZone? = nil
    ) throws -> RecordingOutcome {
        try waiting.withLock { waiting in
            let (outcome, stillWaiting) = try write { db in
                try Recorder.record(
                    events, waiting: waiting[source] ?? [], from: source, timeZone: timeZone, db)
            }
            waiting[source] = stillWaiting
            lock?.add(source)
            return outcome
        }
    }
}
