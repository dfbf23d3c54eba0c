internal import FootfallAnswers
package import FootfallEvaluation
internal import FootfallTables

/// The page of a protocol: a row for each condition, filled where the manifest has recordings of it.
package struct ProtocolTable {
    private let rows: [Interlive.Row]

    package init(_ evaluation: Evaluation) { rows = Interlive.page(of: evaluation) }

    package var text: String {
        var table = TextTable(
            "INTERLIVE condition", "kind", ">recordings", ">people", ">MAPE %", ">95 %", ">error %", ">limits, steps",
            ">equal within", ">steps/h")
        for row in rows { table.add([row.condition.name, row.condition.kind] + Self.cells(row)) }
        let note =
            "A recording counts for the condition that the column kind of its manifest names. Steps/h: false steps in an "
            + "hour, where no step is taken.\n"
        return table.text + Color.dim(note)
    }

    private static func cells(_ row: Interlive.Row) -> [String] {
        guard let group = row.group else { return ["not measured"] + Array(repeating: "", count: 7) }
        let counts = group.steps.counts
        let isCounted = !counts.pairs.isEmpty
        let equal = [5, 10].first { counts.equivalence(within: Double($0))?.isEquivalent == true }
        return [
            String(group.recordings), String(group.people.people.count),
            number(counts.meanAbsolutePercentageError), interval(counts.meanAbsolutePercentageErrorInterval),
            number(counts.meanPercentageError), interval(counts.limits.map { $0.lower...$0.upper }),
            isCounted ? equal.map { "\($0) %" } ?? "–" : "–",
            row.condition.isStepFree ? number(group.people.stepsPerHour) : "–",
        ]
    }

    private static func number(_ value: Double?) -> String { value?.formatted(decimals: 1) ?? "–" }

    private static func interval(_ range: ClosedRange<Double>?) -> String {
        range.map { "\($0.lowerBound.formatted(decimals: 1)) to \($0.upperBound.formatted(decimals: 1))" } ?? "–"
    }
}
