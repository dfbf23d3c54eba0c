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
