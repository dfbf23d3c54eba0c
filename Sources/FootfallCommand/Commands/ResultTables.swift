import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReport
import Foundation
import Synchronization

/// A folder of results: `traces.ndjson` with a line for each trace, for each trace a folder of tables, and the joint tables of
/// persons and days.
///
/// The line of a trace is written after its tables, so every trace with a line is done. `--resume` skips these.
final class ResultTables: Sendable {
    private static let journalName = "traces.ndjson"

    private let folder: URL
    private let measures: DayRules
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
    ///   - measures: The rules of the measures of days.
    ///   - rule: Which existing files are not replaced.
    /// - Throws: `FileError`.
    init(
        in folder: URL, of files: [TraceFile], resumes: Bool, _ measures: DayRules, _ rule: OutputRule
    ) throws {
        (self.folder, self.measures, self.rule) = (folder, measures, rule)
        (subfolders, clashes) = Self.subfolders(of: files)
        try OutputTable.make(folder)
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
        let name = subfolders[file.path] ?? file.name
        return try TraceTables(in: folder.appending(path: name), of: name, timeZone: timeZone, measures, gait, rule)
    }

    /// Adds the line of a trace whose tables are complete.
    func note(_ analysis: TraceAnalysis) throws {
        try journal.withLock { journal in
            JSONValue.object(analysis.record()).write { journal.add($0) }
            journal.add("\n")
            try journal.finish()
        }
    }

    /// Joins the traces into tables of persons and of days. Each trace is a person.
    ///
    /// - Throws: `FileError` for tables that cannot be written, and for results that cannot be read.
    func finish() throws {
        guard let traces = try? TraceResults.folders(in: folder), !traces.isEmpty else { return }
        var summary = try ResultSummary(of: [folder], nil, by: measures)
        try SummaryTables(in: folder, rule).write(&summary)
        for failure in summary.failures { Terminal.note("footfall: \(failure)") }
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
