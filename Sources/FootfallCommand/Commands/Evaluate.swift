import ArgumentParser
import Footfall
import FootfallEvaluation
import FootfallHistory
import FootfallMeasures
import FootfallReaders
import FootfallTables
import Foundation

/// `footfall evaluate`: the accuracy on recordings with known ground truth.
struct Evaluate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure the accuracy of steps and activities against ground truth.",
        discussion: """
            The manifest is a CSV file with one row per recording. Its columns are dataset, recording and one of:
              true_steps  the number of steps; <recording>.steps.csv may hold their times (column time)
              step_free   yes, where no step is taken
              labels      the recording has a column label, or <recording>.labels.csv has start, end and label, or it is a \
            simulation with a <recording>.truth.json
            Without any of them, <recording>.steps.csv is the truth, or <recording>.counts.csv: time and steps of each second \
            or minute. Each recording is the file <dataset>/<recording>.csv beside the manifest. A column kind says what the \
            wearer did, such as hands:clap; the recordings of a kind hands:... or swim have no step.

              footfall evaluate corpus/steps/manifest.csv
              footfall evaluate corpus/activity/manifest.csv --output json > before.json
              footfall evaluate corpus/activity/manifest.csv --baseline before.json
              footfall evaluate corpus/steps/manifest.csv --results watch.csv --require 'mape<=5'

            Results of another program are a CSV file with the column recording, as <dataset>/<recording>, and with \
            steps (its number of steps), time (one row per step), or both (steps of the second or minute from time on, \
            which are added up). Times are seconds since 1970, as in the recording. A row with an empty time says that no \
            step is found.

            The Python module footfall.evaluation computes statistics of agreement from the JSON: correlations, limits \
            of agreement, tests of equivalence, and the difference of two counters.

            CSV and JSON hold one record per group and one per recording ('recording <set>/<recording>'), with the same \
            keys, for each counter; 'footfall columns' describes them.
            """)

    @Argument(help: "A manifest of recordings with ground truth.")
    var manifest: String

    @Option(help: ArgumentHelp("List this many of the worst recordings.", valueName: "count")) var worst = 10

    @Option(
        help: ArgumentHelp(
            "Compare with the steps of another program. Can be given several times.", valueName: "file"))
    var results: [String] = []

    @Flag(help: "Evaluate only the --results. No recording is read.") var onlyResults = false

    @Option(
        "Fail unless a figure keeps a limit, such as 'mape<=5' or 'falsePerHour[hands]<=20': a key of the JSON, "
            + "and a group in brackets. Can be given several times.", "limit", OptionValue.requirement)
    var require: [Requirement] = []

    @Option("Compare with an earlier evaluation, a file written with --output json.", "file") var baseline: String?

    @Flag(
        help: "Also measure the provisional activities of a live display: at once, 5, 10 and 30 s later. Takes longer.")
    var live = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if worst < 0 { throw ValidationError("--worst \(worst): write a number from 0.") }
        if onlyResults, results.isEmpty { throw ValidationError("--only-results needs --results FILE.") }
    }

    func run() throws {
        // An evaluation takes long; a wrong file is reported before it starts.
        let baseline = try baseline.map { try (path: $0, figures: Baseline(contentsOf: URL(filePath: $0))) }
        let recordings = try Manifest(contentsOf: URL(filePath: manifest)).recordings
        let results = try results.map { try CounterResults(contentsOf: URL(filePath: $0)) }
        for counter in results {
            guard recordings.contains(where: { counter.steps(of: $0) != nil }) else {
                Terminal.note("\(counter.name): the manifest has none of its recordings; nothing is evaluated")
                throw ExitCode(Failure.badData)
            }
            Self.noteUnknown(counter.unknown(in: recordings), of: counter.name)
        }
        var job = EvaluationJob(recordings: recordings, results: results, onlyResults: onlyResults, comparesLive: live)
        job.run()
        for failure in job.failures { Terminal.note(failure) }
        let rows = self.rows(of: job, baseline: baseline?.figures)
        output.print(rows.lazy.map(\.record), columns: rows.first?.record.map(\.key) ?? EvaluatedGroup.table.names) {
            EvaluationTables(job.counters, hasLive: live, baseline: baseline, worst: worst)?.text ?? ""
        }
        if Interruption.isRequested {
            Terminal.note("interrupted; only a part of the \(recordings.count) recordings is evaluated")
            throw ExitCode(Interruption.exitCode)
        }
        if !job.failures.isEmpty { throw ExitCode(Failure.badData) }
        let unmet = rows.filter { $0.counter == job.counters.first?.name }.failures(of: require)
        for failure in unmet { Terminal.note(failure) }
        if !unmet.isEmpty { throw ExitCode.failure }
    }

    private static func noteUnknown(_ names: [String], of counter: String) {
        guard let first = names.first else { return }
        Terminal.note("\(counter): the manifest lacks \(names.count) of its recordings, such as \(first)")
    }

    /// One row per counter and group or recording. The changes are those of the first counter.
    private func rows(of job: EvaluationJob, baseline: Baseline?) -> [EvaluatedGroup] {
        job.counters.enumerated().flatMap { index, counter in
            EvaluatedGroup.rows(
                of: counter.evaluation, by: counter.name, hasLive: live,
                baseline: baseline.map { index == 0 ? $0 : Baseline(Evaluation()) })
        }
    }
}

/// Evaluates the recordings of a manifest: with the analyzer, and with the results of other programs.
struct EvaluationJob {
    let recordings: [Manifest.Recording]
    /// The results of other programs.
    let results: [CounterResults]
    /// Whether the analyzer is left out, so that no recording is read.
    let onlyResults: Bool
    /// Whether provisional activities are compared.
    let comparesLive: Bool

    /// The evaluation of the analyzer; empty if it is left out.
    private(set) var footfall = Evaluation()
    /// The evaluations of the results, in their order.
    private(set) var others: [Evaluation] = []
    /// The recordings that could not be evaluated, with the reason.
    private(set) var failures: [String] = []

    /// The evaluations of at least one recording, with the names of their counters, Footfall first.
    var counters: [(name: String, evaluation: Evaluation)] {
        ([("Footfall", footfall)] + zip(results.map(\.name), others)).filter { !$0.1.outcomes.isEmpty }
    }

    /// Evaluates all recordings, with progress on a terminal.
    mutating func run() {
        others = results.map { _ in Evaluation() }
        var progress = ProgressBar()
        for (index, recording) in recordings.enumerated() where !Interruption.isRequested {
            progress.update(recording.name, fraction: Double(index) / Double(recordings.count))
            do {
                try evaluate(recording)
            } catch {
                failures.append("\(recording.id): \(Failure.text(of: error))")
            }
        }
        progress.clear()
    }

    private mutating func evaluate(_ recording: Manifest.Recording) throws {
        let truth = try recording.truth()
        var run: AnalyzerRun?
        if !onlyResults {
            run = try Self.analyze(recording, truth: truth, comparesLive: comparesLive)
            guard let run else { return }
            footfall.add(run, of: recording, truth: truth)
        }
        for (index, results) in results.enumerated() {
            guard let steps = results.steps(of: recording) else { continue }
            let reported = AnalyzerRun(
                steps: steps, coverage: run?.coverage ?? recording.duration ?? 0,
                sampleRate: run?.sampleRate ?? recording.sampleRate)
            others[index].add(reported, of: recording, truth: truth)
        }
    }

    /// Reads and analyzes a recording; nil if the user interrupts it. Throws `TraceError`.
    private static func analyze(
        _ recording: Manifest.Recording, truth: RecordingTruth, comparesLive: Bool
    ) throws -> AnalyzerRun? {
        var labels: ActivityLabels?
        if comparesLive, case .activities(let known) = truth { labels = known }
        var trace = ReadAheadTrace(try Trace(contentsOf: recording.url))
        var analyzer = RecordingAnalyzer(comparingLiveWith: labels)
        while !Interruption.isRequested, let samples = try trace.nextSamples(unless: { Interruption.isRequested }) {
            analyzer.analyze(samples)
        }
        if Interruption.isRequested { return nil }
        let run = analyzer.finish()
        guard run.sampleRate != nil else {
            let usable = analyzer.quality.samples - analyzer.quality.dropped
            throw TraceError(
                .badData, path: recording.url.path, problem: "too few usable samples to analyze: \(usable)")
        }
        return run
    }
}
