import Footfall
import FootfallAnswers

// The columns of `footfall evaluate` that validation studies report.

extension Column {
    /// The agreement over recordings or minutes.
    static func agreement(_ name: String, _ meaning: String) -> Column {
        Column(name, .object, meaning, parts: agreementParts)
    }

    private static let agreementParts = agreementErrors + agreementLimits + [5, 10].flatMap(equivalence)

    private static let agreementErrors: [Column] =
        [
            .count("pairs", "The recordings with at least 20 true steps, or the minutes."),
            .count("people", "Their people."),
            .number("meanError", "steps", "The mean of counted minus true steps."),
            .number("errorSD", "steps", "The standard deviation of counted minus true steps."),
            .number("meanAbsoluteError", "steps", "The mean absolute error."),
            .number("absoluteErrorSD", "steps", "The standard deviation of the absolute errors."),
            .number("rmse", "steps", "The root of the mean squared error."),
            .number("meanPercentageError", "%", "The mean error in percent of the true steps."),
            .number("percentageErrorSD", "%", "The standard deviation of the errors in percent."),
            .number("mape", "%", "The mean absolute percentage error."),
            .number("mapeSD", "%", "The standard deviation of the absolute percentage errors."),
            .number("mapeLow", "%", "The lower end of the 95 % interval of mape over people, by a seeded bootstrap."),
            .number("mapeHigh", "%", "The upper end of that interval."),
            .number("within5", nil, "The share with an error of at most 5 %."),
            .number("within10", nil, "The share with an error of at most 10 %."),
            .number("pearson", nil, "Pearson's correlation of true and counted steps."),
            .number("icc", nil, "The intraclass correlation ICC(2,1)."),
            .number("ccc", nil, "Lin's concordance correlation."),
        ]

    private static let agreementLimits: [Column] =
        limits("bias", "steps", "The Bland-Altman bias.")
        + limits("lowerLimit", "steps", "The lower limit of agreement.")
        + limits("upperLimit", "steps", "The upper limit of agreement.")
        + limits("slope", nil, "The slope of the errors over the means of true and counted steps.")

    private static func equivalence(_ percent: Int) -> [Column] {
        [
            .number(
                "equivalence\(percent)P", nil,
                "The p value of two one-sided tests of a mean error within \(percent) % of the mean truth."),
            .flag("equivalent\(percent)", "Whether that p value is below 0.05."),
        ]
    }

    private static func limits(_ name: String, _ unit: String?, _ meaning: String) -> [Column] {
        [
            .number(name, unit, meaning), .number(name + "Low", unit, "The lower end of its 95 % interval."),
            .number(name + "High", unit, "The upper end of its 95 % interval."),
        ]
    }

    /// The single steps, where their times are known.
    static let evaluatedStepTimes = Column(
        "stepTimes", .object, "The single steps, where their times are known; a match lies within 0.25 s.",
        parts: [
            .count("matched", "The true steps that are detected."), .count("missed", "The true steps that are not."),
            .count("spurious", "The detected steps that are not true."),
            .number("sensitivity", nil, "The share of the true steps that are detected."),
            .number("precision", nil, "The share of the detected steps that are true."),
            .number("f1", nil, "The harmonic mean of both."),
            .number("meanError", "s", "The mean time error; positive if steps are detected late."),
            .number("errorSD", "s", "The standard deviation of the time errors."),
            .number("meanAbsoluteError", "s", "The mean absolute time error."),
        ])

    /// The difference of another counter from Footfall.
    static let pairedDifference = Column(
        "paired", .object, "The difference from Footfall on the same recordings. With --results, for other counters.",
        parts: [
            .count("recordings", "The recordings that both have counted."),
            .number("mapeDifference", "%", "The mape of the counter less that of Footfall."),
            .number("mapeDifferenceLow", "%", "The lower end of its 95 % interval over people."),
            .number("mapeDifferenceHigh", "%", "The upper end of its 95 % interval over people."),
        ])
}
