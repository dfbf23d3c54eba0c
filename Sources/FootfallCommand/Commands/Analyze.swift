import ArgumentParser
import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReaders
import FootfallReport
import FootfallStudy
import FootfallTables
import Foundation
import Logging

/// `footfall analyze`: the steps and activities of traces.
struct Analyze: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Find the steps and activities in sensor logs.",
        discussion: """
            Reads CSV and the logs of many sensors, gzipped or not. The format is found and printed. Topics: \
            'footfall help units', 'cut-points' and 'recording'.

              footfall analyze walk.csv
              footfall analyze night.csv.gz --history steps.sqlite --source wrist
              footfall analyze walk.csv --plot walk.svg --why
              footfall analyze study/ --tables results/ --resume
            """)

    @Argument(help: "Sensor logs, or folders of them; - for standard input.")
    var traces: [String]

    @Option("Also record the results in this history.", "file") var history: String?
    @Option("The wearer or the device (default: default).", "name", QueryValue.source) var source: String?
    @Option("Also write tables of each trace into this folder.", "folder") var tables: String?
    @Option(help: "Length of epochs in s.") var epoch: EpochLength?
    @Option("Also draw the trace into this SVG file.", "file", OptionValue.picture) var plot: String?
    @OptionGroup var output: OutputOptions
    @Flag(help: "Print how each log is read and why; analyze nothing.") var explain = false
    @Flag(help: "Skip the traces with complete tables.") var resume = false
    @Option("Traces at once (default: processors); --history: 1.", "count") var jobs: Int?
    @Flag(help: "Print the time of every step (JSON and ndjson).") var stepTimes = false
    @Option("Also write each second of each stage as CSV.", "file") var seconds: String?
    @Flag(help: "With --plot: also why each second has steps or none.") var why = false
    @Flag(help: "Correct the sensor from its readings at rest.") var calibrate = false
    @Option("The source is the name of each trace.", "name") var sourceFrom: SourceOrigin?

    @Option("Analyze each series of a table, such as user, apart.", "column", OptionValue.column)
    var each: SensorColumns.Column?

    @OptionGroup var measures: MeasureOptions
    @OptionGroup var gait: GaitOptions
    @OptionGroup var recording: RecordingOptions
    @OptionGroup var replacement: ReplacementOptions
    @OptionGroup var reading: TraceReading

    /// Where the source of a trace comes from.
    enum SourceOrigin: String, CaseIterable, ExpressibleByArgument {
        case name
    }

    func validate() throws {
        if source != nil, sourceFrom != nil {
            throw ValidationError("--source and --source-from exclude each other. Use only one of them.")
        }
        if reading.afterLast, history == nil {
            throw ValidationError("--after-last needs the --history that holds the last event; name one.")
        }
        if history == nil, source != nil || sourceFrom != nil || recording.isGiven {
            throw ValidationError(
                "--source, --source-from, --keep, --accept-future and --accept-leap need the --history to record into; "
                    + "name one.")
        }
        if explain, history != nil || tables != nil || plot != nil || seconds != nil || stepTimes || calibrate {
            throw ValidationError(
                "--explain analyzes nothing. Leave out --history, --tables, --plot, --seconds, --step-times and "
                    + "--calibrate.")
        }
        if stepTimes, output.output == .table || output.output == .csv {
            throw ValidationError(
                "--step-times prints JSON. Add --output json or ndjson, or name a folder for --tables, which has steps.csv."
            )
        }
        if resume, tables == nil { throw ValidationError("--resume needs the folder of --tables; name one.") }
        if gait.isGiven, tables == nil {
            throw ValidationError("--placement and --gait-bout need the folder of --tables; name one.")
        }
        if measures.isGiven, tables == nil {
            throw ValidationError(
                "--valid-day, --cut-points, --mvpa-bouts, --part and --all-columns need the folder of --tables; name "
                    + "one.")
        }
        if let epoch {
            guard tables != nil else { throw ValidationError("--epoch needs the folder of --tables; name one.") }
            try measures.check(epoch)
        }
        if why, plot == nil { throw ValidationError("--why is drawn into the file of --plot; name one.") }
        if let jobs, !(1...1024).contains(jobs) {
            throw ValidationError("--jobs \(jobs): write a number from 1 to 1024.")
        }
    }

    func run() throws {
        let options = try reading.options()
        let results = tables.map { URL(filePath: $0) }
        let search = TraceSearch(at: traces.map { $0 == "-" ? "/dev/stdin" : $0 }, besides: results)
        for remark in search.remarks { Terminal.note(remark) }
        var (files, undivided): ([TraceFile], [TraceError]) = (search.files, [])
        if let each {
            files = search.files.flatMap { file -> [TraceFile] in
                do throws(TraceError) { return try file.divided(by: each, options) } catch { undivided.append(error) }
                return []
            }
        }
        if explain { return try explain(files, options, given: reading.arguments) }
        if plot != nil, files.count != 1 {
            throw ValidationError("--plot draws one trace, not \(files.count). Call analyze once for each picture.")
        }
        if seconds != nil, files.count != 1 {
            throw ValidationError("--seconds writes the seconds of one trace, not of \(files.count). Name one trace.")
        }
        let rule = replacement.rule(reading: files.map(\.path) + [history].compactMap(\.self))
        // A picture that cannot be written is reported before the analysis.
        let picture = try plot.map { try OutputFile($0, marker: OutputFile.pictureMarker, rule) }
        let request = AnalysisRequest(
            options, timeZone: reading.timeZone, calibrates: calibrate, keepsSeconds: seconds != nil || why,
            lossRemedy: reading.lenient ? nil : "to analyze the other rows, give --lenient", wording: \.asOptions)
        let settings = StudyRun.Settings(
            measures.rules, allColumns: measures.allColumns, epochs: epoch ?? .five, gait.meter)
        let study = try results.map { try StudyRun(in: $0, of: files, resumes: resume, settings, request, rule) }
        var report = AnalysisReport(
            output, RecordingReport(recording), of: files.count, done: study?.done, zone: reading.timeZone)
        for failure in search.failures + (study?.clashes ?? []) { report.add(failure) }
        for failure in undivided { report.add(failure) }
        let todo = study?.open ?? files
        if let done = study?.done.traces, done > 0 {
            Terminal.note("\(done) \(done == 1 ? "trace is" : "traces are") done already")
        }
        if let restored = study?.restored, !restored.isEmpty {
            Terminal.note(
                "tables were missing, so written again without an analysis: \(restored.joined(separator: ", "))"
            )
        }
        if let changed = study?.changed, !changed.isEmpty {
            let names = changed.joined(separator: ", ")
            Terminal.note("changed since the last analysis, or read otherwise, so analyzed again: \(names)")
        }
        let history = try history.map { try recording.open(URL(filePath: $0)) }
        defer { history?.close() }
        // The reader of the output may end, but the recording continues.
        if history != nil { Terminal.surviveLostOutput() }
        let job = AnalysisJob(
            request: request, study: study, draws: plot != nil, drawsWhy: why, keepsStepTimes: stepTimes,
            seconds: seconds.map { ($0, reading.timeZone, rule) }, history: history,
            source: sourceFrom == nil ? source ?? "default" : nil, startsAfterLast: reading.afterLast,
            log: output.log)
        let missing = try AnalysisQueue(todo, jobs: history == nil ? jobs : 1).run(job) { result in
            switch result {
            case .success(let result):
                if let picture { try draw(result, to: picture) }
                report.add(result)
                // The records were read from a temporary file.
                do { try result.analysis.checkWhole() } catch { report.add(error) }
            case .failure(let error): report.add(error)
            }
        }
        let joined = Result { try study?.finish() ?? (failures: [], remarks: []) }
        for failure in (try? joined.get().failures) ?? [] { report.add(unreadable: failure) }
        for remark in (try? joined.get().remarks) ?? [] { Terminal.note(remark) }
        let isRecorded = history != nil && missing.contains(where: \.canBeReadAgain)
        let lacking = [
            (isRecorded, "the history"), (study != nil, "the tables"), (plot != nil, "the picture"),
            (seconds != nil, "the table of seconds"),
        ]
        let ending = Result {
            try report.finish(history, without: missing.map(\.path), in: lacking.filter(\.0).map(\.1))
        }
        try history?.finish()
        _ = try joined.get()
        try ending.get()
        if Terminal.isOutputLost { throw ExitCode(Failure.failure) }
    }

    private func draw(_ trace: AnalyzedTrace, to file: OutputFile) throws {
        let analysis = trace.analysis
        let zone = analysis.isDated ? analysis.timeZone : nil
        guard !analysis.isInterrupted, let picture = trace.plot?.svg(title: analysis.name, timeZone: zone) else {
            return
        }
        file.add(picture)
        try file.finish()
    }
}

/// The output of `analyze`: each analysis, then the failures.
private struct AnalysisReport {
    private let format: OutputFormat
    /// The number of traces on the command line.
    private let count: Int
    private var writer: RecordWriter?
    private var only: TraceAnalysis?
    private var overview: AnalysisOverview
    private var failures: [any Error] = []
    /// The errors of logs that cannot be read from the study.
    private var unreadable: [FileError] = []
    private var recording: RecordingReport

    /// Starts the output of `count` traces of a command line, with the number and the steps of those that are done
    /// already. CSV has local times in a zone; nil for none.
    init(
        _ output: OutputOptions, _ recording: RecordingReport, of count: Int, done: (traces: Int, steps: Int)?,
        zone: TimeZone?
    ) {
        (self.recording, self.count) = (recording, count)
        overview = AnalysisOverview(of: count, done: done ?? (0, 0))
        format = output.output
        writer = format.makeWriter(
            columns: TableDescription.analysis.columns.map(\.name), local: LocalTimes(of: .analysis, in: zone))
    }

    mutating func add(_ result: AnalyzedTrace) {
        writer?.write(result.analysis.record(stepTimes: result.stepTimes))
        if let trace = result.recording {
            recording.add(trace)
            recording.add(result.analysis.quality)
        }
        guard format == .table else { return }
        if count == 1 { only = result.analysis } else { overview.add(result.analysis) }
    }

    mutating func add(_ failure: any Error) { failures.append(failure) }

    /// Adds the error of a log that is not in the joint tables.
    mutating func add(unreadable failure: FileError) { unreadable.append(failure) }

    /// Prints the end of the output, the failures, and the traces that a signal left without a complete result, which
    /// the outputs at `places` do not have. Throws the exit code of the signal, of the first failure, or of results
    /// that are not in the history.
    func finish(_ history: MotionHistory?, without missing: [String], in places: [String]) throws {
        writer?.finish()
        var failures = failures
        if let only {
            AnalysisTable(only).write(to: Terminal.out(bytes:))
            do { try only.checkWhole() } catch { failures.append(error) }
        } else if overview.count > 0 {
            Terminal.out(overview.text)
        }
        if failures.count > 1 { Terminal.note("\(failures.count) traces could not be analyzed:") }
        let codes = (failures + unreadable).map(Failure.report)
        if !missing.isEmpty {
            let rest = missing.count > 10 ? " and \(missing.count - 10) others" : ""
            let lack = places.isEmpty ? "" : ", and not in \(places.joined(separator: " and "))"
            Terminal.note(
                "interrupted; not analyzed to the end\(lack): \(missing.prefix(10).joined(separator: ", "))\(rest)"
            )
            throw ExitCode(Interruption.exitCode)
        }
        if let code = codes.first { throw ExitCode(code) }
        if let history { try recording.end(history) }
    }
}

extension Analyze {
    /// Prints how logs are read, without an analysis. `given` are the options of the user, each as words of a command
    /// line. Throws the exit code of the first refused log.
    func explain(_ files: [TraceFile], _ options: TraceOptions, given: [[String]]) throws {
        var writer = output.output.makeWriter(of: ExplanationText.table.description)
        var codes: [Int32] = []
        for (number, file) in files.enumerated() {
            if let refusal = file.refusalOfPipe(to: "explain its reading") {
                codes.append(Failure.report(refusal))
                continue
            }
            let explanation = ExplanationText(file, options, given)
            writer?.write(ExplanationText.table.record(of: explanation))
            if writer == nil { Terminal.out((number > 0 ? "\n" : "") + explanation.text) }
            if let refusal = explanation.refusal { codes.append(Failure.report(refusal)) }
        }
        writer?.finish()
        if let code = codes.first { throw ExitCode(code) }
    }
}
