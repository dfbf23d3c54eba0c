internal import Footfall
internal import FootfallHistory
package import FootfallMeasures
package import FootfallReaders
internal import FootfallTables
package import Foundation
internal import Synchronization

/// A folder of results: `traces.ndjson` with a line for each trace, for each trace a folder of tables, and the joint
/// tables of persons and days.
///
/// The line of a trace is written after its tables, so every trace with a line is done. `--resume` skips these.
package final class ResultTables: Sendable {
    private let folder: URL
    private let measures: DayRules
    private let allColumns: Bool
    private let epochs: EpochLength
    private let rule: OutputRule
    private let journal: TraceJournal
    /// The folder of each trace's tables.
    private let subfolders: [TraceFile: String]
    /// The traces that are analyzed: neither done nor in the place of others.
    package let open: [TraceFile]
    /// The paths of the traces that were done and have changed since.
    package let changed: [String]
    /// The number of traces that are done, and their steps.
    package let done: (traces: Int, steps: Int)
    /// The traces that would take the place of others. They are not analyzed.
    package let clashes: [FileError]
    /// Whether this command wrote the tables of a trace.
    private let hasNew = Atomic(false)

    /// Prepares the folder.
    ///
    /// - Parameters:
    ///   - folder: Created where it is missing.
    ///   - files: The traces. Those whose names differ only in their extensions keep these in the names of their
    ///     folders.
    ///   - resumes: Whether to keep the traces that are done; otherwise the list starts empty.
    ///   - measures: The rules of the measures of days.
    ///   - allColumns: Whether `persons.csv` has all columns.
    ///   - epochs: The length of the epochs.
    ///   - rule: Which existing files are not replaced.
    /// - Throws: `FileError`.
    package init(
        in folder: URL, of files: [TraceFile], resumes: Bool, _ measures: DayRules, allColumns: Bool,
        epochs: EpochLength, _ rule: OutputRule
    ) throws {
        (self.folder, self.measures, self.allColumns, self.rule) = (folder, measures, allColumns, rule)
        self.epochs = epochs
        var clashes: [FileError]
        (subfolders, clashes) = Self.subfolders(of: files)
        var (open, changed, done): ([TraceFile], [String], (traces: Int, steps: Int)) = ([], [], (0, 0))
        try OutputTable.make(folder)
        var entries = resumes ? TraceJournal.entries(in: folder) : [:]
        for file in files {
            guard let subfolder = subfolders[file] else { continue }
            let tables = folder.appending(path: subfolder)
            switch Self.state(of: file, entries[file.name], tables) {
            case .open:
                open.append(file)
            case .changed:
                open.append(file)
                changed.append(file.path)
            case .done(let steps):
                done = (done.traces + 1, done.steps + steps)
                continue
            case .occupied(let other):
                clashes.append(Self.clash(of: file, with: other))
                continue
            }
            entries[file.name] = nil
        }
        (self.open, self.changed, self.done, self.clashes) = (open, changed, done, clashes)
        journal = try TraceJournal(in: folder, rule, after: entries.values.sorted { $0.trace < $1.trace })
    }

    /// What an earlier command has of a trace.
    private enum State {
        case open
        /// The tables are of an earlier content of the file.
        case changed
        case done(steps: Int)
        /// The tables are of another log of the same name.
        case occupied(by: String)
    }

    private static func state(of file: TraceFile, _ entry: TraceJournal.Entry?, _ tables: URL) -> State {
        guard let entry, let known = entry.log, let log = LogIdentity(of: file.path) else { return .open }
        guard log.isSameLog(as: known) else { return log.path == known.path ? .changed : .occupied(by: known.path) }
        return TableFolder(tables).isWhole ? .done(steps: entry.steps) : .open
    }

    /// Starts the tables of a trace.
    ///
    /// - Parameters:
    ///   - timeZone: The zone of hours, days and local times.
    ///   - gait: The stage of the gait measures, without samples.
    /// - Throws: `HistoryError` where there is no room for temporary files.
    package func tables(
        of file: TraceFile, timeZone: TimeZone, _ gait: GaitMeter
    ) throws -> TraceTables {
        let name = subfolders[file] ?? file.name
        return try TraceTables(
            in: folder.appending(path: name), of: name, timeZone: timeZone, measures, epochs: epochs, gait, rule)
    }

    /// Adds the line of a trace whose tables are complete.
    package func note(_ analysis: TraceAnalysis, of log: LogIdentity?) throws {
        try journal.add(analysis.record(log: log))
        hasNew.store(true, ordering: .relaxed)
    }

    /// Joins the traces into tables of persons and of days. Each trace is a person.
    ///
    /// - Returns: The errors of tables that cannot be read. Their traces are left out.
    /// - Throws: `FileError` for tables that cannot be written.
    package func finish() throws -> [TraceError] {
        // Without a table of this command, those in the folder are as they were, and may be somebody else's.
        guard hasNew.load(ordering: .relaxed) || done.traces > 0 else { return [] }
        var summary = try ResultSummary(of: [folder], nil, by: measures)
        try SummaryTables(in: folder, allColumns: allColumns, rule).write(&summary)
        return summary.failures
    }

    private static func subfolders(of files: [TraceFile]) -> (subfolders: [TraceFile: String], clashes: [FileError]) {
        let names = Dictionary(grouping: Set(files), by: \.stem).mapValues { Set($0.map(\.name)) }
        var owners: [String: TraceFile] = [:]
        var clashes: [FileError] = []
        for file in files {
            let folder = names[file.stem]?.count == 1 ? file.stem : file.name
            if let other = owners[folder] {
                clashes.append(clash(of: file, with: other.path))
            } else {
                owners[folder] = file
            }
        }
        return (Dictionary(uniqueKeysWithValues: owners.map { ($1, $0) }), clashes)
    }

    private static func clash(of file: TraceFile, with other: String) -> FileError {
        FileError(
            path: file.path, problem: "its tables would take the place of those of \(other); rename one of them")
    }
}

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
