internal import Footfall
internal import FootfallHistory
public import FootfallMeasures
public import FootfallReaders
internal import FootfallTables
public import Foundation
internal import Synchronization

/// A folder of results: the tables of many logs, and those of their days and persons.
///
/// The folder has what `footfall analyze --tables` and `footfall summarize` write: the file `footfall.study` with the
/// results of each log, and the tables that are made of it: a folder for each log, `persons.csv`, `days.csv`, and
/// `columns.json`, which describes all columns. Existing tables of Footfall are replaced, other files are not.
public struct Study: Sendable {
    /// The folder. It is created where it is missing.
    public let folder: URL
    /// The rules of the measures of days.
    public var rules: DayRules

    /// Names a folder of results.
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
        return failures + (try run.finish().failures)
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

/// An analysis of logs into a folder of results: the study file, for each log a folder of tables, `traces.ndjson` with
/// a line for each log, and the joint tables of persons and days. Its path and, in a table of several series, its
/// series identify a log. It keeps the name under which it was analyzed first, also after it has moved. If another log
/// has that name, the name of its folder precedes it.
package final class StudyRun: Sendable {
    /// The settings of the results.
    package struct Settings: Sendable {
        var rules: DayRules
        /// Whether `persons.csv` has all columns.
        var allColumns: Bool
        var epochs: EpochLength
        /// The stage of the gait measures, without samples.
        var gait: GaitMeter

        package init(_ rules: DayRules, allColumns: Bool, epochs: EpochLength, _ gait: GaitMeter) {
            (self.rules, self.allColumns, self.epochs, self.gait) = (rules, allColumns, epochs, gait)
        }
    }

    private static let marker = "{\"trace\":"

    private let folder: URL
    private let settings: Settings
    /// How the logs are read, as text.
    private let options: String
    private let rule: OutputRule
    /// The folder of each log's tables.
    private let subfolders: [TraceFile: String]
    /// The entry of each log in the study file.
    private let known: [TraceFile: StudiedLog]
    /// The logs to analyze: neither done nor in the place of others.
    package let open: [TraceFile]
    /// The paths of the logs that were done, and have changed since or were read otherwise.
    package let changed: [String]
    /// The names of the logs that were done, and whose missing tables are written again.
    package let restored: [String]
    /// The number of logs that are done, and their steps.
    package let done: (traces: Int, steps: Int)
    /// The logs that would replace others, and those whose tables cannot be written. They are not analyzed.
    package let clashes: [FileError]
    /// Whether this command changed the study file.
    private let hasNew = Atomic(false)

    /// Creates the folder where it is missing, and writes missing tables of logs that are done. Logs whose names differ
    /// only in their extensions keep these in the names of their folders. `resumes` states whether to keep the logs
    /// that are done, `request` how logs are read, and `rule` which files are not replaced.
    package init(
        in folder: URL, of files: [TraceFile], resumes: Bool, _ settings: Settings, _ request: AnalysisRequest,
        _ rule: OutputRule
    ) throws {
        (self.folder, self.settings, self.rule) = (folder, settings, rule)
        let options = Self.text(of: request, settings)
        self.options = options
        try OutputTable.make(folder)
        func path(_ name: String) -> String { folder.appending(path: name).relativePath }
        _ = try rule.place(at: path(TableDescription.analysis.name), marker: Self.marker)
        do throws(FileError) {
            _ = try OutputRule(inputs: rule.inputs).place(at: path(StudyFile.name), marker: StudyFile.marker)
        } catch {
            // The results of logs are never replaced, whatever the rule.
            throw FileError(path: error.path, problem: error.problem, .replacing)
        }
        // Another command may have created the file a moment ago, without its tables.
        let isThere = FileIdentity(of: path(StudyFile.name)) != nil
        let study = isThere ? try StudyFile(in: folder, isNew: true) : nil
        var names = LogNames(of: files, besides: try study?.logs() ?? [])
        var (open, changed, restored): ([TraceFile], [String], [String]) = ([], [], [])
        var done = (traces: 0, steps: 0)
        var (known, subfolders): ([TraceFile: StudiedLog], [TraceFile: String]) = ([:], [:])
        var clashes: [FileError] = []
        for file in files {
            do {
                let identity = LogIdentity(of: file.path)
                let (file, subfolder, log) = try names.place(file, identity)
                subfolders[file] = subfolder
                known[file] = log
                guard resumes, let study, let log, log.problem == nil else {
                    open.append(file)
                    continue
                }
                guard log.isSameLog(as: identity), log.options == options else {
                    open.append(file)
                    if log.identity != nil { changed.append(file.path) }
                    continue
                }
                let tables = folder.appending(path: subfolder)
                Drafts.tidy(tables.path)
                if !TableFolder(tables).isWhole {
                    let placed = PlacedLog(log, in: study)
                    let days = try [placed].days(of: subfolder, by: settings.rules) { _ in }
                    let written = try LogTables(of: placed, in: tables, rule).write(days)
                    try TableFolder(tables).mark()
                    try TableFolder(tables).place(written)
                    restored.append(subfolder)
                }
                done = (done.traces + 1, done.steps + log.steps)
            } catch let error as FileError {
                clashes.append(error)
            }
        }
        (self.open, self.changed, self.restored, self.done, self.clashes) = (open, changed, restored, done, clashes)
        (self.known, self.subfolders) = (known, subfolders)
    }

    private static func text(of request: AnalysisRequest, _ settings: Settings) -> String {
        var options = request.options
        // The text of a zone depends on that of the machine.
        let zones = [options.timeZone, request.timeZone].map { $0?.identifier ?? "-" }.joined(separator: " ")
        options.timeZone = .gmt
        let gait = settings.gait
        return "\(options) \(zones) \(request.calibrates) \(settings.epochs) "
            + "\(gait.placement?.rawValue ?? "-") \(gait.leastSeconds)"
    }

    /// Analyzes a log of ``open``, and takes its results into the study, unless the analysis is interrupted. Any number
    /// of logs are analyzed at once. A log that cannot be read any more loses its results. `listener` receives the
    /// results too, and ends before they are in the study. `progress` receives the share of the work that is done, 0…1.
    /// Throws `TraceError` for a log that cannot be read, `FileError` for results that cannot be written, and the
    /// errors of the listener.
    package func analyze<Listener: TraceListener>(
        _ file: TraceFile, _ request: AnalysisRequest, to listener: inout Listener,
        unless isStopped: () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) throws -> TraceAnalysis {
        var collecting = CollectingListener(
            other: listener, epochs: settings.epochs, gait: settings.gait, identity: LogIdentity(of: file.path))
        defer { listener = collecting.other }
        do {
            let analysis = try TraceAnalysis(file, request, to: &collecting, unless: isStopped, progress: progress)
            if !analysis.isInterrupted, let collector = collecting.collector {
                try take(analysis, of: file, collecting.identity, collector.draft)
            }
            return analysis
        } catch let error as TraceError {
            try forget(file, because: request.wording(error.problem))
            throw error
        }
    }

    private func take(
        _ analysis: TraceAnalysis, of file: TraceFile, _ identity: LogIdentity?, _ draft: StudyFile
    ) throws {
        let (subfolder, gait) = (subfolders[file] ?? file.stem, settings.gait)
        let start = analysis.quality.start ?? .epoch
        let calibration = try JSONEncoder().encode(CalibrationState(analysis.calibration))
        let log = StudiedLog(
            id: StudyFile.draft, path: LogIdentity.absolute(file.path), series: file.seriesText, folder: subfolder,
            trace: file.name, size: identity?.size, modified: identity?.modified, hash: identity?.hash,
            options: options, steps: analysis.steps, start: start.nanosecondsSince1970,
            end: (analysis.quality.end ?? start).nanosecondsSince1970, timeZone: analysis.timeZone.statedName,
            cutPoints: settings.rules.cutPoints?.name, calibration: String(decoding: calibration, as: UTF8.self),
            epochSeconds: settings.epochs.rawValue, placement: gait.placement?.rawValue)
        let placed = PlacedLog(log, in: draft)
        let days = try [placed].days(of: subfolder, by: settings.rules) { _ in }
        let target = folder.appending(path: subfolder)
        let tables = try LogTables(of: placed, in: target, rule).write(days)
        try draft.add(log, record: .object(analysis.record(log: identity)))
        try analysis.checkWhole()
        try draft.store(days.stored(), of: log.id, by: settings.rules.text)
        try StudyFile(in: folder, isNew: true).take(log, from: draft, prepare: TableFolder(target).mark)
        hasNew.store(true, ordering: .relaxed)
        try TableFolder(target).place(tables)
    }

    /// Removes the results of a log that exists and cannot be read any more.
    private func forget(_ file: TraceFile, because problem: String) throws {
        guard let log = known[file], FileIdentity(of: file.path) != nil else { return }
        try StudyFile(in: folder).forget(log, because: problem)
        TableFolder(folder.appending(path: log.folder)).remove()
        hasNew.store(true, ordering: .relaxed)
    }

    /// Writes `traces.ndjson` and the tables of persons and of days, of all logs of the study. Each log is a person.
    /// Returns the errors of logs that cannot be read from the study, whose days are left out, and lines for the user.
    package func finish() throws -> (failures: [FileError], remarks: [String]) {
        // Without a result of this command, the tables stay as they are: they may be of other logs.
        guard hasNew.load(ordering: .relaxed) || done.traces > 0 else { return ([], []) }
        // Of several commands at once, the last one writes the results of all.
        let target = folder.appending(path: TableDescription.analysis.name)
        let lock = FolderLock(for: target)
        defer { withExtendedLifetime(lock) {} }
        let journal = try OutputFile(target.relativePath, marker: Self.marker, rule)
        try StudyFile(in: folder).forEachPiece { journal.add($0) }
        try journal.finish()
        var summary = try ResultSummary(of: [folder], nil, by: settings.rules)
        try SummaryTables(in: folder, allColumns: settings.allColumns, rule).write(&summary)
        return (summary.failures, summary.remarks)
    }
}

/// Passes the results of a log on, and collects them for the study.
private struct CollectingListener<Other: TraceListener>: TraceListener {
    var other: Other
    let epochs: EpochLength
    let gait: GaitMeter
    /// The log before the analysis.
    let identity: LogIdentity?
    private(set) var collector: LogCollector?

    mutating func begin(in timeZone: TimeZone?) throws -> (@Sendable (RepairedSamples) -> Void)? {
        let new = try LogCollector(epochs: epochs, gait)
        collector = new
        let more = try other.begin(in: timeZone)
        return { samples in
            new.addToEpochs(samples)
            more?(samples)
        }
    }

    mutating func take(_ samples: RepairedSamples) throws {
        try other.take(samples)
        collector?.add(samples)
    }

    mutating func take(_ events: [MotionEvent], start: Timestamp) throws {
        try other.take(events, start: start)
        try collector?.add(events)
    }

    mutating func take(_ second: AnalyzedSecond) { other.take(second) }

    mutating func finish(_ analysis: TraceAnalysis) throws {
        try other.finish(analysis)
        if !analysis.isInterrupted { try collector?.finish(analysis) }
    }
}

/// The names of the logs of a study, and the folders of their tables.
private struct LogNames {
    private struct Place: Hashable {
        let path: String
        let series: String
    }

    private var known: [Place: StudiedLog] = [:]
    /// The paths of the logs, by the names and by the folders.
    private var (owners, folders): ([String: Place], [String: Place]) = ([:], [:])
    /// The paths of the logs, by their content and series.
    private var contents: [String: Place] = [:]
    /// The names of the logs of this command, by the name without extensions.
    private let stems: [String: Set<String>]

    init(of files: [TraceFile], besides logs: [StudiedLog]) {
        stems = Dictionary(grouping: files, by: \.stem).mapValues { Set($0.map(\.name)) }
        for log in logs {
            let place = Place(path: log.path, series: log.series)
            known[place] = log
            (owners[log.trace], folders[log.folder]) = (place, place)
            if let identity = log.identity { contents[identity.content + log.series] = place }
        }
    }

    /// The log with its name in the study, the folder of its tables, and its entry in the study. Throws `FileError` for
    /// a log whose names are taken.
    mutating func place(
        _ file: TraceFile, _ identity: LogIdentity?
    ) throws(FileError) -> (file: TraceFile, folder: String, log: StudiedLog?) {
        let place = Place(path: LogIdentity.absolute(file.path), series: file.seriesText)
        if let log = known[place] { return (file.named(log.trace), log.folder, log) }
        // A log that was renamed, or moved to another folder, is no longer at its path.
        if let content = identity.map({ $0.content + place.series }), let old = contents[content], let log = known[old],
            FileIdentity(of: old.path) == nil
        {
            // A second file with this content is another log.
            contents[content] = nil
            return (file.named(log.trace), log.folder, log)
        }
        let parent = place.path.split(separator: "/").dropLast().last.map { $0 + "/" } ?? ""
        for name in [file.name, parent + file.name] {
            let named = file.named(name)
            if let owner = owners[name] {
                guard let log = known[owner], log.isSameLog(as: identity) else { continue }
                return (named, log.folder, log)
            }
            let isOnly = stems[file.stem]?.count == 1
            guard let folder = [named.stem, name].first(where: { folders[$0] == nil && (isOnly || $0 == name) }) else {
                continue
            }
            (owners[name], folders[folder]) = (place, place)
            return (named, folder, nil)
        }
        throw FileError.clash(of: file.path, with: owners[file.name]?.path ?? file.name)
    }
}

extension TraceFile {
    /// The rows of its series as text; empty for all rows.
    fileprivate var seriesText: String { series.map { "\($0)" } ?? "" }

    fileprivate func named(_ name: String) -> TraceFile {
        TraceFile(path: path, name: name, size: size, series: series)
    }
}
