import FootfallEvaluation
import FootfallHistory
import FootfallTables

/// The figures that differ from a baseline, as tables.
struct ComparisonTables {
    /// A figure that has changed, of a group or of a recording.
    private typealias Line = (name: String, difference: Baseline.Difference)

    /// Every recording has one of these figures.
    private static let keysOfRecordings: Set = ["mape", "falseSteps", "right"]

    /// The file of the baseline.
    private let path: String
    private var groups: [Line] = []
    private var recordings: [Line] = []

    init(_ evaluation: Evaluation, with baseline: Baseline, at path: String) {
        self.path = path
        func changes(of group: Evaluation.Group, _ name: String, where isShown: (String) -> Bool) -> [Line] {
            baseline.differences(in: group).filter { abs($0.change) > 1e-9 && isShown($0.figure.key) }
                .map { (name, $0) }
        }
        for group in evaluation.groups {
            if case .subject = group.name { continue }
            groups += changes(of: group, group.name.description) { $0 != "falseSteps" }
        }
        for outcome in evaluation.outcomes {
            recordings += changes(of: outcome.group, outcome.recording.id) { Self.keysOfRecordings.contains($0) }
        }
    }

    /// All groups, and at most `count` recordings that are better and worse, the largest change first.
    func text(recordings count: Int) -> String {
        guard !groups.isEmpty || !recordings.isEmpty else { return "\nAll figures equal those of \(path).\n" }
        let better = recordings.filter { $0.difference.improvement > 0 }
            .sorted { $0.difference.improvement > $1.difference.improvement }
        let worse = recordings.filter { $0.difference.improvement < 0 }
            .sorted { $0.difference.improvement < $1.difference.improvement }
        let parts = [
            ("better than in \(path)", groups.filter { $0.difference.improvement > 0 }),
            ("worse", groups.filter { $0.difference.improvement < 0 }),
            ("better recordings (\(better.count))", Array(better.prefix(count))),
            ("worse recordings (\(worse.count))", Array(worse.prefix(count))),
        ]
        return parts.filter { !$0.1.isEmpty }.map { "\n" + Self.table($0.0, $0.1) }.joined()
    }

    private static func table(_ title: String, _ lines: [Line]) -> String {
        var table = TextTable(title, "figure", ">before", ">now", ">change")
        for line in lines {
            let (difference, decimals) = (line.difference, line.difference.figure.decimals)
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
