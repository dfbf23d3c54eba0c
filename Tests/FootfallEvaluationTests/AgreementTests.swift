import FootfallEvaluation
import Testing

/// The expected values are those of scipy 1.17, statsmodels 0.15 and pingouin 0.7; `make test-statistics` compares more
/// tables.
@Suite("The agreement of counted and true steps")
struct AgreementTests {
    private let agreement: CountAgreement = {
        let rows = [
            ("a", 100, 97), ("a", 200, 204), ("b", 300, 300), ("b", 400, 388), ("c", 500, 512), ("d", 650, 640),
        ]
        return rows.reduce(into: CountAgreement()) { agreement, row in
            agreement.add(true: Double(row.1), counted: Double(row.2), person: row.0)
        }
    }()

    private func isClose(_ value: Double?, _ expected: Double) throws -> Bool {
        abs(try #require(value) - expected) < 1e-9
    }

    @Test("errors have means, deviations and shares")
    func errors() throws {
        #expect(agreement.pairs.count == 6 && agreement.people == 4)
        #expect(try isClose(agreement.meanError, -1.5))
        #expect(try isClose(agreement.errorDeviation, 8.938679992034617))
        #expect(try isClose(agreement.absoluteErrorDeviation, 5.154286242213044))
        #expect(try isClose(agreement.rootMeanSquareError, 8.296585643102429))
        #expect(try isClose(agreement.meanPercentageError, -0.5230769230769231))
        #expect(try isClose(agreement.percentageErrorDeviation, 2.386847590467046))
        #expect(try isClose(agreement.meanAbsolutePercentageError, 1.9897435897435898))
        #expect(try isClose(agreement.absolutePercentageErrorDeviation, 1.1289275076612495))
        #expect(agreement.share(within: 2.9) == 4.0 / 6 && agreement.share(within: 5) == 1)
    }

    @Test("the interval of the percentage error is over people and the same each time")
    func bootstrap() throws {
        let interval = try #require(agreement.meanAbsolutePercentageErrorInterval)
        #expect(try isClose(interval.lowerBound, 1.5054945054945055))
        #expect(try isClose(interval.upperBound, 2.466666666666667))
        var one = CountAgreement()
        one.add(true: 100, counted: 90, person: "a")
        one.add(true: 100, counted: 95, person: "a")
        #expect(one.meanAbsolutePercentageErrorInterval == nil)
    }

    @Test("correlations are those of Pearson, of Shrout and Fleiss, and of Lin")
    func correlations() throws {
        #expect(try isClose(agreement.correlation, 0.999028225870405))
        #expect(try isClose(agreement.intraclassCorrelation, 0.9991425006176906))
        #expect(try isClose(agreement.concordance, 0.9989711771842141))
    }

    @Test("bias, limits of agreement and slope have intervals after Student's t")
    func limits() throws {
        let limits = try #require(agreement.limits)
        #expect(try isClose(limits.biasInterval.upperBound, 7.880569357266284))
        #expect(try isClose(limits.lower, -19.019490853716626))
        #expect(try isClose(limits.lowerInterval.lowerBound, -36.072724288838394))
        #expect(try isClose(limits.upper, 16.019490853716626))
        #expect(try isClose(limits.upperInterval.upperBound, 33.072724288838394))
        #expect(try isClose(limits.slope, -0.006855402435551718))
        #expect(try isClose(limits.slopeInterval?.lowerBound, -0.06807030949902104))
    }

    @Test("two one-sided tests decide on equivalence")
    func equivalence() throws {
        let test = try #require(agreement.equivalence(within: 5))
        #expect(test.isEquivalent && abs(test.probability - 0.0032035970493602683) < 1e-9)
        #expect(try #require(agreement.equivalence(within: 1)).isEquivalent == false)
    }

    @Test("one pair, or none, has no agreement")
    func few() {
        var one = CountAgreement()
        #expect(one.meanError == nil && one.share(within: 5) == nil && one.limits == nil && one.correlation == nil)
        one.add(true: 100, counted: 90, person: "a")
        #expect(one.meanError == -10 && one.errorDeviation == nil && one.limits == nil)
        #expect(one.intraclassCorrelation == nil && one.concordance == nil && one.equivalence(within: 5) == nil)
    }

    @Test("equal counts have a correlation of 1 and no test, a constant has none")
    func equal() {
        var equal = CountAgreement()
        for steps in [50.0, 100, 150] { equal.add(true: steps, counted: steps, person: "a") }
        #expect(equal.correlation == 1 && equal.intraclassCorrelation == 1 && equal.concordance == 1)
        #expect(equal.limits?.bias == 0 && equal.equivalence(within: 5) == nil)
        var constant = CountAgreement()
        for _ in 0..<3 { constant.add(true: 100, counted: 100, person: "a") }
        #expect(constant.correlation == nil && constant.intraclassCorrelation == nil && constant.limits?.slope == nil)
    }
}
