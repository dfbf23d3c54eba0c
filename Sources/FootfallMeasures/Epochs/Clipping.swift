/// The ends of the sensor's range, and the values of one epoch that stay at them.
///
/// A value is clipped when it repeats the value before at the most extreme value so far, as in `SensorCheck`.
struct Clipping: Sendable {
    /// A count for each end of the range of each axis.
    struct Counts: Hashable, Sendable {
        fileprivate(set) var highest = SIMD4<Int32>.zero
        fileprivate(set) var lowest = SIMD4<Int32>.zero

        /// The count of the axis with the most clipped values.
        var most: Int { Int((highest &+ lowest).max()) }

        /// Sets the counts at ends of the range to 0 that turned out to be further out.
        mutating func removeCounts(of ends: NewEnds) {
            highest.replace(with: 0, where: ends.highest)
            lowest.replace(with: 0, where: ends.lowest)
        }
    }

    /// The ends of the range that an epoch moved further out.
    struct NewEnds: Sendable {
        fileprivate(set) var highest = SIMDMask<SIMD4<Int32>>(repeating: false)
        fileprivate(set) var lowest = SIMDMask<SIMD4<Int32>>(repeating: false)

        var hasNew: Bool { any(highest .| lowest) }
    }

    /// The acceleration, in g, below which no value is clipped. All accelerometers have a larger range.
    private static let leastFullScale: Float = 1.5

    private var highest = SIMD4(repeating: leastFullScale)
    private var lowest = SIMD4(repeating: -leastFullScale)
    private var previous: SIMD4<Float>?
    /// The clipped values of the last epoch.
    private(set) var counts = Counts()

    /// Counts the clipped values of the next epoch.
    ///
    /// - Returns: The ends that it moved.
    mutating func add(_ samples: EpochSamples) -> NewEnds {
        counts = Counts()
        var ends = NewEnds()
        for (axis, values) in [samples.x, samples.y, samples.z].enumerated() {
            add(values, axis, &ends)
        }
        if let x = samples.x.last, let y = samples.y.last, let z = samples.z.last { previous = SIMD4(x, y, z, 0) }
        return ends
    }

    private mutating func add(_ values: [Float], _ axis: Int, _ ends: inout NewEnds) {
        var (highest, lowest) = (self.highest[axis], self.lowest[axis])
        // Values within the range are the rule; this loop is fast.
        var reaches = false
        for value in values where value >= highest || value <= lowest { reaches = true }
        guard reaches else { return }
        var previous = previous?[axis]
        for value in values {
            if value > highest {
                highest = value
                counts.highest[axis] = 0
                ends.highest[axis] = true
            } else if value < lowest {
                lowest = value
                counts.lowest[axis] = 0
                ends.lowest[axis] = true
            } else if value == previous {
                if value == highest { counts.highest[axis] += 1 }
                if value == lowest { counts.lowest[axis] += 1 }
            }
            previous = value
        }
        (self.highest[axis], self.lowest[axis]) = (highest, lowest)
    }
}
