import ArgumentParser
import Footfall
import Foundation

/// `footfall evaluate`: how right the answers are, against recordings whose truth is known.
struct Evaluate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the accuracy of steps and activities against ground truth.",
        discussion: """
            The manifest is a CSV with one line per recording: dataset, recording, and true_steps (a count; the times in \
            <recording>.steps.csv, if there) or labels (the recording has a label in each row, or the <recording>.truth.json \
            of a simulation beside it). Recordings lie at <dataset>/<recording>.csv beside the manifest.

              footfall evaluate corpus/steps/manifest.csv
              footfall evaluate corpus/activity/manifest.csv --output json > before.json
              footfall evaluate corpus/activity/manifest.csv --baseline before.json

            Machine formats hold one record per group and one per recording, named 'recording <set>/<recording>', with the \
            same keys.
            """)

    @Argument(help: "A manifest of recordings with their truth.")
    var manifest: String

    @Option(help: ArgumentHelp("How many of the worst recordings to list.", valueName: "count"))
    var worst = 10

    @Option(
        help: ArgumentHelp(
            "Compare with an earlier run: a file that --output json has written.", valueName: "file"))
    var baseline: String?

    @Flag(help: "Also measure what is shown live: the answers at once, and 5, 10 and 30 s later. Takes much longer.")
    var live = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        // Read first: an evaluation takes long, and a wrong file is told at once.
        let baseline = try baseline.map { try Baseline(contentsOf: URL(filePath: $0)) }
        let manifest = try Manifest(contentsOf: URL(filePath: manifest))
        var evaluation = Evaluation(live: live)
        var progress = ProgressBar()
        for (index, entry) in manifest.entries.enumerated() where !Interruption.isRequested {
            progress.update(entry.recording, fraction: Double(index) / Double(manifest.entries.count))
            evaluation.add(entry)
        }
        progress.clear()
        for failure in evaluation.failures { Terminal.note("footfall: \(failure)") }
        let columns = EvaluationReport.columns(evaluation, comparedWith: baseline)
        if var writer = output.output.makeWriter(columns: columns) {
            for record in EvaluationReport.records(evaluation, comparedWith: baseline) { writer.write(record) }
            writer.finish()
        } else {
            Terminal.out(EvaluationTables(evaluation, comparedWith: baseline).text(worst: worst))
        }
        if !evaluation.failures.isEmpty { throw ExitCode(Failure.badData) }
    }
}
