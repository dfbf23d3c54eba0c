import Footfall
import FootfallReport

/// What got better and what got worse since a baseline, for a person.
struct ComparisonTables {
    /// A figure of a group or of a recording that is not what it was.
    private struct Line {
        let name: String
        let difference: Baseline.Difference
    }

    private static let recordingMark = "recording "
    /// The keys of the figures that tell recordings: each has one of them.
    private static let ofRecordings: Set = ["mape", "falseSteps", "right"]

    private let baseline: Baseline
    private var groups: [Line] = []
    private var recordings: [Line] = []

    init(_ evaluation: Evaluation, comparedWith baseline: Baseline) {
        self.baseline = baseline
        for record in EvaluationReport.records(evaluation, comparedWith: nil) {
            guard case .string(let name)? = record.first?.value, !name.hasPrefix("subject ") else { continue }
            let changed = baseline.differences(from: record).filter { abs($0.change) > 1e-9 }
            if name.hasPrefix(Self.recordingMark) {
                let short = String(name.dropFirst(Self.recordingMark.count))
                recordings += changed.filter { Self.ofRecordings.contains($0.figure.key) }
                    .map { Line(name: short, difference: $0) }
            } else {
                groups += changed.filter { $0.figure.key != "falseSteps" }.map { Line(name: name, difference: $0) }
            }
        }
    }

    /// The tables; of the recordings, the `count` that changed most to either side.
    func text(recordings count: Int) -> String {
        guard !groups.isEmpty || !recordings.isEmpty else { return "\nAll figures are those of \(baseline.path).\n" }
        let better = recordings.filter { $0.difference.gain > 0 }.sorted { $0.difference.gain > $1.difference.gain }
        let worse = recordings.filter { $0.difference.gain < 0 }.sorted { $0.difference.gain < $1.difference.gain }
        let sides = [
            ("better than in \(baseline.path)", groups.filter { $0.difference.gain > 0 }),
            ("worse", groups.filter { $0.difference.gain < 0 }),
            ("better recordings (\(better.count))", Array(better.prefix(count))),
            ("worse recordings (\(worse.count))", Array(worse.prefix(count))),
        ]
        return sides.filter { !$0.1.isEmpty }.map { "\n" + Self.table($0.0, $0.1) }.joined()
    }

    private static func table(_ title: String, _ lines: [Line]) -> String {
        var table = Table(title, "figure", ">before", ">now", ">change")
        for line in lines {
            let difference = line.difference
            let decimals = difference.figure.decimals
            table.add(
                line.name, difference.figure.title, difference.before.formatted(decimals: decimals),
                difference.now.formatted(decimals: decimals), signed(difference.change, decimals))
        }
        return table.text
    }

    /// A change with its sign, `+0.3`.
    static func signed(_ change: Double, _ decimals: Int) -> String {
        (change > 0 ? "+" : "") + change.formatted(decimals: decimals)
    }
}
