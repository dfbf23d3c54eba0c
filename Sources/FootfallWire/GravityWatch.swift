/// Watches whether what comes is acceleration with gravity: whatever a wearer does, gravity stays.
struct GravityWatch: Sendable {
    /// Readings looked at together.
    static let block = 64
    /// The median of |a| of a wearer lies in this range, in g, whatever is done: between 0.88 and 2.0 on recordings of
    /// walking, running, riding and handling.
    static let usual: ClosedRange<Float> = 0.5...2.4

    /// What is wrong with the last block; nil when nothing is.
    private(set) var problem: String?
    private var lengths: [Float] = []

    mutating func add(_ vector: SIMD3<Float>) {
        lengths.append((vector * vector).sum().squareRoot())
        guard lengths.count == GravityWatch.block else { return }
        let median = lengths.sorted()[GravityWatch.block / 2]
        lengths.removeAll(keepingCapacity: true)
        if GravityWatch.usual.contains(median) {
            problem = nil
        } else if median < GravityWatch.usual.lowerBound {
            problem =
                "gravity is missing (the median |a| is \(GravityWatch.shown(median)) g); "
                + "steps need acceleration with gravity"
        } else {
            problem = "the median |a| is \(GravityWatch.shown(median)) g, more than a wearer's; is the unit right?"
        }
    }

    /// A number with two digits behind the point.
    static func shown(_ value: Float) -> String {
        guard abs(value) < 1e9 else { return "\(value)" }
        return "\((value * 100).rounded() / 100)"
    }
}
