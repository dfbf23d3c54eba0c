import Footfall
import FootfallHistory
import FootfallReport

/// A day as text: its totals and a strip of its activities.
struct SummaryView {
    let text: String

    init(_ summary: MotionSummary, _ clock: WallClock) {
        let strip = TimelineStrip(summary, clock, width: max(24, min(72, Terminal.width - 4)))
        let lines = [
            SummaryView.heading(summary, clock), "  " + strip.ticks, "  " + strip.marks, "",
            SummaryView.activities(summary).text + SummaryView.remarks(summary, clock),
        ]
        text = lines.joined(separator: "\n")
    }

    private static func heading(_ summary: MotionSummary, _ clock: WallClock) -> String {
        let range = summary.range
        let day = clock.local(range.lowerBound).day
        let steps = summary.steps.coverage > 0 ? "\(summary.steps.count) steps" : "no data"
        let covered = NumberText.percentage(summary.steps.coverage, of: range.seconds)
        return "\(Color.bold(day))  \(Color.bold(steps)), \(covered) of \(Words.duration(range.seconds)) covered"
    }

    /// The time of each activity, with the marks of the strip as a legend.
    private static func activities(_ summary: MotionSummary) -> Table {
        var table = Table("  ", "activity  ", ">      time", "> share")
        for activity in Activity.allCases {
            guard let seconds = summary.durations[activity] else { continue }
            table.add(
                "  " + TimelineStrip.mark(activity, share: 1), Words.activity(activity), Words.duration(seconds),
                NumberText.percentage(seconds, of: summary.range.seconds))
        }
        let unknown = summary.range.seconds - summary.steps.coverage
        if unknown >= 1 {
            table.add(
                "  " + TimelineStrip.mark(nil, share: 1), Color.dim("no data"), Words.duration(unknown),
                NumberText.percentage(unknown, of: summary.range.seconds))
        }
        return table
    }

    private static func remarks(_ summary: MotionSummary, _ clock: WallClock) -> String {
        var lines = ""
        if let bout = summary.longestBout {
            let cadence = bout.cadence.map { ", \(Int($0.rounded())) steps/min" } ?? ""
            lines +=
                "  longest bout  \(bout.steps) steps in \(Words.duration(bout.duration)) "
                + "from \(clock.local(bout.range.lowerBound).minute)\(cadence)\n"
        }
        if let cadence = summary.walkingCadence {
            lines += "  cadence       \(Int(cadence.rounded())) steps/min while walking\n"
        }
        return lines.isEmpty ? "" : "\n" + lines
    }
}
