import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReaders
import FootfallStudy
import FootfallTables
import Foundation

/// `footfall history`: the contents of a history, copies and deletion.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Inspect, copy and delete the contents of a history.",
        discussion: """
              footfall history info
              footfall history copy backup.sqlite
              footfall history export > steps.ndjson
              footfall history delete --source wrist --since yesterday --until today
            """,
        subcommands: [
            HistoryInfo.self, HistoryCheckCommand.self, HistoryCopy.self, HistoryExport.self, HistoryImport.self,
            HistoryDelete.self,
        ])
}

struct HistoryInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "The contents, the size and the retention of a history.",
        discussion: "  footfall history info --history steps.sqlite")

    @OptionGroup var history: HistoryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let overview = try HistoryOverview(of: history.read(), at: history.url)
        output.print([overview], HistoryOverview.table) { overview.text }
    }
}

/// The check of a history, and its file.
struct CheckedHistory {
    let path: String
    let check: HistoryCheck

    static let table = Table<CheckedHistory>(
        "history check", row: "the history",
        [
            .text("path", "The file.") { $0.path },
            .flag("sound", "Whether no damage was found.") { $0.check.problem == nil },
            .text("problem", "The first damage; empty without one.") { $0.check.problem?.description },
            .count("sources", "The sources.") { $0.check.sources }, .count("steps", "The steps.") { $0.check.steps },
        ])
}

struct HistoryCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a whole history for damage.",
        discussion: """
            Checks all pages, the range and the order of all values, and the sums against the rows. Another process may \
            record meanwhile. The exit code is 65 for a damaged history, and the message names the repair.

              footfall history check --history steps.sqlite
            """)

    @OptionGroup var history: HistoryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let check = try history.read(isFollowed: true).check()
        let path = history.url.path
        output.print([CheckedHistory(path: path, check: check)], CheckedHistory.table) {
            guard check.problem == nil else { return "" }
            let counts = [NumberText.count(check.sources, "source"), NumberText.count(check.steps, "step")]
            return "\(path.escaped): sound, \(counts.joined(separator: ", "))\n"
        }
        if let problem = check.problem {
            Terminal.note("\(path.escaped): \("\(problem)".escaped)")
            throw ExitCode(Failure.badData)
        }
    }
}

struct HistoryCopy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a history, also while another process records into it.",
        discussion: """
            The copy is one file with all events that are recorded by now. A copy of the file alone, such as by cp, may lack \
            the newest events while a process records. A history that is being recorded is not replaced.

              footfall history copy backup.sqlite
              footfall history copy copy.sqlite --history steps.sqlite
            """)

    @Argument(help: "The file of the copy.")
    var file: String

    @OptionGroup var history: HistoryOptions
    @OptionGroup var replacement: ReplacementOptions

    func run() throws {
        let rule = replacement.rule(reading: [history.url.path])
        guard case .file = try rule.place(at: file, marker: "") else {
            throw ValidationError("\(file) is not a file. Name a file for the copy.")
        }
        let draft = Draft(of: file, rule)
        let url = URL(filePath: draft.path)
        do {
            try history.read().write(to: url)
        } catch let error as HistoryError where error.url?.path == url.path {
            throw HistoryError(error.reason, at: URL(filePath: file))
        }
        _ = try rule.place(at: file, marker: "")
        note(try HistoryFile.place(url, at: URL(filePath: file), replaces: true))
    }
}

/// Prints the remarks about a history.
func note(_ remarks: [String]) {
    for remark in remarks { Terminal.note(remark.escaped) }
}

struct HistoryDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a source, or a range of time.",
        discussion: """
            Deleted time is then uncovered, and a source without any data left is removed. Deleted rows are \
            overwritten in the file.

              footfall history delete --source wrist --since yesterday --until today
              footfall history delete --source wrist
            """)

    @OptionGroup var history: HistoryOptions
    @OptionGroup var range: RangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if range.source == nil, range.since == nil, range.until == nil {
            throw ValidationError("Name what to delete: a --source, or a range with --since or --until.")
        }
    }

    func run() throws {
        // Opening for reading first keeps the command from creating a history.
        try self.history.read(isFollowed: true).close()
        let history = try MotionHistory(at: self.history.url)
        defer { history.close() }
        note(history.remarks)
        let (resolved, removed) = try history.read { snapshot in
            let (source, resolved) = try range.resolved(in: snapshot)
            // Without --since or --until the deletion has no limit, while a query ends at the newest sample.
            let start = range.since == nil ? Timestamp.supported.lowerBound : resolved.range.lowerBound
            let end = range.until == nil ? Timestamp.supported.upperBound : resolved.range.upperBound
            return (resolved, try source.steps(in: start..<end))
        }
        try history.delete(in: removed.range, from: resolved.source)
        try history.finish()
        let deletion = Deletion(resolved, removed)
        output.print([deletion], Deletion.table, zone: range.zone) { deletion.text }
    }
}

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
    @Option("Only this source (default: all).", "name") var source: String?

    func run() throws {
        let history = try self.history.read()
        var buffer = OutputBuffer()
        try history.exportLines(from: source) { buffer.add($0 + "\n", to: Terminal.out(bytes:)) }
        buffer.flush(to: Terminal.out(bytes:))
    }
}

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

    private var input: URL { URL(filePath: file == "-" ? "/dev/stdin" : file) }

    func run() throws {
        guard let lines = FileLines(input.path) else { throw FileError(POSIXError.latest, path: input.path) }
        do {
            let outcome: RecordingOutcome
            if FileManager.default.fileExists(atPath: history.url.path) {
                outcome = try importing(lines, into: history.url)
            } else {
                // A new history takes its place when it is complete.
                let draft = Draft(of: history.url.path, OutputRule())
                outcome = try importing(lines, into: URL(filePath: draft.path))
                note(try HistoryFile.place(URL(filePath: draft.path), at: history.url, replaces: false))
            }
            output.print([outcome], RecordingOutcome.table) {
                "Imported steps and segments: \(outcome.recorded).\n"
            }
            var report = RecordingReport(recording)
            report.add(outcome)
            try report.end(MotionHistory(reading: history.url))
        } catch let error as HistoryError {
            // An invalid line is an error of the input. Others name the history, not its draft.
            switch error.reason {
            case .malformed, .incomplete: throw HistoryError(error.reason, at: input)
            default: throw HistoryError(error.reason, at: history.url)
            }
        }
    }

    private func importing(_ lines: FileLines, into url: URL) throws -> RecordingOutcome {
        let history = try MotionHistory(
            at: url, acceptsFuture: recording.acceptFuture, acceptsLeap: recording.acceptLeap)
        defer { history.close() }
        note(history.remarks)
        let outcome: RecordingOutcome
        do {
            let texts = AnyIterator {
                lines.next().map { String(decoding: $0.last == ASCII.newline ? $0.dropLast() : $0[...], as: UTF8.self) }
            }
            outcome = try history.importLines(texts, retention: recording.retention)
        } catch {
            // A failed read also cuts the export short. Its error is the reason.
            guard let code = lines.failure.flatMap(POSIXError.Code.init) else { throw error }
            throw FileError(POSIXError(code), path: input.path)
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
            .count("replaced", "The steps of before that they replaced; repeated ones do not count.") { $0.replaced },
            .count("refused", "Those with times that are not supported.") { $0.refused },
            .count("setAside", "Those more than ten minutes ahead of the clock.") { $0.setAside },
        ])
}

struct Deletion {
    private let source: String?
    private let removed: StepCount
    /// The part of the range that held data; nil if there was none.
    private let range: Range<Timestamp>?
    private let clock: WallClock

    init(_ resolved: ResolvedRange, _ removed: StepCount) {
        (source, clock, self.removed) = (resolved.source, resolved.clock, removed)
        let part = resolved.kept.map { removed.range.clamped(to: $0) }
        range = removed.count > 0 || removed.coverage > 0 ? part : nil
    }

    static let table = Table<Deletion>(
        "history delete", row: "the deletion",
        [
            .text("source", "The wearer or the device; empty if nothing was removed.") { $0.source },
            .time("start", "The start of what was removed.") { $0.range?.lowerBound },
            .time("end", "The end of what was removed.") { $0.range?.upperBound },
            .count("steps", "The removed steps.") { $0.removed.count },
            .seconds("coverage", "The removed time with samples.") { $0.removed.coverage },
        ])

    /// The result as a sentence.
    var text: String {
        guard let range, let source else { return "There is nothing to remove.\n" }
        let steps = NumberText.count(removed.count, "step")
        return "Removed \(steps) in \(Words.duration(removed.coverage)) of \(source.escaped), "
            + "from \(clock.local(range.lowerBound).full) to \(clock.local(range.upperBound).full).\n"
    }
}
