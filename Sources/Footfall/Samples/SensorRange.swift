/// A value at an end of an axis's range.
package struct ClippedValue: Sendable {
    /// 0…2 for the highest value of x, y and z, 3…5 for the lowest.
    package let end: Int
    /// True if the value is beyond the end so far: the values counted there before were not clipped. False if it
    /// repeats the value before: it is clipped.
    package let isNewEnd: Bool
    /// When the sample was taken, in nanoseconds since 1970.
    package let nanoseconds: Int64
}

/// Counts the clipped values: those that repeat the value before and the most extreme value of their axis so far.
struct ClippingDetector: Sendable {
    /// The least clipped value, in g: every accelerometer has a wider range, and one at rest repeats 1 g.
    static let leastFullScale: Float = 1.5

    private var highest = Extreme()
    private var lowest = Extreme()

    /// The number of clipped values.
    var count: Int { highest.repeats + lowest.repeats }

    /// The greatest absolute value so far, in g; 1.5 until one exceeds that.
    var fullScale: Float { max(highest.value.max(), lowest.value.max()) }

    /// Whether a value is at an end of the range, or beyond.
    @inline(__always)
    func reaches(_ acceleration: SIMD4<Float>) -> Bool {
        any(acceleration .>= highest.value .| acceleration .<= -lowest.value)
    }

    /// Adds a sample that reaches an end of the range.
    mutating func add(
        _ acceleration: SIMD4<Float>, after previous: SIMD4<Float>, at nanoseconds: Int64,
        _ found: inout [ClippedValue]
    ) {
        highest.add(acceleration, after: previous) {
            found.append(ClippedValue(end: $0, isNewEnd: $1, nanoseconds: nanoseconds))
        }
        lowest.add(-acceleration, after: -previous) {
            found.append(ClippedValue(end: 3 + $0, isNewEnd: $1, nanoseconds: nanoseconds))
        }
    }

    /// The greatest value of each axis, and the number of its immediate repetitions.
    private struct Extreme: Sendable {
        private(set) var value = SIMD4(repeating: leastFullScale)
        private var counts = SIMD4<Int32>.zero

        var repeats: Int { Int(counts.x) + Int(counts.y) + Int(counts.z) }

        mutating func add(
            _ acceleration: SIMD4<Float>, after previous: SIMD4<Float>, _ found: (_ axis: Int, _ isNewEnd: Bool) -> Void
        ) {
            for axis in 0..<3 {
                if acceleration[axis] > value[axis] {
                    (value[axis], counts[axis]) = (acceleration[axis], 0)
                    found(axis, true)
                } else if acceleration[axis] == value[axis], previous[axis] == value[axis] {
                    counts[axis] &+= 1
                    found(axis, false)
                }
            }
            // The fourth lane repeats the third.
            value[3] = value[2]
        }
    }
}

/// Puts values that left the sensor's range at one end, and came out at the other, back where they belong.
///
/// A sensor or a sketch that keeps too few bits *overflows*: beyond 2.05 g it continues at −2.05 g. A watch on an arm
/// that swings strongly does so at each stride. A sensor that clips leaps from end to end only in hard shakes, which
/// have more leaps over half of its range. So values are put back while leaps over three quarters of the range are more
/// than four times as many as shorter ones. In five walks that overflow they are ten times as many. In 4,000 other
/// recordings they are at most 0.6 times as many.
struct OverflowRepair: Sendable {
    /// The least full scale in g of a sensor that overflows: the narrowest usual range, ±2 g, nearly used up.
    private static let leastFullScale: Float = 1.9
    /// Leaps from end to end, and those over half of the range, in full scales.
    private static let (leap, halfLeap): (Float, Float) = (1.5, 1)
    /// The fewest leaps of a sensor that overflows, and how many times they outnumber the shorter ones.
    private static let (fewestLeaps, outnumbering) = (6, 4)
    /// The largest value that is put back, in full scales.
    private static let mostBeyond: Float = 1.5
    /// The longest interval in nanoseconds between two samples that are compared. In a longer one a movement ends.
    private static let longestInterval: Int64 = 100_000_000

    /// The number of values that were put back.
    private(set) var count = 0

    private var fullScale: Float = 0
    private var (leaps, shorterLeaps) = (0, 0)
    /// The last sample: the measured one, and the used one.
    private var previous: (measured: AccelerationSample, used: AccelerationSample)?

    /// Puts back values among the last samples of `settled`, from `first` on, and among those of a batch that follow
    /// them. Copies the latter up to the last change to `settled`, and returns the positions of the others.
    ///
    /// - Parameters:
    ///   - fullScale: The greatest absolute value before these samples.
    ///   - mayLeap: Whether two of the samples in succession differ by as much as an impulse does.
    mutating func repair(
        _ settled: inout SampleBatch, from first: Int, _ batch: SampleBatch, _ run: Range<Int>, fullScale: Float,
        mayLeap: Bool
    ) -> Range<Int> {
        guard mayLeap || previous.map({ $0.used != $0.measured }) ?? false else {
            let last = run.isEmpty ? settled.count > first ? settled.last : nil : batch[run.upperBound - 1]
            previous = last.map { ($0, $0) } ?? previous
            return run
        }
        self.fullScale = max(self.fullScale, fullScale)
        for position in first..<settled.count { settled[position] = used(settled[position]) }
        var rest = run
        for position in run {
            let (measured, used) = (batch[position], used(batch[position]))
            guard used != measured else { continue }
            settled.append(contentsOf: batch, in: rest.lowerBound..<position)
            settled.append(used)
            rest = position + 1..<run.upperBound
        }
        return rest
    }

    /// The next sample as it is used.
    private mutating func used(_ sample: AccelerationSample) -> AccelerationSample {
        let measured = sample.acceleration
        fullScale = max(fullScale, measured.max(), -measured.min())
        guard let previous, sample.nanoseconds - previous.measured.nanoseconds <= Self.longestInterval else {
            previous = (sample, sample)
            return sample
        }
        let change = measured - previous.measured.acceleration
        let mayLeap = (change * change).sum() >= ImpulseFilter.squaredJump
        if mayLeap { count(change) }
        var used = sample
        if isOverflowing, mayLeap || previous.used != previous.measured {
            used.acceleration = nearest(to: previous.used.acceleration, measured)
        }
        self.previous = (sample, used)
        return used
    }

    /// The values that are nearest to those before: as they were measured, or beyond the end of the range.
    private mutating func nearest(to before: SIMD3<Float>, _ measured: SIMD3<Float>) -> SIMD3<Float> {
        let turn = SIMD3(repeating: 2 * fullScale)
        let beyond = measured - turn.replacing(with: -turn, where: measured .< 0)
        let (asMeasured, asBeyond) = (measured - before, beyond - before)
        let isBeyond =
            asBeyond * asBeyond .< asMeasured * asMeasured
            .& beyond * beyond .<= (Self.mostBeyond * fullScale) * (Self.mostBeyond * fullScale)
        for axis in 0..<3 where isBeyond[axis] { count += 1 }
        return measured.replacing(with: beyond, where: isBeyond)
    }

    private var isOverflowing: Bool {
        leaps >= Self.fewestLeaps && leaps > Self.outnumbering * shorterLeaps && fullScale >= Self.leastFullScale
    }

    /// Counts the leaps of the axes.
    private mutating func count(_ change: SIMD3<Float>) {
        let distance = change.replacing(with: -change, where: change .< 0)
        for axis in 0..<3 where distance[axis] > Self.halfLeap * fullScale {
            if distance[axis] > Self.leap * fullScale { leaps += 1 } else { shorterLeaps += 1 }
        }
    }
}

extension AccelerationSample {
    fileprivate var acceleration: SIMD3<Float> {
        get { SIMD3(x, y, z) }
        set { (x, y, z) = (newValue.x, newValue.y, newValue.z) }
    }
}
