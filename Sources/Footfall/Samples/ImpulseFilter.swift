/// Leaves out isolated samples that no motion of a body can make: those of a broken wire, or with flipped bits.
///
/// The rule is Hampel's identifier (F. R. Hampel, JASA 69(346), 1974; L. Davies & U. Gather, JASA 88(423), 1993) over
/// seven samples: an *impulse* is far from the median of its window, compared with the median distance of all its
/// samples, and its neighbors are near it. A heel strike or a clap takes several samples, or is a smaller jump. The
/// motion around an impulse can hide it. So in the minute after an impulse, when the sensor may be broken, a smaller
/// distance suffices.
///
/// Of 7.83 million samples of people at 20 to 148 Hz, the rule leaves out none; the ratio of the nearest one is 45. The
/// division of the samples into batches has no effect.
struct ImpulseFilter: Sendable {
    /// The samples to each side that a sample is compared with.
    private static let reach = 3
    /// The longest time of a window, in nanoseconds. At lower rates, a movement may take one sample.
    private static let longestWindow: Int64 = 1_000_000_000
    /// The least distance in g from a neighbor and from the median of the window. A jump of this size between two
    /// samples is rare in motion, so most samples need no other test.
    private static let leastJump: Float = 2
    /// The square of this distance, in g².
    static let squaredJump = leastJump * leastJump
    /// The least distance of an impulse from the median of its window, in median distances, from a sensor without
    /// impulses.
    private static let ratio: Float = 60
    /// The same after an impulse. Ratios from 5 to 10 have the same effect on walking with impulses.
    private static let ratioOfFault: Float = 6
    /// How long after an impulse the sensor counts as broken, in nanoseconds.
    private static let faultTime: Int64 = 60_000_000_000
    /// The number of samples that are tested for jumps at once: eight vectors hold the jumps before and after them.
    private static let block = 31

    /// The number of samples that were left out.
    private(set) var count = 0

    /// The latest samples: up to ``reach`` settled ones, and up to ``reach`` that wait for their successors.
    private var edge = SampleBatch()
    private var settledInEdge = 0
    /// The end of the time in which the sensor counts as broken, in nanoseconds since 1970.
    private var endOfFault = Int64.min

    /// Adds samples in strictly increasing order of time and appends settled ones to `settled`. Returns the positions
    /// of the settled samples that follow those, mostly nearly all. Unless two samples in succession differ by
    /// ``leastJump``, `mayHaveImpulses` is false and there is nothing to test.
    mutating func add(
        _ samples: SampleBatch, _ positions: Range<Int>, mayHaveImpulses: Bool, to settled: inout SampleBatch
    ) -> Range<Int> {
        guard positions.count > 4 * Self.reach else {
            edge.append(contentsOf: samples, in: positions)
            settleEdge(to: &settled)
            return positions.upperBound..<positions.upperBound
        }
        let middle = positions.lowerBound + Self.reach..<positions.upperBound - Self.reach
        edge.append(contentsOf: samples, in: positions.lowerBound..<middle.lowerBound + Self.reach)
        settleEdge(to: &settled)
        let rest = mayHaveImpulses ? settle(samples, middle, to: &settled) : middle
        edge.removeAll()
        edge.append(contentsOf: samples, in: middle.upperBound - Self.reach..<positions.upperBound)
        settledInEdge = Self.reach
        return rest
    }

    /// Appends the samples that wait to `settled`, because the series is over.
    mutating func finish(to settled: inout SampleBatch) {
        settled.append(contentsOf: edge, in: settledInEdge..<edge.count)
        edge.removeAll()
        settledInEdge = 0
    }

    /// Settles the samples of the edge that have all successors, and keeps those that later ones need.
    private mutating func settleEdge(to settled: inout SampleBatch) {
        let end = edge.count - Self.reach
        guard end > settledInEdge else { return }
        // The first samples of a series have no predecessors to compare with.
        let first = max(settledInEdge, min(Self.reach, end))
        settled.append(contentsOf: edge, in: settledInEdge..<first)
        let samples = edge
        let rest = settle(samples, first..<end, to: &settled)
        settled.append(contentsOf: samples, in: rest)
        settledInEdge = min(end, Self.reach)
        edge.removeAll()
        edge.append(contentsOf: samples, in: end - settledInEdge..<samples.count)
    }

    /// Settles samples of a batch that have all their neighbors. Appends them up to the last impulse to `settled`, and
    /// returns the positions of the ones that follow.
    private mutating func settle(
        _ samples: SampleBatch, _ positions: Range<Int>, to settled: inout SampleBatch
    ) -> Range<Int> {
        guard !positions.isEmpty else { return positions }
        // The other functions do not check the positions of neighbors.
        precondition(positions.lowerBound >= Self.reach && positions.upperBound + Self.reach <= samples.count)
        var (first, next) = (positions.lowerBound, positions.lowerBound)
        while next < positions.upperBound {
            let end = min(next + Self.block, positions.upperBound)
            if end - next < Self.block || !Self.isSmooth(samples, around: next) {
                for position in next..<end where isImpulse(position, in: samples) {
                    settled.append(contentsOf: samples, in: first..<position)
                    first = position + 1
                    count += 1
                }
            }
            next = end
        }
        return first..<positions.upperBound
    }

    /// Whether a sample is an impulse. One that is certain makes the sensor count as broken.
    private mutating func isImpulse(_ position: Int, in samples: SampleBatch) -> Bool {
        let time = samples[position].nanoseconds
        let isBroken = time <= endOfFault
        guard let ratio = Self.squaredRatio(of: position, in: samples, isBroken ? Self.ratioOfFault : Self.ratio)
        else { return false }
        if ratio > Self.ratio * Self.ratio { endOfFault = time + Self.faultTime }
        return true
    }

    /// Whether no jump lies before or after any of ``block`` samples.
    @inline(__always)
    private static func isSmooth(_ samples: SampleBatch, around first: Int) -> Bool {
        let (x, y, z) = (samples.x.span, samples.y.span, samples.z.span)
        var jumps = SIMDMask<SIMD4<Int32>>(repeating: false)
        var position = first
        while position <= first &+ block {
            let (dx, dy, dz) = (
                x.four(unchecked: position) - x.four(unchecked: position &- 1),
                y.four(unchecked: position) - y.four(unchecked: position &- 1),
                z.four(unchecked: position) - z.four(unchecked: position &- 1)
            )
            jumps .|= (dx * dx + dy * dy + dz * dz) .> squaredJump
            position &+= 4
        }
        return !any(jumps)
    }

    /// The square of an impulse's distance from the median of its window, in median distances; nil for a sample with
    /// less than the least ratio of an impulse.
    private static func squaredRatio(of position: Int, in samples: SampleBatch, _ least: Float) -> Float? {
        let (x, y, z) = (samples.x.span, samples.y.span, samples.z.span)
        func acceleration(_ offset: Int) -> SIMD4<Float> {
            let index = position + offset
            return SIMD4(x[unchecked: index], y[unchecked: index], z[unchecked: index], 0)
        }
        func squaredDistance(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
            ((one - other) * (one - other)).sum()
        }
        let sample = acceleration(0)
        let jump = max(squaredDistance(sample, acceleration(-1)), squaredDistance(sample, acceleration(1)))
        guard jump > squaredJump else { return nil }
        // Four of the six neighbors are near the median, so both are at one of the three distances. Most samples fail
        // this test.
        let nearness = 2 / (least - 1)
        let hasNearPair = (1...reach).contains { offset in
            let (before, after) = (acceleration(-offset), acceleration(offset))
            return squaredDistance(before, after) <= nearness * nearness * squaredDistance(sample, before)
        }
        let length = samples[position + reach].nanoseconds - samples[position - reach].nanoseconds
        guard hasNearPair, length <= longestWindow else { return nil }
        let window = (-reach...reach).map(acceleration)
        let median = SIMD4(window.map(\.x).median ?? 0, window.map(\.y).median ?? 0, window.map(\.z).median ?? 0, 0)
        let distance = squaredDistance(sample, median)
        // A pulse of several samples has neighbors far from the median. Beside an impulse of a broken sensor, one may
        // be another.
        let near = distance / (ratioOfFault * ratioOfFault)
        let isNearBefore = squaredDistance(acceleration(-1), median) < near
        let isNearAfter = squaredDistance(acceleration(1), median) < near
        let isIsolated = least == ratioOfFault ? isNearBefore || isNearAfter : isNearBefore && isNearAfter
        // A sensor at rest may repeat one value exactly.
        let ratio = distance / max(window.map { squaredDistance($0, median) }.median ?? 0, .leastNormalMagnitude)
        return isIsolated && distance > squaredJump && ratio > least * least ? ratio : nil
    }
}
