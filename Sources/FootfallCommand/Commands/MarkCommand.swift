import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReaders
import FootfallTables
import Foundation

/// `footfall mark`: a text for a moment or a range of a history.
struct MarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Mark a moment or a range of a history with a text.",
        discussion: """
            Without --until a mark is open: it lasts until the next open mark, or to the newest sample. A mark with the same \
            text and start replaces the one before. Marks change no count, and may overlap. Another process may record \
            meanwhile.

              footfall mark lap
              footfall mark 'with the pram' --since 14:30 --until 15:10
              footfall mark 'with the pram' --since 14:30 --remove
              footfall query steps --since today --by mark
            """)

    @Argument(help: "The text.", transform: QueryParameter.text.read)
    var text: String

    @OptionGroup var history: HistoryOptions
    @Option(.source) var source: String?
    @Option(.since(orElse: "now; with --remove, the oldest mark"), short: "S") var since: TimeExpression?
    @Option(.until(orElse: "none"), short: "U") var until: TimeExpression?
    @Option(.zone) var zone: TimeZone?
    @Flag(help: "Remove the marks with this text that start in the range.") var remove = false
    @OptionGroup var output: OutputOptions

    func run() throws {
        let history = try history.read(isFollowed: true)
        defer { history.close() }
        let clock = WallClock(zone: zone, changes: try history.timeZones(of: source))
        if remove { return try removeMarks(from: history) }
        let mark = try history.mark(text, since: since, until: until, zone: zone, from: source)
        output.print([mark], Mark.table, zone: zone) {
            let end = mark.isOpen ? "" : " to \(clock.local(mark.range.upperBound).full)"
            return "Marked “\(mark.text.escaped)” from \(clock.local(mark.range.lowerBound).full)\(end).\n"
        }
    }

    private func removeMarks(from history: MotionHistory) throws {
        let removed = try history.read { snapshot in
            let marked = try snapshot.source(source)
            let zone = try zone ?? marked.timeZones().last?.timeZone ?? .gmt
            let ends = try ResolvedRange.ends(since, until, in: zone, now: Date())
            let start = ends.since ?? Timestamp.supported.lowerBound
            let range = start..<max(start, ends.until ?? Timestamp.supported.upperBound)
            return try marked.marks(in: range).filter { $0.text == text && range.contains($0.range.lowerBound) }
        }
        guard !removed.isEmpty else { throw HistoryError(.unknownMark(text.escaped), at: history.url) }
        try history.unmark(removed, from: source)
        output.print(removed, Mark.table, zone: zone) {
            "Removed \(NumberText.count(removed.count, "mark")).\n"
        }
    }
}
