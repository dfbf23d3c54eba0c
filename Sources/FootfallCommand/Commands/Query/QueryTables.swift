import Footfall
import FootfallHistory
import FootfallReport
import Foundation

/// Step counts as a table. On a terminal, each bucket has a bar.
struct StepsTable {
    let page: Page

    init(_ counts: [StepCount], _ clock: WallClock, hasBuckets: Bool) {
        let most = counts.map(\.count).max() ?? 0
        let hasBars = hasBuckets && Terminal.isOutputTerminal
        let room = max(10, min(40, Terminal.width - 64))
        var table = Table("from               ", "to                 ", ">  steps", ">covered", hasBars ? " " : "")
        for count in counts {
            table.add(
                clock.local(count.range.lowerBound).full, clock.local(count.range.upperBound).full,
                count.coverage > 0 ? String(count.count) : Color.dim("no data"),
                NumberText.percentage(count.coverage, of: count.range.seconds),
                hasBars ? Color.green(Self.bar(count.count, of: most, width: room)) : "")
        }
        let total = hasBuckets ? "\n\(Color.bold("\(counts.reduce(0) { $0 + $1.count }) steps"))\n" : ""
        page = table.page(foot: total + Self.truncationNote(counts.contains { $0.isTruncated }))
    }

    /// The last line of an answer whose range starts before the retention.
    static func truncationNote(_ isTruncated: Bool) -> String {
        isTruncated ? "The range starts before the time that the history keeps.\n" : ""
    }

    /// A bar in eighths of a character.
    private static func bar(_ value: Int, of most: Int, width: Int) -> String {
        guard most > 0, value > 0 else { return "" }
        let eighths = max(1, value * width * 8 / most)
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}

/// Segments as a table.
struct ActivitiesTable {
    let page: Page

    init(_ segments: [RecordedSegment], _ clock: WallClock) {
        var table = Table(
            "from               ", "to                 ", ">   duration", "activity  ", ">steps", "confidence", "")
        for segment in segments {
            table.add(
                clock.local(segment.clippedRange.lowerBound).full,
                clock.local(segment.clippedRange.upperBound).full,
                Words.duration(segment.clippedDuration), Words.activity(segment.activity),
                segment.steps > 0 ? String(segment.steps) : "", segment.confidence.description,
                Color.dim(ActivitiesTable.remarks(segment, clock)))
        }
        page = table.page()
    }

    private static func remarks(_ segment: RecordedSegment, _ clock: WallClock) -> String {
        var remarks: [String] = []
        if let remark = Words.remark(segment.reason, segment.halts) { remarks.append(remark) }
        if segment.isClippedAtStart { remarks.append("began \(clock.local(segment.range.lowerBound).full)") }
        if segment.isClippedAtEnd {
            remarks.append("went on until \(clock.local(segment.range.upperBound).full)")
        }
        if segment.isOpen { remarks.append("newest") }
        return remarks.joined(separator: ", ")
    }
}

/// Covered and uncovered spans as a table.
struct CoverageTable {
    let page: Page

    init(_ coverages: [Coverage], _ clock: WallClock, isReversed: Bool) {
        var table = Table("from               ", "to                 ", ">   duration", "")
        var foot = ""
        for coverage in coverages {
            let spans =
                coverage.covered.map { ($0, Color.green("covered")) } + coverage.gaps.map { ($0, Color.dim("no data")) }
            let ordered = spans.sorted { ($0.0.lowerBound < $1.0.lowerBound) != isReversed }
            for (span, word) in ordered {
                table.add(
                    clock.local(span.lowerBound).full, clock.local(span.upperBound).full,
                    Words.duration(span.seconds), word)
            }
            let share = NumberText.percentage(coverage.seconds, of: coverage.range.seconds)
            foot +=
                "\n\(Color.bold(Words.duration(coverage.seconds))) covered, \(share) of the range\n"
                + StepsTable.truncationNote(coverage.isTruncated)
        }
        page = table.page(foot: foot)
    }
}
