import ArgumentParser
import Footfall
import FootfallHistory
import Foundation

/// `footfall history`: looks after a history.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look after a history: what is in it, copies, deletion.",
        discussion: """
              footfall history info
              footfall history export > steps.ndjson
              footfall history delete --source wrist --since yesterday --until today
            """,
        subcommands: [HistoryInfo.self, HistoryExport.self, HistoryImport.self, HistoryDelete.self])
}

/// `footfall history info`
struct HistoryInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "What a history holds, where and for how long.",
        discussion: "  footfall history info --history steps.sqlite")

    @OptionGroup var location: HistoryLocation
    @OptionGroup var output: OutputOptions

    func run() throws {
        let history = try MotionHistory(reading: location.url)
        let overview = try HistoryOverview(history, at: location.url)
        if var writer = output.output.makeWriter(columns: HistoryOverview.columns) {
            writer.write(overview.record)
            writer.finish()
        } else {
            Terminal.out(overview.text)
        }
    }
}

/// `footfall history delete`
struct HistoryDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove what was recorded, all of a source or a range of time.",
        discussion: """
            The time that is deleted is then as if it had never been covered; a source of which nothing is left \
            is gone. What is deleted is overwritten in the file.

              footfall history delete --source wrist --since yesterday --until today
              footfall history delete --source wrist
            """)

    @OptionGroup var location: HistoryLocation
    @OptionGroup var range: HistoryRange
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if range.source == nil, range.since == nil, range.until == nil {
            throw ValidationError("Say what to delete: a --source, or a range with --since or --until.")
        }
    }

    func run() throws {
        let url = location.url
        // A history to delete from is not made by deleting from it.
        _ = try MotionHistory(reading: url)
        let history = try MotionHistory(at: url)
        var inquirer = Inquirer(history, range)
        let inquiry = try inquirer.inquire()
        // An end that was not given is not the newest sample, as in a question, but no end at all.
        let start = range.since == nil ? Timestamp.supported.lowerBound : inquiry.range.lowerBound
        let end = range.until == nil ? Timestamp.supported.upperBound : inquiry.range.upperBound
        let removed = try history.steps(in: start..<end, from: inquiry.source)
        try history.delete(in: start..<end, from: inquiry.source)
        let deletion = Deletion(inquiry, removed)
        if var writer = output.output.makeWriter(columns: Deletion.columns) {
            writer.write(deletion.record)
            writer.finish()
        } else {
            Terminal.out(deletion.text)
        }
    }
}
