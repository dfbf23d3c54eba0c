internal import FootfallTables

// The statistics of validation studies as columns. They have enough decimals for a comparison with other programs.

private let decimals = 8

extension TableField {
    fileprivate static func statistic(
        _ name: String, _ unit: String?, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double?
    ) -> TableField {
        number(name, unit, decimals: decimals, meaning, value)
    }

    /// The ends of an interval, which is computed once.
    static func interval(
        of name: String, _ unit: String?, decimals: Int = decimals, low: String = "The lower end of its 95 % interval.",
        high: String = "The upper end of its 95 % interval.",
        _ value: @escaping @Sendable (Row) -> ClosedRange<Double>?
    ) -> TableField {
        let ends: [TableField<ClosedRange<Double>>] = [
            .number(name + "Low", unit, decimals: decimals, low) { $0.lowerBound },
            .number(name + "High", unit, decimals: decimals, high) { $0.upperBound },
        ]
        return ends.of(value)
    }
}

extension TableField<CountAgreement> {
    /// The agreement over recordings or minutes.
    static let agreement: [TableField] =
        errors + [TableField<LimitsOfAgreement>.limits.of(\.limits)] + [5, 10].map(equivalence)

    private static let errors: [TableField] = [
        .count("pairs", "The recordings with at least 20 true steps, or the minutes.") { $0.pairs.count },
        .count("people", "Their people.") { $0.people },
        .statistic("meanError", "steps", "The mean of counted minus true steps.") { $0.meanError },
        .statistic("errorSD", "steps", "The standard deviation of counted minus true steps.") { $0.errorDeviation },
        .statistic("meanAbsoluteError", "steps", "The mean absolute error.") { $0.meanAbsoluteError },
        .statistic("absoluteErrorSD", "steps", "The standard deviation of the absolute errors.") {
            $0.absoluteErrorDeviation
        },
        .statistic("rmse", "steps", "The root of the mean squared error.") { $0.rootMeanSquareError },
        .statistic("meanPercentageError", "%", "The mean error in percent of the true steps.") {
            $0.meanPercentageError
        },
        .statistic("percentageErrorSD", "%", "The standard deviation of the errors in percent.") {
            $0.percentageErrorDeviation
        },
        .statistic("mape", "%", "The mean absolute percentage error.") { $0.meanAbsolutePercentageError },
        .statistic("mapeSD", "%", "The standard deviation of the absolute percentage errors.") {
            $0.absolutePercentageErrorDeviation
        },
        .interval(
            of: "mape", "%", low: "The lower end of the 95 % interval of mape over people, by a seeded bootstrap.",
            high: "The upper end of that interval."
        ) { $0.meanAbsolutePercentageErrorInterval },
        .statistic("within5", nil, "The share with an error of at most 5 %.") { $0.share(within: 5) },
        .statistic("within10", nil, "The share with an error of at most 10 %.") { $0.share(within: 10) },
        .statistic("pearson", nil, "Pearson's correlation of true and counted steps.") { $0.correlation },
        .statistic("icc", nil, "The intraclass correlation ICC(2,1).") { $0.intraclassCorrelation },
        .statistic("ccc", nil, "Lin's concordance correlation.") { $0.concordance },
    ]

    private static func equivalence(_ percent: Int) -> TableField {
        let parts: [TableField<Equivalence>] = [
            .statistic(
                "equivalence\(percent)P", nil,
                "The p value of two one-sided tests of a mean error within \(percent) % of the mean truth."
            ) { $0.probability },
            .flag("equivalent\(percent)", "Whether that p value is below 0.05.") { $0.isEquivalent },
        ]
        return parts.of { $0.equivalence(within: Double(percent)) }
    }
}

extension TableField<LimitsOfAgreement> {
    /// The analysis of Bland and Altman.
    fileprivate static let limits: [TableField] = [
        .statistic("bias", "steps", "The Bland-Altman bias.") { $0.bias },
        .interval(of: "bias", "steps") { $0.biasInterval },
        .statistic("lowerLimit", "steps", "The lower limit of agreement.") { $0.lower },
        .interval(of: "lowerLimit", "steps") { $0.lowerInterval },
        .statistic("upperLimit", "steps", "The upper limit of agreement.") { $0.upper },
        .interval(of: "upperLimit", "steps") { $0.upperInterval },
        .statistic("slope", nil, "The slope of the errors over the means of true and counted steps.") { $0.slope },
        .interval(of: "slope", nil) { $0.slopeInterval },
    ]
}

extension TableField<StepMeasures> {
    /// The single steps, where their times are known.
    static let stepTimes = TableField.object(
        "stepTimes", "The single steps, where their times are known; a match lies within 0.25 s.",
        [
            .count("matched", "The true steps that are detected.") { $0.matched },
            .count("missed", "The true steps that are not.") { $0.missed },
            .count("spurious", "The detected steps that are not true.") { $0.spurious },
            .statistic("sensitivity", nil, "The share of the true steps that are detected.") { $0.sensitivity },
            .statistic("precision", nil, "The share of the detected steps that are true.") { $0.precision },
            .statistic("f1", nil, "The harmonic mean of both.") { $0.timeF1 },
            .statistic("meanError", "s", "The mean time error; positive if steps are detected late.") {
                $0.meanTimeError
            },
            .statistic("errorSD", "s", "The standard deviation of the time errors.") { $0.timeErrorDeviation },
            .statistic("meanAbsoluteError", "s", "The mean absolute time error.") { $0.meanAbsoluteTimeError },
        ] as [TableField<StepMeasures>]
    ) { $0 }
}

extension TableField<PairedDifference?> {
    /// The difference of another counter from Footfall.
    static let difference: [TableField] = [
        .count("recordings", "The recordings that both have counted.") { $0?.recordings },
        .statistic("mapeDifference", "%", "The mape of the counter less that of Footfall.") { $0?.mean },
        .interval(
            of: "mapeDifference", "%", low: "The lower end of its 95 % interval over people.",
            high: "The upper end of its 95 % interval over people."
        ) { $0?.interval },
    ]
}
