internal import Footfall

/// Tells by gravity what the numbers of an accelerometer stand for.
struct ScaleFinder {
    enum Finding: Equatable {
        case scale(AccelerationScale)
        /// These are too few, or too much in motion, to tell.
        case unclear
        /// They are no acceleration with gravity in a known unit: why not.
        case refused(String)
    }

    /// Vectors after which the wearer need no longer be at rest.
    static let enough = 64
    /// At rest, |a| is one g within this factor: the sensor's own error, and a hand that is not quite still.
    private static let rest: ClosedRange<Float> = 0.7...1.3

    private let lengths: [Float]
    /// How long the mean vector is, compared with the mean of the lengths: 1 at rest, near 0 without gravity.
    private let alignment: Float

    init(_ vectors: [SIMD3<Float>]) {
        lengths = vectors.map { ($0 * $0).sum().squareRoot() }.sorted()
        let sum = vectors.reduce(SIMD3<Float>.zero, +)
        let length = lengths.reduce(0, +)
        alignment = (sum * sum).sum().squareRoot() / max(length, .leastNormalMagnitude)
    }

    /// Decides.
    ///
    /// - Parameter isLast: Whether nothing more will come to decide on.
    func find(isLast: Bool) -> Finding {
        guard lengths.count >= 8 || (isLast && !lengths.isEmpty) else { return .unclear }
        let units = AccelerationUnit.allCases.map(AccelerationScale.unit)
        let likeliest = units.max { share($0, Self.rest) < share($1, Self.rest) } ?? .unit(.g)
        let restOfCounts = AccelerationScale.restOfCounts
        let likeliestCounts =
            AccelerationScale.usualCounts.max { share($0, restOfCounts) < share($1, restOfCounts) } ?? .g
        guard lengths.count >= Self.enough || isLast else {
            // A sensor that lies still says it at once.
            guard alignment >= 0.9 else { return .unclear }
            if share(likeliest, Self.rest) >= 0.9 { return .scale(likeliest) }
            return share(likeliestCounts, restOfCounts) >= 0.9 ? .scale(likeliestCounts) : .unclear
        }
        let median = lengths[lengths.count / 2]
        // The bounds are those by which a trace's unit is told, for the same reasons.
        let isWithoutDirection = alignment < 0.3
        if share(likeliest, Self.rest) >= 0.3, !isWithoutDirection { return .scale(likeliest) }
        if share(likeliestCounts, restOfCounts) >= 0.6 { return .scale(likeliestCounts) }
        let plausible = units.first { GravityWatch.usual.contains(median * $0.inG) }
        if let plausible, !isWithoutDirection { return .scale(plausible) }
        if median < GravityWatch.usual.lowerBound || (plausible != nil && isWithoutDirection) {
            return .refused(
                "acceleration without gravity (the median |a| is \(GravityWatch.shown(median))"
                    + (isWithoutDirection ? ", in no steady direction)" : ")")
                    + "; steps need acceleration with gravity, often called raw or total")
        }
        return .refused(
            "the median |a| is \(GravityWatch.shown(median)), which is gravity in no known unit; "
                + "hold the sensor still, or state what one g is")
    }

    private func share(_ scale: AccelerationScale, _ range: ClosedRange<Float>) -> Float {
        Float(lengths.count { range.contains($0 * scale.inG) }) / Float(max(lengths.count, 1))
    }
}
