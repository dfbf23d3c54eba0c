internal import Footfall
internal import FootfallAnswers
package import FootfallEvaluation
internal import FootfallTables

/// The statistics of validation studies as tables.
package struct AgreementTables {
    /// A column: its header, and its text for the measures of a group.
    private struct Column {
        let header: String
        let text: (StepMeasures) -> String

        init(_ header: String, _ text: @escaping (StepMeasures) -> String) { (self.header, self.text) = (header, text) }
    }

    private let groups: [Evaluation.Group]

    package init(_ evaluation: Evaluation) {
        groups = evaluation.groups.filter { !$0.steps.counts.pairs.isEmpty || !$0.steps.minutes.pairs.isEmpty }
    }

    /// The main statistics of all recordings and of the bands of cadence, length and rate.
    package var short: String {
        let rows = groups.filter {
            switch $0.name {
            case .all, .cadence, .boutLength, .rate: true
            default: false
            }
        }
        return table(
            "agreement", rows,
            [
                count("recordings") { $0.counts.pairs.count }, count("people") { $0.counts.people },
                number("MAPE %", 1) { $0.counts.meanAbsolutePercentageError },
                range("95 %", 1) { $0.counts.meanAbsolutePercentageErrorInterval },
                number("within 5 %", 2) { $0.counts.share(within: 5) },
                number("within 10 %", 2) { $0.counts.share(within: 10) },
                number("error %", 1) { $0.counts.meanPercentageError },
                number("ICC", 3) { $0.counts.intraclassCorrelation },
                range("limits, steps", 1) { $0.counts.limits?.range },
                Column("equal within") { equivalenceText($0.counts) },
            ],
            note:
                "Recordings with at least 20 true steps. 95 %: interval over people. Limits: of agreement (Bland and Altman). "
                + "Equal within: two one-sided tests. --statistics prints more.")
    }

    /// All statistics of all groups.
    package var full: String { errors + agreement + equivalences + minutes + stepTimes }

    private var errors: String {
        table(
            "errors", groups,
            [
                count("recordings") { $0.counts.pairs.count }, count("people") { $0.counts.people },
                number("error, steps", 1) { $0.counts.meanError }, number("SD", 1) { $0.counts.errorDeviation },
                number("absolute", 1) { $0.counts.meanAbsoluteError },
                number("SD", 1) { $0.counts.absoluteErrorDeviation },
                number("RMSE", 1) { $0.counts.rootMeanSquareError },
                number("error %", 1) { $0.counts.meanPercentageError },
                number("SD", 1) { $0.counts.percentageErrorDeviation },
                number("MAPE %", 1) { $0.counts.meanAbsolutePercentageError },
                number("SD", 1) { $0.counts.absolutePercentageErrorDeviation },
                range("95 %", 1) { $0.counts.meanAbsolutePercentageErrorInterval },
                number("within 5 %", 2) { $0.counts.share(within: 5) },
                number("within 10 %", 2) { $0.counts.share(within: 10) },
            ],
            note:
                "Recordings with at least 20 true steps. 95 %: interval of the MAPE over people, by a seeded bootstrap."
        )
    }

    private var agreement: String {
        table(
            "agreement", groups,
            [
                number("r", 4) { $0.counts.correlation }, number("ICC(2,1)", 4) { $0.counts.intraclassCorrelation },
                number("CCC", 4) { $0.counts.concordance }, number("bias, steps", 1) { $0.counts.limits?.bias },
                range("95 %", 1) { $0.counts.limits?.biasInterval },
                number("lower limit", 1) { $0.counts.limits?.lower },
                range("95 %", 1) { $0.counts.limits?.lowerInterval },
                number("upper limit", 1) { $0.counts.limits?.upper },
                range("95 %", 1) { $0.counts.limits?.upperInterval },
                number("slope", 3) { $0.counts.limits?.slope },
                range("95 %", 3) { $0.counts.limits?.slopeInterval },
            ],
            note: "r: Pearson. CCC: Lin. Bias and limits of agreement: Bland and Altman. Slope: of errors over means.")
    }

    private var equivalences: String {
        table(
            "equivalence", groups,
            [5, 10].flatMap { percent -> [Column] in
                [
                    number("margin \(Int(clamping: percent)) %", 1) { $0.counts.equivalence(within: percent)?.margin },
                    number("p", 4) { $0.counts.equivalence(within: percent)?.probability },
                ]
            } + [Column("equal within") { equivalenceText($0.counts) }],
            note: "Two one-sided t tests of the mean error; margins in steps, as shares of the mean truth.")
    }

    private var minutes: String {
        table(
            "per minute", groups.filter { !$0.steps.minutes.pairs.isEmpty },
            [
                count("minutes") { $0.minutes.pairs.count }, count("people") { $0.minutes.people },
                number("absolute error, steps", 2) { $0.minutes.meanAbsoluteError },
                number("error", 2) { $0.minutes.meanError }, number("ICC(2,1)", 4) { $0.minutes.intraclassCorrelation },
                number("CCC", 4) { $0.minutes.concordance }, range("limits, steps", 1) { $0.minutes.limits?.range },
            ], note: "Minutes of the clock, where the true steps of each are known.")
    }

    private var stepTimes: String {
        table(
            "step times", groups.filter { $0.steps.timeF1 != nil },
            [
                count("true") { $0.matched + $0.missed }, count("detected") { $0.matched + $0.spurious },
                number("sensitivity", 4) { $0.sensitivity }, number("precision", 4) { $0.precision },
                number("F1", 4) { $0.timeF1 }, number("error s", 3) { $0.meanTimeError },
                number("SD", 3) { $0.timeErrorDeviation }, number("absolute", 3) { $0.meanAbsoluteTimeError },
            ], note: "A detected step matches a true one within 0.25 s.")
    }

    private func count(_ header: String, _ value: @escaping (StepMeasures) -> Int) -> Column {
        Column(header) { String(value($0)) }
    }

    private func number(_ header: String, _ decimals: Int, _ value: @escaping (StepMeasures) -> Double?) -> Column {
        Column(header) { numberText(value($0), decimals) }
    }

    private func range(
        _ header: String, _ decimals: Int, _ value: @escaping (StepMeasures) -> ClosedRange<Double>?
    ) -> Column {
        Column(header) { intervalText(value($0), decimals) }
    }

    private func table(_ title: String, _ groups: [Evaluation.Group], _ columns: [Column], note: String) -> String {
        guard !groups.isEmpty else { return "" }
        var table = TextTable([title] + columns.map { ">\($0.header)" })
        for group in groups { table.add([group.name.description] + columns.map { $0.text(group.steps) }) }
        return "\n" + table.text + Color.dim(note + "\n")
    }
}
