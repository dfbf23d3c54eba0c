import Footfall
import FootfallHistory
import FootfallReaders
import FootfallStudy
import FootfallTables
import Foundation

/// The analysis of one trace as text: how it was read, its segments day by day, its totals.
struct AnalysisTable {
    private let analysis: TraceAnalysis

    init(_ analysis: TraceAnalysis) { self.analysis = analysis }

    /// Writes the table row by row, so that a long one is never in memory.
    func write(to out: @escaping ([UInt8]) -> Void) {
        var buffer = OutputBuffer()
        buffer.add(heading, to: out)
        TextTable(
            "start", ">duration", "activity", ">steps", ">cadence", "confidence", "",
            leastUsed: [">cadence", "confidence", ""]
        )
        .write(eachRow) { buffer.add($0, to: out) }
        buffer.add(WrappedText.onTerminal("\n" + totals + "\n"), to: out)
        buffer.flush(to: out)
    }

    private var heading: String {
        let quality = analysis.quality
        let rate = quality.sampleRate.map { "\($0.formatted(decimals: 1)) Hz" } ?? "too short to measure its rate"
        var lines = [
            "\(Color.bold(analysis.name.escaped))  \(NumberText.count(quality.samples, "sample")), \(rate)",
            Color.dim("  " + analysis.layout.escaped),
        ]
        lines += analysis.notes.map { Color.dim("  " + $0.escaped) }
        if case .success(let calibration) = analysis.calibration {
            lines.append(Color.dim("  calibrated: \(Words.calibration(calibration))"))
        }
        lines += analysis.warnings.map { Color.yellow("  " + $0.escaped) }
        return WrappedText.onTerminal((lines + ["", ""]).joined(separator: "\n"))
    }

    private var totals: String {
        let quality = analysis.quality
        let covered = NumberText.percentage(quality.coverage, of: quality.duration)
        let unworn = analysis.nonWear.reduce(0) { $0 + $1.seconds }
        return "\(Color.bold(NumberText.count(analysis.steps, "step"))) in \(Words.duration(quality.duration)), "
            + "\(covered) of it covered by samples"
            + (unworn > 0 ? ", not worn for \(Words.duration(unworn))" : "")
    }

    /// Passes the rows on: for each day its heading, then the segments that start in it.
    private func eachRow(_ add: ([String]) -> Void) {
        var segments = analysis.segments.makeIterator()
        var next = segments.next()
        let days = analysis.days
        let span = (analysis.quality.start ?? .epoch)..<(analysis.quality.end ?? .epoch)
        let times = days.map { $0.range.clamped(to: span) }.flatMap { [$0.lowerBound, $0.upperBound] }
        let hasOffset = WallClock(zone: analysis.timeZone).changesOffset(at: times)
        for (number, day) in days.enumerated() {
            if let title = title(of: day, number: number, of: days.count) { add([title]) }
            while let segment = next, segment.range.lowerBound < day.range.upperBound {
                add(row(segment, hasOffset: hasOffset))
                next = segments.next()
            }
        }
    }

    /// The date and the zone of a day and, beside other days, its totals; nil for the only day of a trace without a
    /// date.
    private func title(of day: DayTotal, number: Int, of count: Int) -> String? {
        guard analysis.isDated || count > 1 else { return nil }
        let zone = number == 0 ? " (\(analysis.timeZone.name))" : ""
        let date =
            analysis.isDated
            ? LocalTime(day.range.lowerBound, in: analysis.timeZone).day + zone : "day \(number + 1)"
        guard count > 1 else { return Color.bold(date) }
        let quality = analysis.quality
        let present = day.range.clamped(to: (quality.start ?? .epoch)..<(quality.end ?? .epoch)).seconds
        let covered = NumberText.percentage(day.coverage, of: present)
        return
            "\(Color.bold(date))  \(NumberText.count(day.steps, "step")), \(covered) of \(Words.duration(present)) covered"
    }

    private func row(_ segment: Segment, hasOffset: Bool) -> [String] {
        let start = LocalTime(segment.range.lowerBound, in: analysis.timeZone)
        return [
            start.second + (hasOffset ? start.zone : ""), Words.duration(segment.range.seconds),
            Words.activity(segment.activity), segment.steps > 0 ? String(segment.steps) : "", Words.cadence(segment),
            segment.confidence.description, Color.dim(Words.remark(segment.reason, segment.halts) ?? ""),
        ]
    }
}

/// Several analyses as text, one line for each trace.
struct AnalysisOverview {
    private var table = TextTable(
        "trace", "start", ">duration", ">covered", ">Hz", ">steps", ">on foot", ">automotive", ">not worn", "notes",
        leastUsed: [">not worn", ">automotive", ">Hz", "start"])
    /// The number of all traces of the command.
    private let all: Int
    /// The number and the steps of the traces that were done before.
    private let done: (traces: Int, steps: Int)
    private var steps = 0
    private(set) var count = 0

    init(of all: Int, done: (traces: Int, steps: Int)) { (self.all, self.done) = (all, done) }

    mutating func add(_ analysis: TraceAnalysis) {
        let quality = analysis.quality
        let start = quality.start.map { start in
            analysis.isDated ? "\(LocalTime(start, in: analysis.timeZone).full) \(analysis.timeZone.name)" : "no date"
        }
        func seconds(_ activities: Activity...) -> String {
            Words.duration(
                analysis.segments.reduce(0) { $0 + (activities.contains($1.activity) ? $1.range.seconds : 0) })
        }
        table.add(
            analysis.name.escaped, start ?? "", Words.duration(quality.duration),
            NumberText.percentage(quality.coverage, of: quality.duration),
            quality.sampleRate?.formatted(decimals: 1) ?? "", String(analysis.steps), seconds(.walking, .running),
            seconds(.automotive), Words.duration(analysis.nonWear.reduce(0) { $0 + $1.seconds }),
            analysis.warnings.isEmpty ? "" : Color.yellow(analysis.warnings.joined(separator: "; ").escaped))
        steps += analysis.steps
        count += 1
    }

    var text: String {
        table.text + WrappedText.onTerminal("\n\(Color.bold(NumberText.count(steps, "step"))) in \(covered)\n")
    }

    /// The traces that the total covers, and the total with those that were done before.
    private var covered: String {
        func traces(_ count: Int) -> String { NumberText.count(count, "trace") }
        guard count < all else { return traces(count) }
        guard done.traces > 0 else { return "\(count) of \(traces(all))" }
        let (sum, total) = (count + done.traces, NumberText.count(steps + done.steps, "step"))
        return "\(traces(count)); \(total) with the \(done.traces) done already, in "
            + (sum == all ? "all \(traces(all))" : "\(sum) of \(traces(all))")
    }
}
