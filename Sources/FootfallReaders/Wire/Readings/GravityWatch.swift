internal import Footfall

/// Checks that the readings of a stream still contain gravity.
struct GravityWatch: Sendable {
    /// The problem of the last block of readings; nil when there is none.
    private(set) var problem: ParameterText?
    private var magnitudes: [Float] = []

    mutating func add(_ vector: SIMD3<Float>) {
        magnitudes.append((vector * vector).sum().squareRoot())
        guard magnitudes.count == GravityCheck.block, let median = magnitudes.upperMedian() else { return }
        magnitudes.removeAll(keepingCapacity: true)
        if GravityCheck.usualMedian.contains(median) {
            problem = nil
        } else if median < GravityCheck.usualMedian.lowerBound {
            problem =
                "gravity is missing (the median |a| is \(GravityCheck.text(median)) g); "
                + "steps need acceleration with gravity"
        } else {
            problem = "the median |a| is \(GravityCheck.text(median)) g, more than a wearer's; check the unit"
        }
    }
}
