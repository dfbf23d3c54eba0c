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
        let table = TextTable(
            counts, of: StepCount.table, clock,
            [
                TextColumn("start", as: "from"), TextColumn("end", as: "to", goes: 0),
                TextColumn("steps", width: 7) { $0.coverage > 0 ? nil : noData },
                TextColumn("coverage", as: "covered") { share($0) },
                TextColumn { hasBars ? Color.green(Self.bar($0.count, of: most, width: room)) : "" },
            ])
        let total = hasBuckets ? "\n\(Color.bold(NumberText.count(all.steps, "step")))\n" : ""
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
        let table = TextTable(
            rows, of: MarkedSteps.table, clock,
            [
                TextColumn("start", as: "from"), TextColumn("end", as: "to"),
                TextColumn("steps", width: 7) { $0.steps.coverage > 0 ? nil : noData },
                TextColumn("coverage", as: "covered") { share($0.steps) },
                TextColumn(goes: 1) { Color.dim($0.mark.isOpen ? "open" : "") }, TextColumn("mark"),
            ])
        return table.page(foot: truncationNote(all.isTruncated))
    }
}

extension ActivitiesQuery: PrintedQuery {
    func page(_ segments: [RecordedSegment], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let table = TextTable(
            segments, of: RecordedSegment.table, clock,
            [
                TextColumn("clippedStart", as: "from"), TextColumn("clippedEnd", as: "to", goes: 0),
                TextColumn("duration", width: 11) { Words.duration($0.clippedDuration) },
                TextColumn("activity", width: 10) { Words.activity($0.activity) },
                TextColumn("steps") { $0.steps > 0 ? nil : "" }, TextColumn("confidence", goes: 1),
                TextColumn(goes: 2) { Color.dim(Self.remarks($0, clock)) },
            ])
        return table.page()
    }

    private static func remarks(_ segment: RecordedSegment, _ clock: WallClock) -> String {
        let (whole, clipped) = (segment.range, segment.clippedRange)
        let ends = [whole.lowerBound, whole.upperBound, clipped.lowerBound, clipped.upperBound]
        let hasOffset = clock.changesOffset(at: ends)
        return [
            Words.remark(segment.reason, segment.halts),
            segment.isClippedAtStart ? "began \(clock.local(whole.lowerBound).full(hasOffset: hasOffset))" : nil,
            segment.isClippedAtEnd
                ? "went on until \(clock.local(whole.upperBound).full(hasOffset: hasOffset))" : nil,
            segment.isOpen ? "newest" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }
}

extension BoutsQuery: PrintedQuery {
    func page(_ bouts: [MeasuredBout], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let table = TextTable(
            bouts, of: MeasuredBout.table, clock,
            [
                TextColumn("start", as: "from"), TextColumn("end", as: "to", goes: 0),
                TextColumn("duration", width: 11), TextColumn("steps"),
                TextColumn("cadence") { $0.bout.cadence.map { "\(Int(clamping: $0.rounded()))/min" } ?? "" },
            ])
        return table.page()
    }
}

extension CoverageQuery: PrintedQuery {
    func page(_ coverages: [Coverage], of all: RowTotal, _ clock: WallClock, isReversed: Bool) -> Page {
        let end = "to                 "
        var table = TextTable("from               ", end, ">   duration", "", leastUsed: [end])
        var foot = ""
        let times = coverages.flatMap { ($0.covered + $0.gaps).flatMap { [$0.lowerBound, $0.upperBound] } }
        let hasOffset = clock.changesOffset(at: times)
        for coverage in coverages {
            let spans =
                coverage.covered.map { ($0, Color.green("covered")) } + coverage.gaps.map { ($0, Color.dim("no data")) }
            let ordered = spans.sorted { ($0.0.lowerBound < $1.0.lowerBound) != isReversed }
            for (span, word) in ordered {
                table.add(
                    clock.local(span.lowerBound).full(hasOffset: hasOffset),
                    clock.local(span.upperBound).full(hasOffset: hasOffset), Words.duration(span.seconds), word)
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
        Page(body: summaries.map { Self.day($0, clock) }.joined(separator: "\n"), foot: truncationNote(all.isTruncated))
    }

    /// A day: its totals and a strip of its activities.
    private static func day(_ summary: MotionSummary, _ clock: WallClock) -> String {
        let spans = summary.segments.map { ($0.clippedRange, $0.activity) }
        let strip = TimelineStrip(summary.range, spans, clock, width: max(24, Terminal.width - 4))
        return [
            WrappedText.onTerminal(heading(summary, clock)), "  " + strip.ticks, "  " + strip.marks, "",
            activities(summary).text + WrappedText.onTerminal(remarks(summary, clock)),
        ].joined(separator: "\n")
    }

    private static func heading(_ summary: MotionSummary, _ clock: WallClock) -> String {
        let range = summary.range
        let day = clock.local(range.lowerBound).day
        let steps = summary.steps.coverage > 0 ? NumberText.count(summary.steps.count, "step") : "no data"
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
        let table = TextTable(
            days, of: DayAnswer.table, clock,
            [
                TextColumn(as: "day", width: 20) { clock.local($0.range.lowerBound).day },
                TextColumn("wearHours", as: "worn", width: 10) { Words.duration($0.day.wear) },
                TextColumn("steps", width: 7) { $0.count.coverage > 0 ? nil : noData },
                TextColumn("peakCadence1Spm", as: "peak 1", goes: 3), TextColumn("peakCadence30Spm", as: "peak 30"),
                TextColumn("peakCadence60Spm", as: "peak 60", goes: 1),
                TextColumn("cadenceQ50Spm", as: "median", goes: 2),
                TextColumn("cadence100PlusMinutes", as: "100 and more", goes: 4) { answer in
                    let cadence = answer.day.cadence
                    guard !cadence.minuteCadences.isEmpty else { return "" }
                    return "\(cadence.minutes(atLeast: CadenceMeasures.moderateCadence)) min"
                },
                TextColumn(as: "half by", goes: 0) { answer in
                    answer.day.cadence.time(ofShare: 0.5).map { clock.local($0).minute } ?? ""
                },
                TextColumn(goes: 5) { $0.isValid ? "" : Color.dim("not valid") },
            ])
        let valid = days.count { $0.isValid }
        return table.page(
            foot: "\npeaks and median in steps/min; \(valid) of \(NumberText.count(days.count, "day")) valid\n"
                + truncationNote(all.isTruncated))
    }
}

/// The steps of a range without samples.
private let noData = Color.dim("no data")

/// The covered share of a range.
private func share(_ count: StepCount) -> String { NumberText.percentage(count.coverage, of: count.range.seconds) }

/// The last line of an answer whose range starts before the retention.
private func truncationNote(_ isTruncated: Bool) -> String {
    isTruncated ? WrappedText.onTerminal("The range starts before the time that the history keeps.\n") : ""
}

struct RowTotal {
    private(set) var steps = 0
    /// Whether a row starts before the time that the history keeps.
    private(set) var isTruncated = false

    mutating func add(_ row: some QueryRow) {
        steps += row.stepCount
        isTruncated = isTruncated || row.isShrinking
    }
}

/// Prints rows as records, or as a table in pages of equal columns.
struct RowPrinter<Row: QueryRow> {
    private static var pageLength: Int { 4096 }

    private let page: ([Row], RowTotal) -> Page
    private var writer: RecordWriter?
    private var rows: [Row] = []
    private var total = RowTotal()
    /// The heading above the last page.
    private var head: String?
    /// Whether no row was printed.
    private(set) var isEmpty = true

    init(_ format: OutputFormat, zone: TimeZone?, page: @escaping ([Row], RowTotal) -> Page) {
        self.page = page
        writer = format.makeWriter(of: Row.table.description, in: zone)
    }

    mutating func add(_ row: Row) {
        isEmpty = false
        guard writer == nil else {
            writer?.write(row.record)
            return
        }
        if rows.count == Self.pageLength { Terminal.out(nextPage().body) }
        rows.append(row)
        total.add(row)
    }

    mutating func finish() {
        writer?.finish()
        guard writer == nil else { return }
        let last = nextPage()
        Terminal.out(last.body + last.foot)
    }

    /// The page of the waiting rows, after its heading if the page before has another one.
    private mutating func nextPage() -> Page {
        var next = page(rows, total)
        if next.head != head { next.body = next.head + next.body }
        (rows, head) = ([], next.head)
        return next
    }
}

struct ChangePrinter<Row: QueryRow> {
    private var known: [Row.Key: Row] = [:]
    private var writer: RecordWriter?
    private var screen = Screen()
    private var isFirst = true

    init(_ format: OutputFormat, zone: TimeZone?) { writer = format.makeWriter(of: Row.table.description, in: zone) }

    /// Prints new and changed rows or, on a terminal, the whole table.
    mutating func print(_ rows: [Row], page: ([Row]) -> Page) {
        let changes = rows.filter { isChange($0) }
        // A row that disappears is removed here, so that it counts as new if it comes back.
        known = Dictionary(rows.map { ($0.key, $0) }) { $1 }
        if writer != nil {
            for row in changes { writer?.write(row.record) }
        } else if Terminal.redrawsOutput {
            screen.show(page(rows).text)
        } else {
            let part = page(changes)
            Terminal.out((isFirst ? part.head : "") + part.body)
        }
        isFirst = false
    }

    func finish() { writer?.finish() }

    /// Whether a row is new or changed. A row that only shrinks with the retention is unchanged.
    private func isChange(_ row: Row) -> Bool {
        guard let old = known[row.key] else { return true }
        return row != old && !(row.isShrinking && row.range.upperBound == old.range.upperBound)
    }
}
