import ArgumentParser
import Footfall
import FootfallEvaluation
import FootfallReport
import FootfallTraces
import Foundation

/// `footfall evaluate`: the accuracy on recordings with known ground truth.
struct Evaluate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the accuracy of steps and activities against ground truth.",
        discussion: """
            The manifest is a CSV file with one row per recording. Its columns are dataset, recording and one of:
              true_steps  the number of steps; <recording>.steps.csv may hold their times
              labels      the recording has a column label, or is a simulation with a <recording>.truth.json
            Each recording is the file <dataset>/<recording>.csv beside the manifest. A column kind says what the wearer \
            did, such as hands:clap; the recordings of a kind hands:... or swim have no step.

              footfall evaluate corpus/steps/manifest.csv
              footfall evaluate corpus/activity/manifest.csv --output json > before.json
              footfall evaluate corpus/activity/manifest.csv --baseline before.json

            CSV and JSON hold one record per group and one per recording ('recording <set>/<recording>'), with the same \
            keys.
            """)

    @Argument(help: "A manifest of recordings with ground truth.")
    var manifest: String

    @Option(help: ArgumentHelp("List this many of the worst recordings.", valueName: "count"))
    var worst = 10

    @Option(
        help: ArgumentHelp("Compare with an earlier evaluation, a file written with --output json.", valueName: "file"))
    var baseline: String?

    @Flag(
        help: "Also measure the provisional activities of a live display: at once, 5, 10 and 30 s later. Takes longer.")
    var live = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        // An evaluation takes long; a wrong file is reported before it starts.
        let baseline = try baseline.map { try (path: $0, figures: Baseline(contentsOf: URL(filePath: $0))) }
        let recordings = try Manifest(contentsOf: URL(filePath: manifest)).recordings
        var evaluation = Evaluation()
        var failures: [String] = []
        var progress = ProgressBar()
        for (index, recording) in recordings.enumerated() where !Interruption.isRequested {
            progress.update(recording.name, fraction: Double(index) / Double(recordings.count))
            do {
                try evaluation.add(recording, comparesLive: live)
            } catch {
                failures.append("\(recording.id): \(error)")
            }
        }
        progress.clear()
        for failure in failures { Terminal.note("footfall: \(failure)") }
        let records = EvaluationRecords(hasSteps: evaluation.hasStepTruth, hasLive: live, baseline: baseline?.figures)
        let groups = evaluation.groups + evaluation.outcomes.map(\.group)
        output.print(groups.map(records.record), columns: records.columns) {
            let tables = EvaluationTables(evaluation, hasLive: live, baseline: baseline?.figures)
            let comparison = baseline.map {
                ComparisonTables(evaluation, with: $0.figures, at: $0.path).text(recordings: worst)
            }
            return tables.page(worst: worst) + (comparison ?? "")
        }
        if Interruption.isRequested {
            Terminal.note("footfall: interrupted; only a part of the \(recordings.count) recordings is evaluated")
            throw ExitCode(Interruption.exitCode)
        }
        if !failures.isEmpty { throw ExitCode(Failure.badData) }
    }
}

extension Evaluation {
    /// Reads a recording, analyzes it and adds the result.
    ///
    /// - Throws: `TraceError` or `EvaluationError`.
    mutating func add(_ recording: Manifest.Recording, comparesLive: Bool) throws {
        let truth = try recording.truth()
        var labels: ActivityLabels?
        if comparesLive, case .activities(let known) = truth { labels = known }
        var trace = ReadAheadTrace(try Trace(contentsOf: recording.url))
        var analyzer = RecordingAnalyzer(comparingLiveWith: labels)
        while !Interruption.isRequested, let samples = try trace.nextSamples(unless: { Interruption.isRequested }) {
            analyzer.analyze(samples)
        }
        if Interruption.isRequested { return }
        let run = analyzer.finish()
        guard run.sampleRate != nil else {
            let usable = analyzer.quality.samples - analyzer.quality.dropped
            throw TraceError(
                .badData, path: recording.url.path, problem: "too few usable samples to analyse: \(usable)")
        }
        add(run, of: recording, truth: truth)
    }
}
