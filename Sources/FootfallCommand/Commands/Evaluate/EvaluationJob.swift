import Footfall
import FootfallEvaluation
import FootfallReaders
import Foundation

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

    init(_ recordings: [Manifest.Recording], results: [CounterResults], onlyResults: Bool, comparesLive: Bool) {
        self.recordings = recordings
        self.results = results
        self.onlyResults = onlyResults
        self.comparesLive = comparesLive
        others = results.map { _ in Evaluation() }
    }

    /// All evaluations with the names of their counters, Footfall first.
    var counters: [(name: String, evaluation: Evaluation)] {
        (onlyResults ? [] : [("Footfall", footfall)]) + zip(results.map(\.name), others).map { ($0, $1) }
    }

    /// Evaluates all recordings, with progress on a terminal.
    mutating func run() {
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

    /// Reads and analyzes a recording; nil if the user interrupts it.
    ///
    /// - Throws: `TraceError`.
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
