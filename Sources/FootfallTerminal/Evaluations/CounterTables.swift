internal import FootfallAnswers
package import FootfallEvaluation
internal import FootfallTables

/// Several counters on the same recordings, side by side.
package struct CounterTables {
    private let counters: [(name: String, evaluation: Evaluation)]

    package init(_ counters: [(name: String, evaluation: Evaluation)]) { self.counters = counters }

    package var text: String {
        guard let first = counters.first else { return "" }
        var table = TextTable(
            "group", "counter", ">recordings", ">MAPE %", ">95 %", ">difference", ">95 %", ">within 10 %", ">bias",
            ">time F1", ">false steps/h")
        for group in first.evaluation.groups where Self.isShown(group.name) {
            for (index, counter) in counters.enumerated() {
                guard let other = counter.evaluation.group(group.name) else { continue }
                let counts = other.steps.counts
                let difference = index == 0 ? nil : PairedDifference(counts, from: group.steps.counts)
                table.add(
                    index == 0 ? group.name.description : "", counter.name, String(other.recordings),
                    numberText(counts.meanAbsolutePercentageError, 1),
                    intervalText(counts.meanAbsolutePercentageErrorInterval), numberText(difference?.mean, 1),
                    intervalText(difference?.interval), numberText(counts.share(within: 10), 2),
                    numberText(other.steps.bias, 3), numberText(other.steps.timeF1, 3),
                    numberText(Self.falseRate(other), 1))
            }
        }
        let note =
            "Difference: of the MAPE from \(first.name), in points, over the recordings that both have counted, with "
            + "its interval over people.\n"
        return "\n" + table.text + Color.dim(note)
    }

    private static func isShown(_ name: Evaluation.GroupName) -> Bool {
        switch name {
        case .subject, .recording, .boutLength, .rate: false
        default: true
        }
    }

    private static func falseRate(_ group: Evaluation.Group) -> Double? {
        group.falseStepsByKind.values.reduce(into: FalseSteps()) { $0.merge($1) }.perHour
    }
}
