import FootfallAnswers
import FootfallEvaluation

/// The statistics of validation studies as records. `EvaluationColumns` describes the keys.
enum AgreementRecords {
    /// Enough decimals for a comparison with other programs.
    private static let decimals = 8

    /// The agreement over recordings, the agreement over minutes, and the step times.
    static func record(of steps: StepMeasures) -> Record {
        [
            ("agreement", .object(record(of: steps.counts))), ("perMinute", .object(record(of: steps.minutes))),
            (
                "stepTimes",
                .object([
                    ("matched", .integer(steps.matched)), ("missed", .integer(steps.missed)),
                    ("spurious", .integer(steps.spurious)), ("sensitivity", number(steps.sensitivity)),
                    ("precision", number(steps.precision)), ("f1", number(steps.timeF1)),
                    ("meanError", number(steps.meanTimeError)), ("errorSD", number(steps.timeErrorDeviation)),
                    ("meanAbsoluteError", number(steps.meanAbsoluteTimeError)),
                ])
            ),
        ]
    }

    /// The difference from another counter on the same recordings; an empty object without one.
    static func paired(_ counts: CountAgreement, from other: CountAgreement?) -> JSONValue {
        let difference = other.flatMap { PairedDifference(counts, from: $0) }
        return .object([
            ("recordings", difference.map { .integer($0.recordings) } ?? .null),
            ("mapeDifference", number(difference?.mean)),
            ("mapeDifferenceLow", number(difference?.interval?.lowerBound)),
            ("mapeDifferenceHigh", number(difference?.interval?.upperBound)),
        ])
    }

    private static func record(of counts: CountAgreement) -> Record {
        let mape = counts.meanAbsolutePercentageErrorInterval
        return [
            ("pairs", .integer(counts.pairs.count)), ("people", .integer(counts.people)),
            ("meanError", number(counts.meanError)), ("errorSD", number(counts.errorDeviation)),
            ("meanAbsoluteError", number(counts.meanAbsoluteError)),
            ("absoluteErrorSD", number(counts.absoluteErrorDeviation)), ("rmse", number(counts.rootMeanSquareError)),
            ("meanPercentageError", number(counts.meanPercentageError)),
            ("percentageErrorSD", number(counts.percentageErrorDeviation)),
            ("mape", number(counts.meanAbsolutePercentageError)),
            ("mapeSD", number(counts.absolutePercentageErrorDeviation)), ("mapeLow", number(mape?.lowerBound)),
            ("mapeHigh", number(mape?.upperBound)), ("within5", number(counts.share(within: 5))),
            ("within10", number(counts.share(within: 10))), ("pearson", number(counts.correlation)),
            ("icc", number(counts.intraclassCorrelation)), ("ccc", number(counts.concordance)),
        ] + record(of: counts.limits) + equivalence(of: counts, within: 5) + equivalence(of: counts, within: 10)
    }

    private static func equivalence(of counts: CountAgreement, within percent: Int) -> Record {
        let test = counts.equivalence(within: Double(percent))
        return [
            ("equivalence\(percent)P", number(test?.probability)),
            ("equivalent\(percent)", test.map { .bool($0.isEquivalent) } ?? .null),
        ]
    }

    private static func record(of limits: LimitsOfAgreement?) -> Record {
        func interval(_ key: String, _ value: Double?, _ range: ClosedRange<Double>?) -> Record {
            [
                (key, number(value)), (key + "Low", number(range?.lowerBound)),
                (key + "High", number(range?.upperBound)),
            ]
        }
        return interval("bias", limits?.bias, limits?.biasInterval)
            + interval("lowerLimit", limits?.lower, limits?.lowerInterval)
            + interval("upperLimit", limits?.upper, limits?.upperInterval)
            + interval("slope", limits?.slope, limits?.slopeInterval)
    }

    private static func number(_ value: Double?) -> JSONValue { .number(value, decimals: decimals) }
}
