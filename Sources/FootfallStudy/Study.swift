internal import Footfall
internal import FootfallHistory
public import FootfallMeasures
public import FootfallReaders
public import Foundation

/// A folder of results: the tables of many logs, and those of their days and persons.
///
/// The folder has what `footfall analyze --tables` and `footfall summarize` write: a folder of tables for each log,
/// `persons.csv`, `days.csv`, and `columns.json`, which describes all columns. Existing tables of Footfall are
/// replaced, other files are not.
public struct Study: Sendable {
    /// The folder. It is created where it is missing.
    public let folder: URL
    /// The rules of the measures of days.
    public var rules: DayRules

    /// Names a folder of results.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - rules: The rules of the measures of days.
    public init(in folder: URL, rules: DayRules = DayRules()) { (self.folder, self.rules) = (folder, rules) }

    /// Analyzes logs one by one, and writes their tables and those of all days and persons. Each log is a person.
    ///
    /// - Parameters:
    ///   - logs: The files, or folders of them.
    ///   - options: How to read the logs. The start of the logs and their zone hold for all of them.
    ///   - timeZone: The zone of the wearers, of days and local times; nil for the one that each log states, else UTC.
    ///   - epochs: The length of the epochs, from which the measures of intensity follow.
    ///   - gait: The stage of the gait measures, without samples.
    ///   - isLenient: Whether a log may lose more than a tenth of its rows.
    ///   - keepsDone: Whether to skip the logs whose tables are complete and that have not changed since.
    /// - Returns: The errors of logs that cannot be read. They do not stop the others.
    /// - Throws: ``FileError`` for tables that cannot be written, and `HistoryError` where there is no room for
    ///   temporary files.
    public func analyze(
        _ logs: [URL], options: TraceOptions = TraceOptions(), timeZone: TimeZone? = nil,
        epochs: EpochLength = .five, gait: GaitMeter = GaitMeter(), isLenient: Bool = false, keepsDone: Bool = false
    ) throws -> [any Error] {
        var options = options
        options.timeZone = timeZone ?? options.timeZone
        let search = TraceSearch(at: logs.map(\.relativePath), besides: folder)
        let rule = OutputRule(inputs: search.files.compactMap { FileIdentity(of: $0.path) })
        let results = try ResultTables(
            in: folder, of: search.files, resumes: keepsDone, rules, allColumns: false, epochs: epochs, rule)
        var failures: [any Error] = search.failures + results.clashes
        for file in results.open {
            do {
                try Self.analyze(file, into: results, options, timeZone, gait, isLenient)
            } catch let error as TraceError {
                failures.append(error)
            }
        }
        return failures + (try results.finish())
    }

    private static func analyze(
        _ file: TraceFile, into results: ResultTables, _ options: TraceOptions, _ timeZone: TimeZone?,
        _ gait: GaitMeter, _ isLenient: Bool
    ) throws {
        let log = LogIdentity(of: file.path)
        let remedy: ParameterText? = isLenient ? nil : "to analyze the other rows, set isLenient"
        let request = AnalysisRequest(options, timeZone: timeZone, lossRemedy: remedy)
        var listener = TablesListener(file: file, results: results, request: request, gait: gait)
        let analysis = try TraceAnalysis(file, request, to: &listener)
        try listener.tables?.finish(analysis)
        try results.note(analysis, of: log)
    }

    /// Joins the tables of the logs in the folder by person, and writes `persons.csv` and `days.csv` again.
    ///
    /// - Parameters:
    ///   - table: Who wore the sensors: a CSV table with the columns `trace` and `person`, and if needed `start`, of a
    ///     log without a date, `tz`, the wearer's zone, and `night`, such as `22:30-06:30`. Without it each log is a
    ///     person.
    ///   - allColumns: Whether `persons.csv` has the means and medians of all columns of days.
    /// - Returns: The persons, in the order of the table or of their names. ``PersonRow/unreadableLogs`` counts logs
    ///   with broken tables.
    /// - Throws: `TraceError` for a table of persons that cannot be read, ``FileError`` for a folder without tables and
    ///   for tables that cannot be written.
    public func summarize(persons table: URL? = nil, allColumns: Bool = false) throws -> [PersonRow] {
        let people = try table.map { try PersonTable(contentsOf: $0.relativePath) }
        var summary = try ResultSummary(of: [folder], people, by: rules)
        let inputs = summary.files + (table.map { [$0.relativePath] } ?? [])
        let rule = OutputRule(inputs: inputs.compactMap { FileIdentity(of: $0) })
        var persons: [PersonRow] = []
        try SummaryTables(in: folder, allColumns: allColumns, rule).write(&summary) { persons.append($0) }
        return persons
    }
}

/// Writes the tables of a trace.
private struct TablesListener: TraceListener {
    let file: TraceFile
    let results: ResultTables
    let request: AnalysisRequest
    let gait: GaitMeter
    var tables: TraceTables?

    mutating func begin(in timeZone: TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)? {
        let zone = timeZone ?? request.options.timeZone
        let new = try results.tables(of: file, timeZone: zone, gait)
        tables = new
        return { [epochs = new.epochs] in epochs.add($0) }
    }

    mutating func take(_ samples: RepairedSamples) throws { try tables?.add(samples) }

    mutating func take(_ events: [MotionEvent], start: Timestamp) throws { try tables?.add(events, start: start) }

    mutating func take(_ second: AnalyzedSecond) {}
}
