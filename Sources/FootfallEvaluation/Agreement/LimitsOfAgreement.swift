internal import FootfallMeasures

/// The bias of counted steps, the limits between which 95 % of the errors lie, and their intervals.
///
/// J. Bland and D. Altman, Measuring agreement in method comparison studies, Statistical Methods in Medical Research 8,
/// 1999.
public struct LimitsOfAgreement: Hashable, Sendable {
    /// The mean of counted minus true steps.
    public let bias: Double
    /// The 95 % interval of the bias, after Student's *t*.
    public let biasInterval: ClosedRange<Double>
    /// The bias minus 1.96 standard deviations, in steps.
    public let lower: Double
    /// The 95 % interval of the lower limit.
    public let lowerInterval: ClosedRange<Double>
    /// The bias plus 1.96 standard deviations, in steps.
    public let upper: Double
    /// The 95 % interval of the upper limit.
    public let upperInterval: ClosedRange<Double>
    /// The slope of the errors over the means of true and counted steps; nil for fewer than three pairs or equal means.
    public let slope: Double?
    /// The 95 % interval of the slope. If 0 lies outside, the error depends on the number of steps.
    public let slopeInterval: ClosedRange<Double>?

    init?(_ agreement: CountAgreement) {
        let count = agreement.pairs.count
        guard let bias = agreement.meanError, let deviation = agreement.errorDeviation,
            let quantile = Distribution.studentQuantile(0.975, degreesOfFreedom: count - 1),
            let width = Distribution.normalQuantile(0.975)
        else { return nil }
        func interval(_ value: Double, error: Double) -> ClosedRange<Double> {
            value - quantile * error...value + quantile * error
        }
        // The variance of a limit is that of the bias plus 1.96² times that of the deviation, s² / 2(n − 1).
        let limitError =
            deviation * (1 / Double(count) + width * width / (2 * Double(count - 1))).squareRoot()
        self.bias = bias
        biasInterval = interval(bias, error: deviation / Double(count).squareRoot())
        lower = bias - width * deviation
        lowerInterval = interval(lower, error: limitError)
        upper = bias + width * deviation
        upperInterval = interval(upper, error: limitError)
        let line = PairedSeries(agreement.pairs.map { ($0.truth + $0.counted) / 2 }, agreement.errors)?.slope
        slope = line?.value
        slopeInterval = line.flatMap { line in
            Distribution.studentQuantile(0.975, degreesOfFreedom: count - 2)
                .map { line.value - $0 * line.error...line.value + $0 * line.error }
        }
    }
}

/// Two one-sided *t* tests of whether the mean error lies within a share of the mean truth (D. Schuirmann, Journal of
/// Pharmacokinetics and Biopharmaceutics 15, 1987).
public struct Equivalence: Hashable, Sendable {
    /// The greatest mean error that counts as equivalent, in steps.
    public let margin: Double
    /// The greater *p* value of the two tests.
    public let probability: Double
    /// Whether the mean error lies within the margin, at a level of 5 %.
    public var isEquivalent: Bool { probability < 0.05 }

    init?(_ agreement: CountAgreement, percent: Double) {
        let count = agreement.pairs.count
        guard let truth = agreement.truths.mean, let bias = agreement.meanError,
            let deviation = agreement.errorDeviation, deviation > 0
        else { return nil }
        let error = deviation / Double(count).squareRoot()
        margin = percent / 100 * truth
        let tests = [(bias + margin) / error, (margin - bias) / error].compactMap {
            Distribution.studentUpperTail($0, degreesOfFreedom: count - 1)
        }
        guard let greater = tests.max() else { return nil }
        probability = greater
    }
}
