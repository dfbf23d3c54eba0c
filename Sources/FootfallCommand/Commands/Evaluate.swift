import ArgumentParser
import Footfall
import Foundation

/// `footfall evaluate`: how right the answers are, against recordings whose truth is known.
struct Evaluate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the accuracy of steps and activities against ground truth.",
        discussion: """
            The manifest is a CSV with one line per recording: dataset, recording, and true_steps (a count; the times in \
            <recording>.steps.csv, if there) or labels (the recording has a label in each row). Recordings lie at \
            <dataset>/<recording>.csv beside it.

              footfall evaluate corpus/steps/manifest.csv
              footfall evaluate corpus/activity/manifest.csv --output json
            """)

    @Argument(help: "A manifest of recordings with their truth.")
    var manifest: String

    @Option(help: ArgumentHelp("How many of the worst recordings to list.", valueName: "count"))
    var worst = 10

    @OptionGroup var output: OutputOptions

    func run() throws {
        let manifest = try Manifest(contentsOf: URL(filePath: manifest))
        var evaluation = Evaluation()
        var progress = ProgressBar()
        for (index, entry) in manifest.entries.enumerated() where !Interruption.isRequested {
            progress.update(entry.recording, fraction: Double(index) / Double(manifest.entries.count))
            evaluation.add(entry)
        }
        progress.clear()
        for failure in evaluation.failures { Terminal.note("footfall: \(failure)") }
        if var writer = output.output.makeWriter(columns: EvaluationReport.columns(evaluation)) {
            for (name, group) in evaluation.groups {
                writer.write(EvaluationReport.record(name, group, hasSteps: evaluation.hasSteps))
            }
            writer.finish()
        } else {
            Terminal.out(EvaluationReport.table(evaluation, worst: worst))
        }
        if !evaluation.failures.isEmpty { throw ExitCode(Failure.badData) }
    }
}
