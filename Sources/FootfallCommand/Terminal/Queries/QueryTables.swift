import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReport
import FootfallTables
import Foundation

/// A query whose answer is a table on a terminal.
protocol PrintedQuery: HistoryQuery {
    /// The rows as text. Its foot is about `all` rows up to the last one of the page.
    func page(_ rows: [Row], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page
}

extension StepsQuery: PrintedQuery {
    /// On a terminal, each bucket has a bar.
    func page(_ counts: [StepCount], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let hasBuckets = bucket != nil
        let most = counts.map(\.count).max() ?? 0
        let hasBars = hasBuckets && Terminal.isOutputTerminal
        // The columns before the bars have 60 characters, without the ends of the buckets 39.
        let room = max(10, Terminal.width - (Terminal.width < 80 ? 39 : 60))
        let end = "to                 "
        var table = TextTable("from               ", end, ">  steps", ">covered", "", leastUsed: [end])
        for count in counts {
            table.add(
                clock.local(count.range.lowerBound).full, clock.local(count.range.upperBound).full,
                count.coverage > 0 ? String(count.count) : Color.dim("no data"),
                NumberText.percentage(count.coverage, of: count.range.seconds),
                hasBars ? Color.green(Self.bar(count.count, of: most, width: room)) : "")
        }
        let total = hasBuckets ? "\n\(Color.bold("\(all.steps) steps"))\n" : ""
        return table.page(foot: total + truncationNote(all.isTruncated))
    }

    /// A bar in eighths of a character.
    private static func bar(_ value: Int, of most: Int, width: Int) -> String {
        guard most > 0, value > 0 else { return "" }
        let eighths = max(1, value * width * 8 / most)
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}

extension MarkedStepsQuery: PrintedQuery {
    func page(_ rows: [MarkedSteps], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        var table = TextTable("from               ", "to                 ", ">  steps", ">covered", "", "mark")
        for row in rows {
            table.add(
                clock.local(row.range.lowerBound).full, clock.local(row.range.upperBound).full,
                row.steps.coverage > 0 ? String(row.stepCount) : Color.dim("no data"),
                NumberText.percentage(row.steps.coverage, of: row.range.seconds),
                Color.dim(row.mark.isOpen ? "open" : ""), row.mark.text.escaped)
        }
        return table.page(foot: truncationNote(all.isTruncated))
    }
}

extension ActivitiesQuery: PrintedQuery {
    func page(_ segments: [RecordedSegment], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let end = "to                 "
        var table = TextTable(
            "from               ", end, ">   duration", "activity  ", ">steps", "confidence", "",
            leastUsed: [end, "confidence", ""])
        for segment in segments {
            table.add(
                clock.local(segment.clippedRange.lowerBound).full,
                clock.local(segment.clippedRange.upperBound).full,
                Words.duration(segment.clippedDuration), Words.activity(segment.activity),
                segment.steps > 0 ? String(segment.steps) : "", segment.confidence.description,
                Color.dim(Self.remarks(segment, clock)))
        }
        return table.page()
    }

    private static func remarks(_ segment: RecordedSegment, _ clock: WallClock) -> String {
        [
            Words.remark(segment.reason, segment.halts),
            segment.isClippedAtStart ? "began \(clock.local(segment.range.lowerBound).full)" : nil,
            segment.isClippedAtEnd ? "went on until \(clock.local(segment.range.upperBound).full)" : nil,
            segment.isOpen ? "newest" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
}

extension BoutsQuery: PrintedQuery {
    func page(_ answers: [MeasuredBout], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let end = "to                 "
        var table = TextTable("from               ", end, ">   duration", ">steps", ">cadence", leastUsed: [end])
        for bout in answers.map(\.bout) {
            table.add(
                clock.local(bout.range.lowerBound).full, clock.local(bout.range.upperBound).full,
                Words.duration(bout.duration), String(bout.steps),
                bout.cadence.map { "\(Int(clamping: $0.rounded()))/min" } ?? "")
        }
        return table.page()
    }
}

extension CoverageQuery: PrintedQuery {
    func page(_ coverages: [Coverage], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let end = "to                 "
        var table = TextTable("from               ", end, ">   duration", "", leastUsed: [end])
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
                + truncationNote(coverage.isTruncated)
        }
        return table.page(foot: foot)
    }
}

extension SummaryQuery: PrintedQuery {
    func page(_ summaries: [MotionSummary], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        Page(
            body: summaries.map { Self.day($0, clock) }.joined(separator: "\n"),
            foot: truncationNote(all.isTruncated))
    }

    /// A day: its totals and a strip of its activities.
    private static func day(_ summary: MotionSummary, _ clock: WallClock) -> String {
        let strip = TimelineStrip(summary, clock, width: max(24, Terminal.width - 4))
        return [
            WrappedText.onTerminal(heading(summary, clock)), "  " + strip.ticks, "  " + strip.marks, "",
            activities(summary).text + WrappedText.onTerminal(remarks(summary, clock)),
        ].joined(separator: "\n")
    }

    private static func heading(_ summary: MotionSummary, _ clock: WallClock) -> String {
        let range = summary.range
        let day = clock.local(range.lowerBound).day
        let steps = summary.steps.coverage > 0 ? "\(summary.steps.count) steps" : "no data"
        let covered = NumberText.percentage(summary.steps.coverage, of: range.seconds)
        return "\(Color.bold(day))  \(Color.bold(steps)), \(covered) of \(Words.duration(range.seconds)) covered"
    }

    /// The time of each activity, with the marks of the strip as a legend.
    private static func activities(_ summary: MotionSummary) -> TextTable {
        var table = TextTable("  ", "activity  ", ">      time", "> share")
        for activity in Activity.allCases {
            let unworn = activity == .unknown ? summary.nonWear : 0
            guard let seconds = summary.durations[activity].map({ $0 - unworn }), seconds > 0 || unworn == 0 else {
                continue
            }
            table.add(
                "  " + TimelineStrip.mark(activity, share: 1), Words.activity(activity), Words.duration(seconds),
                NumberText.percentage(seconds, of: summary.range.seconds))
        }
        let uncovered = summary.range.seconds - summary.steps.coverage
        for (mark, name, seconds) in [(Activity.unknown, "not worn", summary.nonWear), (nil, "no data", uncovered)]
        where seconds >= 1 {
            table.add(
                "  " + TimelineStrip.mark(mark, share: 1), Color.dim(name), Words.duration(seconds),
                NumberText.percentage(seconds, of: summary.range.seconds))
        }
        return table
    }

    private static func remarks(_ summary: MotionSummary, _ clock: WallClock) -> String {
        var lines = ""
        if let bout = summary.longestBout {
            let cadence = bout.cadence.map { ", \(Int(clamping: $0.rounded())) steps/min" } ?? ""
            lines +=
                "  longest bout  \(bout.steps) steps in \(Words.duration(bout.duration)) "
                + "from \(clock.local(bout.range.lowerBound).minute)\(cadence)\n"
        }
        if let cadence = summary.walkingCadence {
            lines += "  cadence       \(Int(clamping: cadence.rounded())) steps/min while walking\n"
        }
        return lines.isEmpty ? "" : "\n" + lines
    }
}

extension MeasuresQuery: PrintedQuery {
    func page(_ days: [DayAnswer], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        var table = TextTable(
            "day                 ", ">      worn", ">  steps", ">peak 1", ">peak 30", ">peak 60", ">median",
            ">100 and more", "half by", "",
            leastUsed: ["half by", ">peak 60", ">median", ">peak 1", ">100 and more", ""])
        for answer in days {
            let cadence = answer.day.cadence
            func whole(_ value: Double?) -> String { value.map { String(Int(clamping: $0.rounded())) } ?? "" }
            let hasMinutes = !cadence.minuteCadences.isEmpty
            table.add(
                clock.local(answer.range.lowerBound).day, Words.duration(answer.day.wear),
                answer.count.coverage > 0 ? String(answer.count.count) : Color.dim("no data"),
                whole(cadence.peakCadence(minutes: 1)), whole(cadence.peakCadence(minutes: 30)),
                whole(cadence.peakCadence(minutes: 60)), whole(cadence.cadenceQuantile(0.5)),
                hasMinutes ? "\(cadence.minutes(atLeast: CadenceMeasures.moderateCadence)) min" : "",
                cadence.time(ofShare: 0.5).map { clock.local($0).minute } ?? "",
                answer.isValid ? "" : Color.dim("not valid"))
        }
        let valid = days.count { $0.isValid }
        return table.page(
            foot: "\npeaks and median in steps/min; \(valid) of \(days.count) days valid\n"
                + truncationNote(all.isTruncated))
    }
}

/// The last line of an answer whose range starts before the retention.
private func truncationNote(_ isTruncated: Bool) -> String {
    isTruncated ? WrappedText.onTerminal("The range starts before the time that the history keeps.\n") : ""
}
