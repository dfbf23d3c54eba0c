import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReport
import Foundation
import Synchronization

/// A folder of results: `traces.ndjson` with a line for each trace, for each trace a folder of tables, and `columns.json`, which
/// describes their columns.
///
/// The line of a trace is written after its tables, so every trace with a line is done. `--resume` skips these.
final class ResultTables: Sendable {
    private static let journalName = "traces.ndjson"

    private let folder: URL
    private let leastWear: Double
    private let rule: OutputRule
    private let journal: Mutex<OutputFile>
    private let done: Set<String>
    /// The folder of each trace's tables, by the path of the trace.
    private let subfolders: [String: String]
    /// The traces that would take the place of others. They are not analysed.
    let clashes: [FileError]

    /// Prepares the folder.
    ///
    /// - Parameters:
    ///   - folder: Created where it is missing.
    ///   - files: The traces. Those whose names differ only in their extensions keep these in the names of their folders.
    ///   - resumes: Whether to keep the traces that are done; otherwise the list starts empty.
    ///   - leastWear: The wear of a valid day, in seconds.
    ///   - rule: Which existing files are not replaced.
    /// - Throws: `FileError`.
    init(
        in folder: URL, of files: [TraceFile], resumes: Bool, leastWear: Double, _ rule: OutputRule
    ) throws {
        (self.folder, self.leastWear, self.rule) = (folder, leastWear, rule)
        (subfolders, clashes) = Self.subfolders(of: files)
        try Self.make(folder)
        let url = folder.appending(path: Self.journalName)
        let journal = try OutputFile(url.relativePath, marker: "{\"trace\":", rule)
        let old = resumes ? (try? Data(contentsOf: url)) ?? Data() : Data()
        // A process that was killed leaves a line without an end.
        let whole = old.prefix(through: old.lastIndex(of: UInt8(ascii: "\n")) ?? old.startIndex - 1)
        done = Set(whole.split(separator: UInt8(ascii: "\n")).compactMap(Self.trace))
        journal.add(Array(whole))
        try journal.finish()
        self.journal = Mutex(journal)
    }

    /// Whether a trace is still to be analysed: its results are not complete, and do not take the place of others.
    func isOpen(_ file: TraceFile) -> Bool { subfolders[file.path] != nil && !done.contains(file.name) }

    /// Starts the tables of a trace.
    ///
    /// - Parameters:
    ///   - timeZone: The zone of hours and days.
    ///   - gait: The stage of the gait measures, without samples.
    /// - Throws: `HistoryError` where there is no room for temporary files.
    func tables(of file: TraceFile, timeZone: TimeZone, _ gait: GaitMeter) throws -> TraceTables {
        try TraceTables(
            in: folder.appending(path: subfolders[file.path] ?? file.name), timeZone: timeZone, gait,
            leastWear: leastWear, rule)
    }

    /// Adds the line of a trace whose tables are complete.
    func note(_ analysis: TraceAnalysis) throws {
        try journal.withLock { journal in
            journal.add(JSONValue.object(analysis.record()).text + "\n")
            try journal.finish()
        }
    }

    /// Writes the descriptions of the tables as `columns.json`.
    func finish() throws(FileError) {
        let file = try OutputFile(
            folder.appending(path: "columns.json").relativePath, marker: "[{\"table\":", rule)
        var writer = RecordWriter(format: .json, columns: []) { file.add($0) }
        for record in TableDescription.results.flatMap(\.records) { writer.write(record) }
        writer.finish()
        try file.finish()
    }

    static func make(_ folder: URL) throws(FileError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            guard FileManager.default.fileExists(atPath: folder.path) else {
                throw FileError(error, path: folder.path, .writing)
            }
            throw FileError(path: folder.path, problem: "is a file, not a folder for tables; name another", .writing)
        }
    }

    private static func subfolders(of files: [TraceFile]) -> (subfolders: [String: String], clashes: [FileError]) {
        let names = Dictionary(grouping: Set(files), by: \.stem).mapValues { Set($0.map(\.name)) }
        var owners: [String: String] = [:]
        var clashes: [FileError] = []
        for file in files {
            let folder = names[file.stem]?.count == 1 ? file.stem : file.name
            if let other = owners[folder] {
                clashes.append(
                    FileError(
                        path: file.path,
                        problem: "its tables would take the place of those of \(other); rename one of them"))
            } else {
                owners[folder] = file.path
            }
        }
        return (Dictionary(uniqueKeysWithValues: owners.map { ($1, $0) }), clashes)
    }

    private static func trace(in line: Data) -> String? {
        (try? JSONSerialization.jsonObject(with: line) as? [String: Any])?["trace"] as? String
    }
}
