import Footfall
import FootfallHistory
import Foundation

/// Step counts as a table; on a terminal, buckets get a bar each.
struct StepsTable {
    let text: String

    init(_ counts: [StepCount], _ inquiry: Inquiry, hasBuckets: Bool) {
        let most = counts.map(\.count).max() ?? 0
        let hasBars = hasBuckets && Terminal.isOutputTerminal
        let room = max(10, min(40, Terminal.width - 60))
        var table = Table("from", "to", ">steps", ">covered", hasBars ? " " : "")
        for count in counts {
            table.add(
                inquiry.local(count.range.lowerBound), inquiry.local(count.range.upperBound),
                count.coverage > 0 ? String(count.count) : "no data",
                Words.share(count.coverage, of: count.range.seconds),
                hasBars ? Color.green(Words.bar(count.count, of: most, width: room)) : "")
        }
        let isTruncated = counts.contains { $0.isTruncated }
        let total = hasBuckets ? "\n\(Color.bold("\(counts.reduce(0) { $0 + $1.count }) steps"))\n" : ""
        text = table.text + total + (isTruncated ? Words.truncated : "")
    }
}

/// Segments as a table.
struct ActivitiesTable {
    let text: String

    init(_ segments: [RecordedSegment], _ inquiry: Inquiry) {
        var table = Table("from", "to", ">duration", "activity", ">steps", "confidence", "")
        for segment in segments {
            var remarks: [String] = []
            if segment.isClippedAtStart { remarks.append("began \(inquiry.local(segment.range.lowerBound))") }
            if segment.isClippedAtEnd { remarks.append("went on until \(inquiry.local(segment.range.upperBound))") }
            if segment.isOpen { remarks.append("newest") }
            table.add(
                inquiry.local(segment.clippedRange.lowerBound), inquiry.local(segment.clippedRange.upperBound),
                Words.duration(segment.clippedDuration), Words.activity(segment.activity),
                segment.steps > 0 ? String(segment.steps) : "", segment.confidence.description,
                Color.dim(remarks.joined(separator: ", ")))
        }
        text = table.text
    }
}

/// Covered and uncovered spans as a table.
struct CoverageTable {
    let text: String

    init(_ coverage: Coverage, _ inquiry: Inquiry) {
        var table = Table("from", "to", ">duration", "")
        let spans = coverage.covered.map { ($0, "covered") } + coverage.gaps.map { ($0, "no data") }
        for (span, word) in spans.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
            table.add(
                inquiry.local(span.lowerBound), inquiry.local(span.upperBound), Words.duration(span.seconds),
                word == "covered" ? Color.green(word) : Color.dim(word))
        }
        let share = Words.share(coverage.seconds, of: coverage.range.seconds)
        text =
            table.text + "\n\(Color.bold(Words.duration(coverage.seconds))) covered, \(share) of the range\n"
            + (coverage.isTruncated ? Words.truncated : "")
    }
}

/// A day at a glance: totals, and a strip that shows the day from left to right.
struct SummaryView {
    let text: String

    init(_ summary: MotionSummary, _ inquiry: Inquiry) {
        let range = summary.range
        var lines = [
            "\(Color.bold(String(inquiry.local(range.lowerBound, seconds: false).prefix(10))))  "
                + "\(Color.bold("\(summary.steps.count) steps")), "
                + "\(Words.share(summary.steps.coverage, of: range.seconds)) of \(Words.duration(range.seconds)) covered"
        ]
        lines.append("  " + SummaryView.strip(summary, width: max(24, min(72, Terminal.width - 4))))
        var table = Table("  activity", ">time", ">share")
        for activity in Activity.allCases {
            guard let seconds = summary.durations[activity] else { continue }
            table.add(
                "  " + Words.activity(activity), Words.duration(seconds),
                Words.share(seconds, of: summary.steps.coverage))
        }
        lines.append(table.text)
        if let bout = summary.longestBout {
            let cadence = bout.cadence.map { ", \(Int($0.rounded())) steps/min" } ?? ""
            lines.append(
                "  longest bout: \(bout.steps) steps in \(Words.duration(bout.duration)) from "
                    + inquiry.local(bout.range.lowerBound) + cadence)
        }
        if let cadence = summary.walkingCadence {
            lines.append("  cadence while walking: \(Int(cadence.rounded())) steps/min")
        }
        text = lines.joined(separator: "\n") + "\n" + (summary.steps.isTruncated ? Words.truncated : "")
    }

    /// One character for each part of the range: what took most of it.
    private static func strip(_ summary: MotionSummary, width: Int) -> String {
        let range = summary.range
        let step = range.seconds / Double(width)
        return (0..<width).map { index -> String in
            let start = range.lowerBound.advanced(bySeconds: Double(index) * step)
            let cell = start..<max(start, start.advanced(bySeconds: step))
            var seconds: [Activity: Double] = [:]
            for segment in summary.segments where segment.clippedRange.overlaps(cell) {
                seconds[segment.activity, default: 0] += segment.clippedRange.clamped(to: cell).seconds
            }
            // Ties go to the activity named first, so that the picture is always the same.
            let longest = Activity.allCases.filter { seconds[$0] != nil }.max { seconds[$0] ?? 0 < seconds[$1] ?? 0 }
            return longest.map { Words.mark($0) } ?? Color.dim("·")
        }.joined()
    }
}

extension Words {
    /// Said where an answer misses what the history has forgotten.
    static let truncated = "The range reaches back beyond what the history keeps.\n"

    /// A share as a percentage.
    static func share(_ part: Double, of whole: Double) -> String {
        whole > 0 ? "\(Int((100 * part / whole).rounded())) %" : "–"
    }

    /// A bar of eighths of a character.
    static func bar(_ value: Int, of most: Int, width: Int) -> String {
        guard most > 0, value > 0 else { return "" }
        let eighths = max(1, value * width * 8 / most)
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }

    /// An activity as one character of a strip: a letter where there are no colours.
    static func mark(_ activity: Activity) -> String {
        if !Terminal.usesColor {
            return switch activity {
            case .stationary: "_"
            case .walking: "w"
            case .running: "R"
            case .automotive: "a"
            case .cycling: "c"
            case .unknown: "?"
            }
        }
        return switch activity {
        case .stationary: Color.grey("▁")
        case .walking: Color.green("▅")
        case .running: Color.magenta("█")
        case .automotive: Color.blue("▃")
        case .cycling: Color.cyan("▄")
        case .unknown: Color.dim("▁")
        }
    }
}
