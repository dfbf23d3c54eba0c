import ArgumentParser
import Footfall
import FootfallHistory
import FootfallStudy
import FootfallTables
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
        let history = try self.history.read()
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
            let outcome: RecordingOutcome
            if FileManager.default.fileExists(atPath: history.url.path) {
                outcome = try importing(lines, into: history.url)
            } else {
                // A new history takes its place when it is complete.
                let draft = Draft(of: history.url.path, OutputRule())
                outcome = try importing(lines, into: URL(filePath: draft.path))
                note(try MotionHistory.place(URL(filePath: draft.path), at: history.url, replaces: false))
            }
            output.print([outcome], RecordingOutcome.table) {
                "Imported \(outcome.recorded) steps and segments.\n"
            }
            var report = RecordingReport(recording)
            report.add(outcome)
            try report.end(MotionHistory(reading: history.url))
        } catch let error as HistoryError {
            // An invalid line is in the input, not in the history, whose draft has another name.
            switch error.reason {
            case .malformed, .incomplete: throw HistoryError(error.reason, at: input)
            default: throw HistoryError(error.reason, at: history.url)
            }
        }
    }

    private func importing(_ lines: Lines, into url: URL) throws -> RecordingOutcome {
        let history = try MotionHistory(
            at: url, acceptsFuture: recording.acceptFuture, acceptsLeap: recording.acceptLeap)
        defer { history.close() }
        note(history.remarks)
        let outcome: RecordingOutcome
        do {
            outcome = try history.importLines(lines, retention: recording.retention)
        } catch {
            // What was read before the failure has no end, either.
            if let failure = lines.failure { throw failure }
            throw error
        }
        try history.finish()
        return outcome
    }
}

extension RecordingOutcome {
    static let table = Table<RecordingOutcome>(
        "history import", row: "the import",
        [
            .count("recorded", "The steps and segments that were recorded.") { $0.recorded },
            .count("expired", "Those older than the history keeps.") { $0.expired },
            .count("refused", "Those with times that are not supported.") { $0.refused },
            .count("setAside", "Those more than ten minutes ahead of the clock.") { $0.setAside },
        ])
}
