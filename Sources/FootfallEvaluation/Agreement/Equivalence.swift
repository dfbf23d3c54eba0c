internal import FootfallMeasures

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
