import ArgumentParser
import Footfall
import FootfallHistory
import Foundation

/// `footfall history export`
struct HistoryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all that a history holds as lines of JSON.",
        discussion: """
            Nothing is lost: times are whole nanoseconds. What is exported can be imported into another history, or \
            read by any program.

              footfall history export --history steps.sqlite > steps.ndjson
              footfall history export --source wrist | gzip > wrist.ndjson.gz
            """)

    @OptionGroup var location: HistoryLocation

    @Option(help: ArgumentHelp("Only this source (default: all).", valueName: "name"))
    var source: String?

    func run() throws {
        let history = try MotionHistory(reading: location.url)
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
        commandName: "import", abstract: "Record what was exported from a history, all of it or nothing.",
        discussion: """
            It replaces what the same source said about the same time. A history is made when there is none; it keeps \
            what it holds as long as the other one did, unless --keep says how long.

              footfall history import steps.ndjson --history copy.sqlite
              gunzip -c wrist.ndjson.gz | footfall history import -
            """)

    @Argument(help: "What was exported; - for standard input.")
    var file: String

    @OptionGroup var location: HistoryLocation
    @OptionGroup var keeping: Keeping
    @OptionGroup var output: OutputOptions

    func run() throws {
        let input = URL(filePath: file == "-" ? "/dev/stdin" : file)
        let lines = try Lines(contentsOf: input)
        do {
            report(try importing(lines))
        } catch let error as HistoryError {
            // The line that cannot be read is one of the file, not of the history.
            guard case .malformed = error.reason else { throw error }
            throw HistoryError(error.reason, at: input)
        }
    }

    private func importing(_ lines: Lines) throws -> RecordingOutcome {
        let keep = try keeping.retention
        let outcome = try MotionHistory(at: location.url, retention: keep).importLines(lines)
        // An empty history takes over how long the other one remembers; what was asked for has the last word.
        if let keep { _ = try MotionHistory(at: location.url, retention: keep) }
        return outcome
    }

    private func report(_ outcome: RecordingOutcome) {
        if outcome.expired > 0 {
            Terminal.note(
                "footfall: \(outcome.expired) steps and segments are older than the history keeps and were left out; "
                    + "--keep forever keeps them")
        }
        if var writer = output.output.makeWriter(columns: ["recorded", "expired", "refused"]) {
            writer.write([
                ("recorded", .integer(outcome.recorded)), ("expired", .integer(outcome.expired)),
                ("refused", .integer(outcome.refused)),
            ])
            writer.finish()
        } else {
            Terminal.out("Imported \(outcome.recorded) steps and segments.\n")
        }
    }
}
