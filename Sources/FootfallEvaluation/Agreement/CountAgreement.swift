internal import FootfallMeasures

/// How well counted steps agree with true ones: the statistics of validation studies, over recordings or minutes.
///
/// Quantiles and distributions are those of GSL. Intervals have 95 %. A statistic is nil where the pairs do not
/// determine it, such as a correlation of one recording.
public struct CountAgreement: Hashable, Sendable {
    /// The true and the counted steps of one recording or minute.
    public struct Pair: Hashable, Sendable {
        /// The person.
        public let person: String
        /// The recording, `<dataset>/<name>`; empty if it does not matter.
        public let recording: String
        /// The true steps.
        public let truth: Double
        /// The counted steps.
        public let counted: Double

        /// Counted minus true steps.
        public var error: Double { counted - truth }
        /// The error in percent of the true steps; nil without true steps.
        public var percentageError: Double? { truth > 0 ? 100 * error / truth : nil }
    }

    /// The pairs in the order in which they were added.
    public private(set) var pairs: [Pair] = []

    /// Creates an agreement without pairs.
    public init() {}

    /// Adds a recording or a minute of a person.
    public mutating func add(true truth: Double, counted: Double, person: String, recording: String = "") {
        pairs.append(Pair(person: person, recording: recording, truth: truth, counted: counted))
    }

    /// Adds other pairs.
    public mutating func merge(_ other: CountAgreement) { pairs += other.pairs }

    /// The number of people.
    public var people: Int { Set(pairs.map(\.person)).count }

    var truths: [Double] { pairs.map(\.truth) }
    var counts: [Double] { pairs.map(\.counted) }
    var errors: [Double] { pairs.map(\.error) }
    private var percentageErrors: [Double] { pairs.compactMap(\.percentageError) }

    // MARK: Errors

    /// The mean of counted minus true steps.
    public var meanError: Double? { errors.mean }
    /// The standard deviation of counted minus true steps.
    public var errorDeviation: Double? { errors.standardDeviation }
    /// The mean absolute error in steps.
    public var meanAbsoluteError: Double? { errors.map(abs).mean }
    /// The standard deviation of the absolute errors in steps.
    public var absoluteErrorDeviation: Double? { errors.map(abs).standardDeviation }
    /// The square root of the mean squared error in steps.
    public var rootMeanSquareError: Double? { errors.map { $0 * $0 }.mean?.squareRoot() }
    /// The mean error in percent of the true steps.
    public var meanPercentageError: Double? { percentageErrors.mean }
    /// The standard deviation of the errors in percent.
    public var percentageErrorDeviation: Double? { percentageErrors.standardDeviation }
    /// The mean absolute percentage error (MAPE).
    public var meanAbsolutePercentageError: Double? { percentageErrors.map(abs).mean }
    /// The standard deviation of the absolute percentage errors.
    public var absolutePercentageErrorDeviation: Double? { percentageErrors.map(abs).standardDeviation }

    /// The interval of ``meanAbsolutePercentageError`` over people like these, by a seeded bootstrap; nil with fewer
    /// than two people.
    public var meanAbsolutePercentageErrorInterval: ClosedRange<Double>? {
        Bootstrap.interval(over: errorSumsOfPeople) { people in
            let count = people.reduce(0) { $0 + $1.count }
            return count > 0 ? people.reduce(0) { $0 + $1.sum } / Double(count) : nil
        }
    }

    /// The sum and the number of the absolute percentage errors of each person, by name.
    private var errorSumsOfPeople: [(sum: Double, count: Int)] {
        Dictionary(grouping: pairs, by: \.person).sorted { $0.key < $1.key }.map { _, pairs in
            let errors = pairs.compactMap(\.percentageError).map(abs)
            return (errors.reduce(0, +), errors.count)
        }
    }

    /// The share of the pairs with an error of at most this many percent, 0…1.
    public func share(within percent: Double) -> Double? {
        percentageErrors.map { abs($0) <= percent ? 1 : 0 }.mean
    }

    // MARK: Agreement

    /// Pearson's correlation of true and counted steps.
    public var correlation: Double? { PairedSeries(truths, counts)?.correlation }

    /// The intraclass correlation ICC(2,1): two-way random effects, single measure, absolute agreement (P. Shrout and
    /// J. Fleiss, Psychological Bulletin 86(2), 1979).
    public var intraclassCorrelation: Double? {
        guard pairs.count > 1, let spread = pairs.map({ ($0.truth + $0.counted) / 2 }).standardDeviation,
            let deviation = errorDeviation, let bias = meanError
        else { return nil }
        // With two raters, the mean squares follow from the means and the differences of the pairs.
        let (rows, residual) = (2 * spread * spread, deviation * deviation / 2)
        let count = Double(pairs.count)
        let raters = count * bias * bias / 2
        let total = rows + residual + 2 * (raters - residual) / count
        return total > 0 ? (rows - residual) / total : nil
    }

    /// The concordance correlation (L. Lin, A concordance correlation coefficient to evaluate reproducibility,
    /// Biometrics 45, 1989), with moments of divisor *n*.
    public var concordance: Double? {
        guard let covariance = PairedSeries(truths, counts)?.covariance, let bias = meanError,
            let truthSpread = truths.standardDeviation, let countSpread = counts.standardDeviation
        else { return nil }
        let count = Double(pairs.count)
        let scale = (count - 1) / count
        let total = scale * (truthSpread * truthSpread + countSpread * countSpread) + bias * bias
        return total > 0 ? 2 * scale * covariance / total : nil
    }

    /// Bias and limits of agreement; nil for fewer than two pairs.
    public var limits: LimitsOfAgreement? { LimitsOfAgreement(self) }

    /// Two one-sided tests of equivalence within a share of the mean truth; nil for fewer than two pairs or equal
    /// errors.
    public func equivalence(within percent: Double) -> Equivalence? { Equivalence(self, percent: percent) }
}
