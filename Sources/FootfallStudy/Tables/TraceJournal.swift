internal import FootfallHistory
internal import FootfallTables
internal import Foundation
internal import Synchronization

/// `traces.ndjson`: a line for each trace whose tables are complete.
final class TraceJournal: Sendable {
    static let name = "traces.ndjson"

    /// A line.
    struct Entry {
        let trace: String
        let steps: Int
        /// The log; nil if it was a pipe.
        let log: LogIdentity?
        fileprivate let line: Data

        /// Reads a line; nil for one that is not whole.
        fileprivate init?(_ line: Data) {
            guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                let trace = object["trace"] as? String
            else { return nil }
            (self.trace, self.line) = (trace, line)
            (steps, log) = (object["steps"] as? Int ?? 0, LogIdentity(object["log"]))
        }
    }

    /// Used under the lock only. A mutex that holds the file would not take a record, which may be too long to be a
    /// text first.
    private nonisolated(unsafe) let file: OutputFile
    private let lock = Mutex(())

    /// The lines in a folder of results, the newest for each trace.
    static func entries(in folder: URL) -> [String: Entry] {
        let text = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
        // A process that was killed leaves a line without an end.
        let whole = text.prefix(through: text.lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex - 1)
        let entries = whole.split(separator: UInt8(ascii: "\n")).compactMap(Entry.init)
        return Dictionary(entries.map { ($0.trace, $0) }) { $1 }
    }

    /// Starts the file with lines of an earlier command.
    init(in folder: URL, _ rule: OutputRule, after entries: [Entry]) throws(FileError) {
        let path = folder.appending(path: Self.name).relativePath
        let file = try OutputFile(path, marker: "{\"trace\":", rule)
        for entry in entries { file.add(Array(entry.line) + [UInt8(ascii: "\n")]) }
        try file.finish()
        self.file = file
    }

    /// Adds the line of a trace whose tables are complete.
    func add(_ record: Record) throws(FileError) {
        let line = JSONValue.object(record)
        try lock.withLock { _ throws(FileError) in
            line.write { file.add($0) }
            file.add("\n")
            try file.finish()
        }
    }
}
