import ArgumentParser
import Footfall
import FootfallHistory
import Foundation

/// `footfall history export`
struct HistoryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the contents of a history as lines of JSON.",
        discussion: """
            The export is complete: times are whole nanoseconds. Another history can import it, and any program can \
            read it.

              footfall history export --history steps.sqlite > steps.ndjson
              footfall history export --source wrist | gzip > wrist.ndjson.gz
            """)

    @OptionGroup var history: HistoryOptions

    @Option(help: ArgumentHelp("Only this source (default: all).", valueName: "name"))
    var source: String?

    func run() throws {
        let history = try MotionHistory(reading: self.history.url)
        var text = ""
        try history.exportLines(from: source) { line in
            text += line + "\n"
            if text.utf8.count > 1 << 16 {
                Terminal.out(text)
                text = ""
            }
        }
        Terminal.out(text)
    }
}

/// `footfall history import`
struct HistoryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import an export, all of it or nothing.",
        discussion: """
            The import replaces what the same source recorded at the same time. The command creates a missing history \
            with the retention of the export, or of --keep.

              footfall history import steps.ndjson --history copy.sqlite
              gunzip -c wrist.ndjson.gz | footfall history import -
            """)

    @Argument(help: "The export; - for standard input.")
    var file: String

    @OptionGroup var history: HistoryOptions
    @OptionGroup var recording: RecordingOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let input = URL(filePath: file == "-" ? "/dev/stdin" : file)
        let lines = try Lines(contentsOf: input)
        do {
            let outcome = try importing(lines)
            print(outcome)
            var report = RecordingReport(recording)
            report.add(outcome)
            try report.finish(MotionHistory(reading: history.url))
        } catch let error as HistoryError {
            // The invalid line is in the input, not in the history.
            guard case .malformed = error.reason else { throw error }
            throw HistoryError(error.reason, at: input)
        }
    }

    private func importing(_ lines: Lines) throws -> RecordingOutcome {
        let outcome = try recording.open(history.url).importLines(lines)
        // An empty history takes over the retention of the export. --keep overrides it.
        if recording.retention != nil { _ = try recording.open(history.url) }
        return outcome
    }

    private func print(_ outcome: RecordingOutcome) {
        if var writer = output.output.makeWriter(columns: ["recorded", "expired", "refused", "setAside"]) {
            writer.write([
                ("recorded", .integer(outcome.recorded)), ("expired", .integer(outcome.expired)),
                ("refused", .integer(outcome.refused)), ("setAside", .integer(outcome.setAside)),
            ])
            writer.finish()
        } else {
            Terminal.out("Imported \(outcome.recorded) steps and segments.\n")
        }
    }
}
