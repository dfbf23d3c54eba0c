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
        return [
            String(group.recordings), String(group.people.people.count),
            numberText(counts.meanAbsolutePercentageError), intervalText(counts.meanAbsolutePercentageErrorInterval),
            numberText(counts.meanPercentageError), intervalText(counts.limits?.range),
            equivalenceText(counts),
            row.condition.isStepFree ? numberText(group.people.stepsPerHour) : "–",
        ]
    }
}
