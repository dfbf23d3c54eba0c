import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReport
import Foundation

/// `footfall report`: a range of a history as a page to read, to print and to pass on.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a web page of any range of a history.",
        discussion: """
            The page is one HTML file that needs nothing else: steps per day and hour, activities, cadence, bouts and \
            coverage as pictures, with a table below each. It reads on any screen, in light and dark, and on paper.

              footfall report --since -7d --out week.html
              footfall report --history steps.sqlite --source wrist --out wrist.html
              footfall report --since yesterday --until today --out day.html --plot day.svg
              footfall report --since today | ssh server 'cat > today.html'

            Where nothing of the range is known, the page says so: no data is not zero.
            """)

    @OptionGroup var location: HistoryLocation
    @OptionGroup var range: HistoryRange

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Where to write the page (default, or -: standard output, unless that is a terminal).", valueName: "file"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Also draw the days, their steps and activities, into this SVG file.", valueName: "file"))
    var plot: String?

    func run() throws {
        if out == nil, Terminal.isOutputTerminal {
            throw ValidationError("A page is no sight on a terminal: name a file for it, such as --out report.html.")
        }
        let history = try MotionHistory(reading: location.url)
        var inquirer = Inquirer(history, range)
        let inquiry = try inquirer.inquire()
        let report = try HistoryReport(of: inquiry, in: location.url.lastPathComponent)
        if let plot { try TextFile.write(report.svg, to: plot) }
        if let out, out != "-" {
            try TextFile.write(report.html, to: out)
        } else {
            Terminal.out(report.html)
        }
        if try inquiry.coverage() == 0 { inquiry.explainEmptiness() }
    }
}

extension HistoryReport {
    /// Asks for all that a report tells.
    ///
    /// - Parameter name: What the history is called.
    /// - Throws: `HistoryError`.
    init(of inquiry: Inquiry, in name: String) throws {
        let (history, range, source) = (inquiry.history, inquiry.range, inquiry.source)
        let summary = try history.summary(of: range, from: source)
        // A range may be any number of days long; those of which nothing is known are told by the ones around them.
        let days = try history.steps(in: range, by: .day, calendar: inquiry.clock.calendar, from: source)
            .filter { $0.coverage > 0 || $0.count > 0 }.map(\.range)
        let minutes = CalendarBucket.minutes(HistoryReport.minutesPerBar(for: days))
        self.init(
            Subject(
                history: name, source: source, range: range, timeZone: inquiry.clock.zone(at: range.lowerBound),
                kept: inquiry.kept, isTruncated: summary.steps.isTruncated,
                version: Main.configuration.version),
            total: ReportBucket(summary, inquiry.clock),
            days: try days.map { try ReportDay($0, by: minutes, inquiry) },
            bouts: try history.bouts(in: range, from: source).map {
                ReportBout(range: $0.range, steps: $0.steps, cadence: $0.cadence)
            },
            stepTimes: try history.stepTimes(in: range, from: source))
    }
}

extension ReportDay {
    /// Asks for a day, or the part of it that a range leaves.
    fileprivate init(_ range: Range<Timestamp>, by bucket: CalendarBucket, _ inquiry: Inquiry) throws {
        let (history, source, clock) = (inquiry.history, inquiry.source, inquiry.clock)
        let summary = try history.summary(of: range, from: source)
        let counts = try history.steps(in: range, by: bucket, calendar: clock.calendar, from: source)
        let durations = try history.durations(in: counts.map(\.range), from: source)
        self.init(
            total: ReportBucket(summary, clock),
            bars: zip(counts, durations).map { count, durations in
                ReportBucket(
                    range: count.range, timeZone: clock.zone(at: count.range.lowerBound), steps: count.count,
                    coverage: count.coverage, durations: durations)
            },
            spans: summary.segments.map { ($0.clippedRange, $0.activity) })
    }
}

extension ReportBucket {
    fileprivate init(_ summary: MotionSummary, _ clock: WallClock) {
        self.init(
            range: summary.range, timeZone: clock.zone(at: summary.range.lowerBound), steps: summary.steps.count,
            coverage: summary.steps.coverage, durations: summary.durations, walkingCadence: summary.walkingCadence)
    }
}
