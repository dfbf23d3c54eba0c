internal import FootfallMeasures

/// Confidence intervals for people like those of the recordings, by the bootstrap: people are drawn with replacement.
///
/// Recordings of one person resemble each other, so people are drawn and not recordings. The random numbers have a
/// fixed seed, so equal results have equal intervals. With few people an interval is too narrow (B. Efron and R.
/// Tibshirani, An Introduction to the Bootstrap, 1993).
enum Bootstrap {
    /// The number of samples of people from which an interval is computed.
    static let resamplings = 1000

    /// The 2.5 % and 97.5 % quantiles of an estimate over samples of people; nil with fewer than two people.
    static func interval<Person>(
        over people: [Person], of estimate: ([Person]) -> Double?
    ) -> ClosedRange<Double>? {
        guard people.count > 1 else { return nil }
        var random = Draws()
        let estimates = (0..<resamplings).compactMap { _ in
            estimate(people.map { _ in people[Int.random(in: people.indices, using: &random)] })
        }.sorted()
        guard let low = estimates.sortedQuantile(0.025), let high = estimates.sortedQuantile(0.975) else { return nil }
        return low...high
    }

    /// The generator SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    private struct Draws: RandomNumberGenerator {
        private var state: UInt64 = 0

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
