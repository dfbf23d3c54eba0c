internal import Footfall
internal import FootfallHistory
public import FootfallMeasures
public import FootfallReaders
public import Foundation

/// A folder of results: the tables of many logs, and those of their days and persons.
///
/// The folder has what `footfall analyze --tables` and `footfall summarize` write: the file `footfall.study` with what
/// each log gave, and what is written from it: a folder of tables for each log, `persons.csv`, `days.csv`, and
/// `columns.json`, which describes all columns. Existing tables of Footfall are replaced, other files are not.
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
    ///   - deviceTimeZone: The zone in which the devices were set up, of times without one; nil for the wearers'.
    ///   - epochs: The length of the epochs, from which the measures of intensity follow.
    ///   - gait: The stage of the gait measures, without samples.
    ///   - isLenient: Whether a log may lose more than a tenth of its rows.
    ///   - keepsDone: Whether to skip the logs that the study has and that have not changed since.
    /// - Returns: The errors of logs that cannot be read. They do not stop the others.
    /// - Throws: ``FileError`` for tables that cannot be written, and where there is no room for temporary files.
    public func analyze(
        _ logs: [URL], options: TraceOptions = TraceOptions(), timeZone: TimeZone? = nil,
        deviceTimeZone: TimeZone? = nil,
        epochs: EpochLength = .five, gait: GaitMeter = GaitMeter(), isLenient: Bool = false, keepsDone: Bool = false
    ) throws -> [any Error] {
        let remedy: ParameterText? = isLenient ? nil : "to analyze the other rows, set isLenient"
        var request = AnalysisRequest(options, timeZone: timeZone, lossRemedy: remedy)
        request.options.timeZone = deviceTimeZone ?? timeZone ?? options.timeZone
        let search = TraceSearch(at: logs.map(\.relativePath), besides: folder)
        let rule = OutputRule(inputs: search.files.compactMap { FileIdentity(of: $0.path) })
        let settings = StudyRun.Settings(rules, allColumns: false, epochs: epochs, gait)
        let run = try StudyRun(in: folder, of: search.files, resumes: keepsDone, settings, request, rule)
        var failures: [any Error] = search.failures + run.clashes
        for file in run.open {
            do {
                var listener = NoListener()
                _ = try run.analyze(file, request, to: &listener)
            } catch let error as TraceError {
                failures.append(error)
            }
        }
        return failures + (try run.finish())
    }

    /// Joins the tables of the logs in the folder by person, and writes `persons.csv` and `days.csv` again.
    ///
    /// - Parameters:
    ///   - table: Who wore the sensors: a CSV table with the columns `trace` and `person`, and if needed `start`, of a
    ///     log without a date, `tz`, the wearer's zone, and `night`, such as `22:30-06:30`. Without it each log is a
    ///     person.
    ///   - allColumns: Whether `persons.csv` has the means and medians of all columns of days.
    /// - Returns: The persons, in the order of the table or of their names. ``PersonRow/unreadableLogs`` counts logs
    ///   that could be read once.
    /// - Throws: `TraceError` for a table of persons that cannot be read, ``FileError`` for a folder without a study
    ///   and for tables that cannot be written.
    public func summarize(persons table: URL? = nil, allColumns: Bool = false) throws -> [PersonRow] {
        let people = try table.map { try PersonTable(contentsOf: $0.relativePath) }
        var summary = try ResultSummary(of: [folder], people, by: rules)
        let rule = OutputRule(
            inputs: (summary.files + (table.map { [$0.relativePath] } ?? [])).compactMap { FileIdentity(of: $0) })
        var persons: [PersonRow] = []
        try SummaryTables(in: folder, allColumns: allColumns, rule).write(&summary) { persons.append($0) }
        return persons
    }
}

/// Needs nothing besides the tables.
private struct NoListener: TraceListener {
    mutating func begin(in timeZone: TimeZone?) -> (@Sendable (RepairedSamples) -> Void)? { nil }
    mutating func take(_ samples: RepairedSamples) {}
    mutating func take(_ events: [MotionEvent], start: Timestamp) {}
    mutating func take(_ second: AnalyzedSecond) {}
    mutating func finish(_ analysis: TraceAnalysis) {}
}
