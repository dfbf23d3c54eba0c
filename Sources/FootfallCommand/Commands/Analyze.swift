import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReport
import FootfallTraces
import Foundation
import Logging

/// `footfall analyze`: traces in, steps and activities out.
struct Analyze: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the steps and activities in sensor logs.",
        discussion: """
            Reads CSV in its many forms (by header or without, in g, mg, m/s^2 or raw counts, in seconds or date-times), \
            recordings of Axivity, ActiGraph and GENEActiv, logs of MAVLink, x-IMU3, WitMotion and Xsens, and exports of \
            phyphox and Sensor Logger, gzipped or not. What was decided is printed; options override it.

              footfall analyze walk.csv
              footfall analyze *.csv --output json
              footfall analyze night.csv.gz --history steps.sqlite --source wrist
              footfall analyze walk.csv --plot walk.svg
              footfall analyze study/ --tables results/ --resume

            A file that cannot be read costs that file; what failed is listed at the end.
            """)

    @Argument(help: "The sensor logs to analyse, or folders of them.")
    var traces: [String]

    @Option(help: ArgumentHelp("Also record the results in this history.", valueName: "file"))
    var history: String?

    @Option(help: ArgumentHelp("The wearer or device the traces are from, in the history.", valueName: "name"))
    var source = "default"

    @Flag(help: "Print the time of every step, in seconds from the trace's start (JSON and ndjson).")
    var stepTimes = false

    @Flag(help: "Correct the sensor's scale and offset by how it lay at rest; reads each log twice.")
    var calibrate = false

    @Option(
        help: ArgumentHelp(
            "Also write a folder of tables for each trace: steps, bouts, activities, minutes, hours, days.",
            valueName: "folder"))
    var tables: String?

    @Flag(help: "Leave out the traces whose tables are complete already, whatever options they were made with.")
    var resume = false

    @Option(help: ArgumentHelp("How many traces to analyse at a time; all processors by default.", valueName: "count"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp("Also draw acceleration, cadence and activities into this SVG file.", valueName: "file"))
    var plot: String?

    @OptionGroup var keeping: Keeping
    @OptionGroup var reading: TraceReading
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if resume, tables == nil { throw ValidationError("--resume looks into the folder of --tables; name one.") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs): a number from 1 to 1024.") }
    }

    func run() throws {
        let options = try reading.options()
        let retention = try keeping.retention
        let zone = try Zone.parse(reading.timeZone)
        let results = tables.map { URL(filePath: $0) }
        let files = try TraceFile.files(at: traces, besides: results)
        if plot != nil, files.count != 1 {
            throw ValidationError("--plot draws one trace, not \(files.count). Call analyze once for each picture.")
        }
        let tables = try results.map {
            try ResultTables(in: $0, of: files, resumes: resume, timeZone: options.timeZone)
        }
        let todo = files.filter { tables?.isDone($0) != true }
        let done = files.count - todo.count
        if done > 0 { Terminal.note("footfall: \(done) \(done == 1 ? "trace is" : "traces are") done already") }
        let history = try history.map { try MotionHistory(at: URL(filePath: $0), retention: retention) }
        var report = AnalysisReport(output, withStepTimes: stepTimes)
        try analyze(todo, options, keepsEvents: history != nil || tables != nil || stepTimes) { analysis, events in
            if let history { try record(events, of: analysis, in: history, timeZone: zone) }
            // Tables say that a trace is done, which one that was cut short is not.
            if !analysis.isInterrupted { try tables?.write(analysis, events) }
            if let plot { try draw(analysis, in: options.timeZone, to: plot) }
            report.add(analysis, events)
        } failed: {
            report.add($0)
        }
        try report.finish()
    }

    /// Analyses traces side by side and hands over each in its turn.
    private func analyze(
        _ files: [TraceFile], _ options: TraceOptions, keepsEvents: Bool,
        done: (TraceAnalysis, EventSpool) throws -> Void, failed: (TraceError) -> Void
    ) throws {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(jobs ?? processors, files.count)
        // Two threads for each trace are one too many where the traces themselves keep all processors busy.
        let readsAhead = 2 * jobs <= processors
        let (calibrate, draws, log) = (calibrate, plot != nil, output.log)
        var progress = ProgressBar()
        var finished = 0
        let total = Double(files.reduce(0) { $0 + max($1.size, 1) })
        try OrderedWork(files, jobs: jobs).run { file, progress -> Result<(TraceAnalysis, EventSpool), TraceError> in
            log.info("\(file.path): reading")
            return Result { () throws(TraceError) in
                var spool = EventSpool(of: file.path)
                let analysis = try TraceAnalysis(
                    file, options: options, calibrates: calibrate, draws: draws, readsAhead: readsAhead,
                    progress: progress
                ) { events throws(TraceError) in
                    if keepsEvents { try spool.add(events) }
                }
                return (analysis, spool)
            }
        } watch: { running in
            let behind = files[..<finished].reduce(0.0) { $0 + Double(max($1.size, 1)) }
            let under = running.reduce(0.0) { $0 + Double(max(files[$1.key].size, 1)) * $1.value }
            let label = files.count == 1 ? files[0].name : "\(finished) of \(files.count) traces"
            progress.update(label, fraction: (behind + under) / total)
        } take: { index, result in
            finished = index + 1
            // A trace whose turn comes after the interruption was hardly begun.
            if Interruption.isRequested, index > 0 { return }
            progress.clear()
            switch result {
            case .success((let analysis, let events)): try done(analysis, events)
            case .failure(let error): failed(error)
            }
        }
        progress.clear()
    }

    private func record(
        _ events: EventSpool, of analysis: TraceAnalysis, in history: MotionHistory, timeZone: TimeZone?
    ) throws {
        let outcome = try history.record(events, from: source, timeZone: timeZone)
        output.log.info("\(analysis.name): \(outcome.recorded) events recorded as \(source)")
        if outcome.expired > 0 {
            output.log.warning("\(analysis.name): \(outcome.expired) events are older than the history keeps")
        }
    }

    private func draw(_ analysis: TraceAnalysis, in zone: TimeZone, to file: String) throws {
        // A log that does not know the date begins in 1970.
        let isDated = (analysis.quality.start?.description ?? "") >= "1971"
        guard let picture = analysis.plot?.svg(title: analysis.name, timeZone: isDated ? zone : nil) else { return }
        try TextFile.write(picture, to: file)
    }
}

/// What `analyze` prints: each analysis in its turn, and at the end what failed.
private struct AnalysisReport {
    private let format: OutputFormat
    private let withStepTimes: Bool
    private var writer: RecordWriter?
    private var analyses: [TraceAnalysis] = []
    private var failures: [TraceError] = []

    init(_ output: OutputOptions, withStepTimes: Bool) {
        format = output.output
        self.withStepTimes = withStepTimes
        writer = format.makeWriter(columns: TraceAnalysis.columns)
    }

    mutating func add(_ analysis: TraceAnalysis, _ events: EventSpool) {
        writer?.write(analysis.record(stepTimes: withStepTimes ? events : nil))
        if format == .table { analyses.append(analysis) }
    }

    mutating func add(_ failure: TraceError) {
        failures.append(failure)
    }

    /// Prints the rest.
    ///
    /// - Throws: The exit code of the first failure.
    func finish() throws {
        writer?.finish()
        if format == .table { Terminal.out(AnalysisTable(analyses).text) }
        if failures.count > 1 { Terminal.note("footfall: \(failures.count) traces could not be analysed:") }
        let codes = failures.map(Failure.report)
        if let code = codes.first ?? nil { throw ExitCode(code) }
    }
}
