import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReport
import FootfallStudy
import Foundation

/// `footfall report`: a range of a history as a web page.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write a web page about any range of a history.",
        discussion: """
            The page is one self-contained HTML file: steps per day and hour, activities, cadence, bouts and coverage \
            as pictures, with a table below each. It fits any screen, light and dark themes, and paper.

              footfall report --since -7d --out week.html
              footfall report --history steps.sqlite --source wrist --out wrist.html
              footfall report --since yesterday --until today --out day.html --plot day.svg
              footfall report --since today | ssh server 'cat > today.html'

            If the range has no data, the page states it, and the exit code is 1: no data is not zero.
            """)

    @OptionGroup var history: HistoryOptions
    @OptionGroup var range: RangeOptions

    @Option("The file of the page; - for standard output, the default unless it is a terminal.", "file")
    var out: String?

    @Option("An SVG file for a picture of the days.", "file", OptionValue.picture) var plot: String?
    @Option("The goal of a day in steps, which the page compares with.", "steps", OptionValue.goal) var goal: Int?
    @OptionGroup var replacement: ReplacementOptions

    func run() throws {
        if out == nil, Terminal.isOutputTerminal {
            throw ValidationError("The page does not go to a terminal. Name a file, such as --out report.html.")
        }
        let rule = replacement.rule(reading: [history.url.path])
        let page = try out.flatMap { $0 == "-" ? nil : $0 }.map {
            try OutputFile($0, marker: OutputFile.pageMarker, rule)
        }
        let picture = try plot.map { try OutputFile($0, marker: OutputFile.pictureMarker, rule) }
        let (resolved, report) = try history.read().read { snapshot in
            let (source, resolved) = try range.resolved(in: snapshot)
            let report = try HistoryReport(
                of: source, in: resolved.range, timeZone: range.zone,
                generator: "Footfall \(Release.version)", goal: goal)
            return (resolved, report)
        }
        picture?.add(report.svg)
        try picture?.finish()
        if page == nil { Terminal.out(report.html) }
        page?.add(report.html)
        try page?.finish()
        guard resolved.coverage > 0 else {
            resolved.noteEmptiness()
            throw ExitCode(Failure.failure)
        }
    }
}
