import FootfallEvaluation
import FootfallHistory
import FootfallTables

/// Several counters on the same recordings, side by side.
struct CounterTables {
    private let counters: [(name: String, evaluation: Evaluation)]

    init(_ counters: [(name: String, evaluation: Evaluation)]) { self.counters = counters }

    var text: String {
        guard let first = counters.first else { return "" }
        var table = TextTable(
            "group", "counter", ">recordings", ">MAPE %", ">95 %", ">bias", ">time F1", ">false steps/h",
            leastUsed: [">recordings", ">95 %", ">bias"])
        for group in first.evaluation.groups where Self.isShown(group.name) {
            for (index, counter) in counters.enumerated() {
                guard let other = counter.evaluation.group(group.name) else { continue }
                table.add(
                    index == 0 ? group.name.description : "", counter.name, String(other.recordings),
                    numberText(other.steps.meanAbsolutePercentageError, 1),
                    intervalText(other.steps.meanAbsolutePercentageErrorInterval), numberText(other.steps.bias, 3),
                    numberText(other.steps.timeF1, 3),
                    numberText(Self.falseRate(other), 1))
            }
        }
        return "\n" + table.text + Color.dim("95 %: the interval of the MAPE over people.\n")
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
