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
            let student = Distribution.studentQuantile(0.975, degreesOfFreedom: count - 1),
            let normal = Distribution.normalQuantile(0.975)
        else { return nil }
        func interval(_ value: Double, error: Double) -> ClosedRange<Double> {
            value - student * error...value + student * error
        }
        // The variance of a limit is that of the bias plus 1.96² times that of the deviation, s² / 2(n − 1).
        let limitError =
            deviation * (1 / Double(count) + normal * normal / (2 * Double(count - 1))).squareRoot()
        self.bias = bias
        biasInterval = interval(bias, error: deviation / Double(count).squareRoot())
        lower = bias - normal * deviation
        lowerInterval = interval(lower, error: limitError)
        upper = bias + normal * deviation
        upperInterval = interval(upper, error: limitError)
        let line = PairedSeries(agreement.pairs.map { ($0.truth + $0.counted) / 2 }, agreement.errors)?.slope
        slope = line?.value
        slopeInterval = line.flatMap { line in
            Distribution.studentQuantile(0.975, degreesOfFreedom: count - 2)
                .map { line.value - $0 * line.error...line.value + $0 * line.error }
        }
    }
}
