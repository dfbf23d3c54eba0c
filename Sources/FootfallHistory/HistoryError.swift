public import Foundation
internal import GRDB

/// Why a history could not be opened, asked or written: what happened, to which file, and what to do about it.
public struct HistoryError: Error, Hashable, Sendable {
    /// The kinds of failure a program may want to tell apart.
    public enum Reason: Hashable, Sendable {
        /// There is no file, or it was removed or replaced while it was open.
        case missing
        /// Not a history: a folder, a text, another program's database.
        case foreign
        /// A history whose pages contradict each other.
        case damaged
        /// Written by a newer version of Footfall than this one.
        case newerVersion(Int)
        /// The file, or the folder it is in, may not be read or written.
        case notPermitted
        /// The history was opened for reading only.
        case readOnly
        /// Another writer has the history open.
        case locked(by: Writer)
        /// The disk is full, or the file has reached the size it may have.
        case full
        /// No source has this name.
        case unknownSource(String, known: [String])
        /// There are several sources, and none was named.
        case severalSources([String])
        /// A line of an export could not be read.
        case malformed(line: Int)
        /// Anything else, in SQLite's words.
        case other(String)
    }

    /// Who holds a history open for writing.
    public struct Writer: Hashable, Sendable {
        /// The process, as far as it is known.
        public var process: Int32?
        /// The sources it has recorded so far.
        public var sources: [String]

        /// Creates the description of a writer.
        public init(process: Int32?, sources: [String]) {
            self.process = process
            self.sources = sources
        }
    }

    /// What happened.
    public var reason: Reason
    /// The file it happened to; nil for a history in memory.
    public var url: URL?

    /// Creates an error.
    public init(_ reason: Reason, at url: URL?) {
        self.reason = reason
        self.url = url
    }
}

extension HistoryError: LocalizedError, CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String { "\(what) \(remedy)" }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// What to do about it.
    public var recoverySuggestion: String? { remedy }

    private var place: String { url?.path ?? "The history in memory" }

    private var what: String {
        switch reason {
        case .missing: "\(place): there is no history here, or it was removed while it was open."
        case .foreign: "\(place): this is not a Footfall history."
        case .damaged: "\(place): the history is damaged."
        case .newerVersion(let version): "\(place): the history has version \(version), newer than this program knows."
        case .notPermitted: "\(place): no permission."
        case .readOnly: "\(place): the history is open for reading only."
        case .locked(let writer): "\(place): another writer has the history open, \(writer)."
        case .full: "\(place): no space is left; what was being recorded was not kept, what was there before is."
        case .unknownSource(let name, let known):
            "\(place): there is no source named \(name); there is \(HistoryError.list(known))."
        case .severalSources(let names): "\(place): several sources have a history here: \(HistoryError.list(names))."
        case .malformed(let line): "\(place): line \(line) is not a line of an export of a history."
        case .other(let message): "\(place): \(message)."
        }
    }

    private var remedy: String {
        switch reason {
        case .missing: "Check the path. Recording makes a history, but not the folder for it."
        case .foreign: "Choose another path; the file was left as it is."
        case .damaged: "The file was left as it is. Restore a copy, or move it away and record the traces again."
        case .newerVersion: "Update Footfall; the file was left as it is."
        case .notPermitted: "Check the owner and the mode of the file and of its folder."
        case .readOnly: "Open it for writing to record or delete."
        case .locked: "Stop that writer, or wait until it is done."
        case .full: "Make room, then record again."
        case .unknownSource, .severalSources: "Name one of them."
        case .malformed: "Nothing was imported. Use a file as it was exported."
        case .other: "The history was left as it was before."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

extension HistoryError.Writer: CustomStringConvertible {
    /// Such as `process 4711, which records wrist`.
    public var description: String {
        let who = process.map { "process \($0)" } ?? "a process that did not say who it is"
        return sources.isEmpty ? who : "\(who), which records \(sources.joined(separator: ", "))"
    }
}

extension HistoryError {
    /// Puts what SQLite or GRDB threw in the terms of a history; passes everything else on.
    static func translating(_ error: any Error, at url: URL?) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let reason: Reason =
            switch error.resultCode {
            case .SQLITE_CORRUPT: .damaged
            case .SQLITE_NOTADB: .foreign
            case .SQLITE_FULL: .full
            // A limit on file sizes or a quota shows as a failed write.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_WRITE: .full
            case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_AUTH: .notPermitted
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(by: Writer(process: nil, sources: []))
            default: .other(error.description)
            }
        return HistoryError(reason, at: url)
    }
}
