public import Foundation
internal import GRDB

/// A failure to open, read or write a history: the file, the problem and the remedy.
public struct HistoryError: Error, Hashable, Sendable {
    /// The kind of a failure.
    public enum Reason: Hashable, Sendable {
        /// The file does not exist, or it was removed or replaced while it was open.
        case missing
        /// There is a file already.
        case exists
        /// The file is not a history.
        case foreign
        /// The history is damaged: a page, or a stored value that no recording writes.
        case damaged
        /// A newer version of Footfall wrote the history.
        case newerVersion(Int)
        /// The process has no permission for the file or its folder.
        case notPermitted
        /// The history is open for reading only.
        case readOnly
        /// Another writer has the history open.
        case locked(by: Writer)
        /// The disk is full, or the file reached its size limit.
        case full
        /// No source has this name.
        case unknownSource(String, known: [String])
        /// A name that no source may have: empty, longer than 256 characters, or with a NUL.
        case invalidSource
        /// There are several sources, and the query names none.
        case severalSources([String])
        /// The range has this number of buckets, more than ``CalendarBucket/most``.
        case tooManyBuckets(Int)
        /// The source holds something else of the same time, and the recording may not replace it.
        case occupied(source: String)
        /// A mark is older than the history keeps, or outside 1900 to 2150.
        case unkept
        /// No mark has this text in the range.
        case unknownMark(String)
        /// A line of an export is invalid.
        case malformed(line: Int)
        /// An export ends before its last line, or there is none. The number is that of its lines.
        case incomplete(lines: Int)
        /// Another failure, with SQLite's message.
        case other(String)
    }

    /// The process that has a history open for writing.
    public struct Writer: Hashable, Sendable {
        /// The process id, if known.
        public var process: Int32?
        /// The sources that it recorded so far.
        public var sources: [String]

        /// Creates the description of a writer.
        public init(process: Int32?, sources: [String]) {
            self.process = process
            self.sources = sources
        }
    }

    /// The kind of the failure.
    public var reason: Reason
    /// The file; nil for a history in memory.
    public var url: URL?

    /// Creates an error.
    public init(_ reason: Reason, at url: URL?) {
        self.reason = reason
        self.url = url
    }
}

extension HistoryError: LocalizedError, CustomStringConvertible {
    /// The file, the problem and the remedy.
    public var description: String { "\(place): \(problem) \(remedy)" }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? { remedy }

    /// The folder of the file; nil if it exists.
    private var missingFolder: String? {
        guard let folder = url?.deletingLastPathComponent().path else { return nil }
        return FileManager.default.fileExists(atPath: folder) ? nil : folder
    }

    private var place: String { url?.path ?? "The history in memory" }

    /// The problem, without the file.
    package var problem: String {
        switch reason {
        case .missing where missingFolder != nil: "there is no folder \(missingFolder ?? "")."
        case .missing: "no such history, or it was removed while it was open."
        case .exists: "there is a file already."
        case .foreign: "this is not a Footfall history."
        case .damaged: "the history is damaged."
        case .newerVersion(let version):
            "the history has version \(version), which is newer than this program."
        case .notPermitted: "no permission."
        case .readOnly: "the history is open for reading only."
        case .locked(let writer): "another writer has the history open, \(writer)."
        case .full: "no space is left."
        case .unknownSource(let name, known: []): "there is no source named \(name); nothing is recorded yet."
        case .unknownSource(let name, let known):
            "there is no source named \(name); there is \(known.joined(separator: ", "))."
        case .invalidSource: "the name of a source has 1 to \(Mark.longestText) characters and no NUL."
        case .severalSources(let names): "several sources have a history here: \(names.joined(separator: ", "))."
        case .tooManyBuckets(let count):
            "the range has about \(count) buckets, and an answer has at most \(CalendarBucket.most)."
        case .occupied(let source): "\(source) holds another trace of the same time."
        case .unkept: "the time of the mark is older than the history keeps, or outside 1900 to 2150."
        case .unknownMark(let text): "no mark “\(text)” starts in the range."
        case .malformed(let line): "line \(line) is not a line of a history's export."
        case .incomplete(0): "this is not an export of a history; it is empty."
        case .incomplete(let lines): "the export ends after line \(lines), without the line that counts them."
        case .other(let message): "\(message)."
        }
    }

    private var remedy: String {
        switch reason {
        case .missing where missingFolder != nil: "Check the path, or create the folder."
        case .missing: "Check the path. Recording creates the file."
        case .exists, .foreign: "Choose another path. The file is unchanged."
        case .damaged:
            "The file is unchanged. Move it away, together with the files beside it. Then restore a copy, or record the "
                + "traces again."
        case .newerVersion: "Update Footfall. The file is unchanged."
        case .notPermitted: "Check the owner and the mode of the file and of its folder."
        case .readOnly: "Open it for writing to record or delete."
        case .locked: "Stop that writer, or wait until it ends."
        case .full: "Free some space, then try again. All that was recorded before is kept."
        case .unknownSource(_, known: []): "Record it first."
        case .unknownSource, .severalSources: "Name one of them."
        case .invalidSource: "Nothing was recorded. Use another name."
        case .tooManyBuckets: "Ask for longer buckets or a shorter range."
        case .occupied: "Nothing was replaced. Record the trace at another time or under another name."
        case .unkept: "Nothing was marked. Mark a later time."
        case .unknownMark: "Nothing was removed. 'footfall query steps --by mark' lists the marks."
        case .malformed, .incomplete: "Nothing was imported. Use an unchanged export."
        case .other: "The history is unchanged."
        }
    }
}

extension HistoryError.Writer: CustomStringConvertible {
    /// Such as `process 4711, which records wrist`.
    public var description: String {
        let who = process.map { "process \($0)" } ?? "an unknown process"
        return sources.isEmpty ? who : "\(who), which records \(sources.joined(separator: ", "))"
    }
}

extension HistoryError {
    private static let failedWrites: [ResultCode] = [.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE]

    /// Runs `body`, and converts its errors.
    static func translating<Value>(at url: URL?, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw translating(error, at: url) }
    }

    /// Converts an error of SQLite or GRDB; returns any other error unchanged.
    static func translating(_ error: any Error, at url: URL?) -> any Error {
        if var error = error as? HistoryError, error.url == nil {
            error.url = url
            return error
        }
        if error is RowDecodingError { return HistoryError(.damaged, at: url) }
        if let error = error as? CocoaError, error.code == .fileWriteOutOfSpace { return HistoryError(.full, at: url) }
        guard let error = error as? DatabaseError else { return error }
        if error.resultCode == .SQLITE_INTERRUPT { return CancellationError() }
        let reason: Reason =
            switch error.resultCode {
            case .SQLITE_CORRUPT: .damaged
            // The statements are fixed, so a failed statement or a broken constraint is due to the file.
            case .SQLITE_ERROR where error.sql != nil: .damaged
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG: .damaged
            case .SQLITE_NOTADB: .foreign
            case .SQLITE_FULL: .full
            // A full disk, a quota or a limit of the size of files makes a write fail. The index of the log is 32 kB,
            // also for readers.
            case .SQLITE_IOERR where failedWrites.contains(error.extendedResultCode): .full
            case .SQLITE_IOERR:
                .other("the disk or the file system failed (\(error.message ?? "error \(error.resultCode)"))")
            case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_AUTH: .notPermitted
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(by: Writer(process: nil, sources: []))
            default: .other(error.description)
            }
        return HistoryError(reason, at: url)
    }
}
