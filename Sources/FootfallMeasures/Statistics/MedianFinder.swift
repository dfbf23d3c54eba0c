internal import Footfall

/// Computes medians of many short series of finite values.
///
/// A value is found by bisection of its bit pattern, read as an integer of the same order. Each of the at most 32
/// passes counts values, 16 at a time: faster than a selection that moves them, such as `gsl_stats_float_median`. The
/// memory is kept for the next series.
struct MedianFinder: Sendable {
    private typealias Keys = SIMD16<Int32>

    /// The values as integers of the same order. The last vector is filled up with `Int32.max`, above all finite
    /// values.
    private var keys: [Keys] = []

    /// The median: the middle value by size, or the mean of the two middle values; 0 without a value.
    ///
    /// - Complexity: O(*n*).
    mutating func median(of values: [Float]) -> Double {
        guard !values.isEmpty else { return 0 }
        keys.removeAll(keepingCapacity: true)
        var least = Keys(repeating: .max)
        var most = Keys(repeating: .min)
        let (bytes, whole) = (values.span.bytes, values.count / Keys.scalarCount)
        for index in 0..<whole {
            let offset = index * MemoryLayout<Keys>.size
            let key = Self.flipped(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Keys.self))
            least = pointwiseMin(least, key)
            most = pointwiseMax(most, key)
            keys.append(key)
        }
        if whole * Keys.scalarCount < values.count {
            var last = Keys(repeating: .max)
            for (lane, value) in values[(whole * Keys.scalarCount)...].enumerated() {
                last[lane] = Self.flipped(Keys(repeating: Int32(bitPattern: value.bitPattern)))[0]
                most = pointwiseMax(most, Keys(repeating: last[lane]))
            }
            least = pointwiseMin(least, last)
            keys.append(last)
        }
        let middle = values.count / 2
        let lower = key(at: values.count.isMultiple(of: 2) ? middle - 1 : middle, in: least.min()...most.max())
        guard values.count.isMultiple(of: 2), count(upTo: lower) == middle else { return Self.value(of: lower) }
        return (Self.value(of: lower) + Self.value(of: next(above: lower))) / 2
    }

    /// The key at a position of their order.
    private func key(at position: Int, in bounds: ClosedRange<Int32>) -> Int32 {
        var (least, most) = (bounds.lowerBound, bounds.upperBound)
        while least < most {
            // The mean, rounded down, without overflow.
            let middle = (least & most) &+ ((least ^ most) >> 1)
            if count(upTo: middle) > position { most = middle } else { least = middle + 1 }
        }
        return least
    }

    /// The least key above a bound.
    private func next(above bound: Int32) -> Int32 {
        let bound = Keys(repeating: bound)
        var least = Keys(repeating: .max)
        for key in keys { least = pointwiseMin(least, key.replacing(with: .max, where: key .<= bound)) }
        return least.min()
    }

    private func count(upTo bound: Int32) -> Int {
        let bound = Keys(repeating: bound)
        var counts = Keys.zero
        for key in keys { counts &+= Keys.zero.replacing(with: 1, where: key .<= bound) }
        return Int(counts.wrappedSum())
    }

    /// Turns the bit patterns of numbers into integers of the same order, and back.
    private static func flipped(_ bits: Keys) -> Keys { bits ^ ((bits &>> 31) & Keys(repeating: .max)) }

    private static func value(of key: Int32) -> Double {
        Double(Float(bitPattern: UInt32(bitPattern: flipped(Keys(repeating: key))[0])))
    }
}
