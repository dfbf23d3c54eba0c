internal import Footfall
internal import FootfallWire

/// Tells the unit of acceleration by gravity, and refuses acceleration that gravity has been taken out of.
///
/// Whatever a wearer does, gravity stays: on 478 recordings of walking, running, riding and handling, at the wrist and
/// in pockets, the median of |a| over the first 2000 rows lies between 0.88 and 2.0 g, and the mean vector of 64 rows is
/// at least 0.35 times as long as the mean of |a|. Walking without gravity gives 0.2 there.
struct GravityCheck {
    private let magnitudes: [Float]
    private let alignment: Float?
    /// Whether these may be raw counts, which have no decimals.
    private let areWhole: Bool

    /// - Throws: ``Refusal`` when there is no sample to look at.
    init(_ samples: [SIMD3<Float>]) throws(Refusal) {
        guard !samples.isEmpty else { throw Refusal("none of the first rows has numbers for x, y and z") }
        magnitudes = samples.map { ($0 * $0).sum().squareRoot() }
        areWhole = samples.allSatisfy { $0 == $0.rounded(.towardZero) }
        let blocks = stride(from: 0, to: samples.count - 63, by: 64).map { samples[$0..<$0 + 64] }
        let alignments = blocks.map { block in
            let sum = block.reduce(SIMD3<Float>.zero, +)
            let length = block.reduce(Float.zero) { $0 + ($1 * $1).sum().squareRoot() }
            return (sum * sum).sum().squareRoot() / max(length, .leastNormalMagnitude)
        }
        alignment = alignments.isEmpty ? nil : alignments.sorted()[alignments.count / 2]
    }

    /// Whether these are too few samples to speak of gravity: a few seconds of a steady vector that is not gravity.
    ///
    /// Some loggers begin with seconds in which the axes hold another sensor. Acceleration that gravity has been taken
    /// out of is not steady, since what is left at rest is noise.
    var isInconclusive: Bool {
        magnitudes.count < 512 && (alignment ?? 0) > 0.9 && (0.01..<0.5).contains(median)
    }

    /// The unit in which these are accelerations of a wearer, gravity included.
    func unit() throws(Refusal) -> AccelerationScale {
        let units = GravityCheck.units
        if let unit = units.max(by: { restShare($0) < restShare($1) }), restShare(unit) >= 0.3 {
            try checkAlignment()
            return unit
        }
        let median = self.median
        if let counts = likeliestCounts, restShare(counts) >= 0.3 {
            try checkAlignment()
            // The scales lie close together: a walk in one may look like rest in another.
            guard restShare(counts) >= 0.6 else {
                throw Refusal(
                    "the median |a| is \(median); these may be \(counts), but too few of the first rows are at rest",
                    remedy: "give the option unit as how many counts are one g, such as 16384")
            }
            return counts
        }
        if let unit = units.first(where: { (0.5...2.4).contains(median * $0.inG) }) {
            try checkAlignment()
            return unit
        }
        if median < 0.5 { throw GravityCheck.gravityIsMissing("the median |a| is \(median)") }
        try checkAlignment()
        throw Refusal(
            "the median |a| is \(median), which is gravity neither in g nor in mg nor in m/s²",
            remedy: "export the acceleration with gravity, if this is without; for raw counts, give the option unit as "
                + "how many are one g, such as 16384")
    }

    /// Makes sure that these are accelerations with gravity, their unit being known.
    ///
    /// - Parameter isCertain: Whether the caller vouches for the unit; then only the absence of any gravity is refused.
    func check(_ unit: AccelerationScale, isCertain: Bool) throws(Refusal) {
        guard restShare(unit) < 0.3, !isInconclusive else { return }
        if median * unit.inG < 0.35 {
            throw GravityCheck.gravityIsMissing("the median |a| is \(median) \(unit)")
        }
        if !isCertain { try checkAlignment() }
    }

    /// The unit that these look like at rest, where they do not at all look like `unit`.
    func unitInstead(of unit: AccelerationScale) -> AccelerationScale? {
        guard restShare(unit) < 0.1 else { return nil }
        return GravityCheck.units.first { restShare($0) >= 0.5 }
    }

    private static let units = AccelerationUnit.allCases.map(AccelerationScale.unit)

    /// The raw counts that these look most like; nil where they are none.
    private var likeliestCounts: AccelerationScale? {
        areWhole ? AccelerationScale.usualCounts.max { restShare($0) < restShare($1) } : nil
    }

    private var median: Float {
        magnitudes.sorted()[magnitudes.count / 2]
    }

    /// The share of samples whose magnitude is that of gravity in `unit`.
    private func restShare(_ unit: AccelerationScale) -> Float {
        var rest: ClosedRange<Float> = 0.7...1.3
        if case .counts = unit { rest = AccelerationScale.restOfCounts }
        let count = magnitudes.count { rest.contains($0 * unit.inG) }
        return Float(count) / Float(magnitudes.count)
    }

    private func checkAlignment() throws(Refusal) {
        guard let alignment, alignment < 0.3 else { return }
        throw GravityCheck.gravityIsMissing("the mean direction of the acceleration is nowhere steady")
    }

    static func gravityIsMissing(_ sign: String, line: Int? = nil) -> Refusal {
        Refusal(
            "acceleration without gravity (\(sign))",
            remedy: "export the acceleration with gravity, often called raw or total acceleration", line: line)
    }
}
