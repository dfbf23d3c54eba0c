import ArgumentParser
import Footfall
import FootfallHistory
import FootfallTraces
import Foundation
import Logging

/// `footfall analyze`: traces in, steps and activities out.
struct Analyze: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the steps and activities in sensor logs.",
        discussion: """
            Reads CSV in its many forms: by header or without, in g, mg or m/s², in seconds, milliseconds or date-times, \
            gzipped or not. What was decided is printed; options override it.

              footfall analyze walk.csv
              footfall analyze *.csv --output json
              footfall analyze night.csv.gz --history steps.sqlite --source wrist
            """)

    @Argument(help: "The sensor logs to analyse.")
    var traces: [String]

    @Option(help: ArgumentHelp("Also record the results in this history.", valueName: "file"))
    var history: String?

    @Option(help: ArgumentHelp("The wearer or device the traces are from, in the history.", valueName: "name"))
    var source = "default"

    @Flag(help: "Print the time of every step, in seconds from the trace's start (JSON and ndjson).")
    var stepTimes = false

    @OptionGroup var keeping: Keeping
    @OptionGroup var reading: TraceReading
    @OptionGroup var output: OutputOptions

    func run() throws {
        let options = try reading.options()
        let retention = try keeping.retention
        let history = try history.map { try MotionHistory(at: URL(filePath: $0), retention: retention) }
        var progress = ProgressBar()
        var writer = output.output.makeWriter(columns: TraceAnalysis.columns)
        var analyses: [TraceAnalysis] = []
        var exitCode: Int32?
        for (index, path) in traces.enumerated() where !Interruption.isRequested {
            do {
                let analysis = try analyze(path, options, into: history) { fraction in
                    progress.update(path, fraction: (Double(index) + fraction) / Double(traces.count))
                }
                progress.clear()
                writer?.write(analysis.record(withStepTimes: stepTimes))
                analyses.append(analysis)
            } catch let error as TraceError {
                // A bad file costs that file; the others go on.
                progress.clear()
                let code = Failure.report(error)
                exitCode = exitCode ?? code
            }
        }
        writer?.finish()
        if output.output == .table { Terminal.out(AnalysisTable(analyses).text) }
        if let exitCode { throw ExitCode(exitCode) }
    }

    private func analyze(
        _ path: String, _ options: TraceOptions, into history: MotionHistory?, progress: (Double) -> Void
    ) throws -> TraceAnalysis {
        output.log.info("\(path): reading")
        guard let history else {
            return try TraceAnalysis(path: path, options: options, keepsStepTimes: stepTimes, progress: progress)
        }
        let zone = try Zone.parse(reading.timeZone)
        return try TraceAnalysis(path: path, options: options, keepsStepTimes: stepTimes) { events in
            let outcome = try history.record(events, from: source, timeZone: zone)
            output.log.info("\(path): \(outcome.recorded) events recorded as \(source)")
            if outcome.expired > 0 {
                output.log.warning("\(path): \(outcome.expired) events are older than the history keeps")
            }
        } progress: {
            progress($0)
        }
    }
}
