internal import Footfall
internal import Foundation

struct EpochSamples: Sendable {
    /// The longest interval between two samples, in seconds, that they cover.
    static let longestInterval = 2.0
    /// 13 kHz, above the rate of all motion sensors. Further samples are dropped.
    private static let highestRate = 13_107

    private let length: EpochLength
    private var samples = SampleBatch()
    private var medians = MedianFinder()
    /// The time of the last sample of the epochs before.
    private var previous: Timestamp?

    init(length: EpochLength) { self.length = length }

    var count: Int { samples.count }

    mutating func append(_ batch: SampleBatch, _ range: Range<Int>) {
        samples.append(contentsOf: batch, in: range.prefix(Self.highestRate * length.rawValue - count))
    }

    /// Removes all samples and keeps their memory for the next epoch.
    mutating func removeAll() {
        previous = samples.times.last ?? previous
        samples.removeAll()
    }

    /// The part of the epoch, in seconds, that samples cover. It starts at `start`, and `next` is the first sample
    /// after it.
    func coverage(from start: Timestamp, next: Timestamp?) -> Double {
        let end = start.advanced(bySeconds: length.seconds)
        let longest = Int64(clamping: Self.longestInterval * 1e9)
        let times = samples.times
        guard let first = times.first, let last = times.last else { return 0 }
        var covered = last.nanosecondsSince1970 - first.nanosecondsSince1970
        for (time, next) in zip(times, times.dropFirst()) {
            let interval = next.nanosecondsSince1970 - time.nanosecondsSince1970
            if interval > longest { covered -= interval }
        }
        if let previous, first.seconds(since: previous) <= Self.longestInterval {
            covered += first.nanosecondsSince1970 - max(start, previous).nanosecondsSince1970
        }
        if let next, next.seconds(since: last) <= Self.longestInterval {
            covered += min(end, next).nanosecondsSince1970 - last.nanosecondsSince1970
        }
        return Double(covered) * 1e-9
    }

    /// Computes the measures except wear and clipping.
    mutating func measures(start: Timestamp, coverage: Double) -> EpochMeasures {
        let mean = Float(sumOfMagnitudes { $0 } / Double(count))
        let excess = sumOfMagnitudes { ($0 - 1).replacing(with: 0, where: $0 .< 1) }
        let deviation = sumOfMagnitudes { magnitudes in
            let difference = magnitudes - mean
            return difference.replacing(with: -difference, where: difference .< 0)
        }
        let (medianX, medianY, medianZ) =
            (medians.median(of: samples.x), medians.median(of: samples.y), medians.median(of: samples.z))
        let horizontal = (medianX * medianX + medianY * medianY).squareRoot()
        let hasDirection = horizontal > 0 || medianZ != 0
        return EpochMeasures(
            start: start, length: length, enmoMg: 1000 * excess / Double(count),
            madMg: 1000 * deviation / Double(count),
            angleZDegrees: hasDirection ? atan2(medianZ, horizontal) * 180 / .pi : nil, coverage: coverage)
    }

    /// The sum of a function of the magnitudes, computed four at a time. Computing the magnitudes for each sum is
    /// faster than storing them.
    @inline(__always)
    private func sumOfMagnitudes(_ value: (SIMD4<Float>) -> SIMD4<Float>) -> Double {
        let (x, y, z) = (samples.x.span, samples.y.span, samples.z.span)
        var sums = SIMD4<Double>.zero
        var next = 0
        while next + 4 <= x.count {
            let four = Self.magnitudes(x.four(unchecked: next), y.four(unchecked: next), z.four(unchecked: next))
            sums += SIMD4<Double>(value(four))
            next += 4
        }
        while next < x.count {
            let one = Self.magnitudes(
                SIMD4(repeating: x[next]), SIMD4(repeating: y[next]), SIMD4(repeating: z[next]))
            sums[0] += Double(value(one)[0])
            next += 1
        }
        return sums.sum()
    }

    @inline(__always)
    private static func magnitudes(_ x: SIMD4<Float>, _ y: SIMD4<Float>, _ z: SIMD4<Float>) -> SIMD4<Float> {
        (x * x + y * y + z * z).squareRoot()
    }
}

/// Computes medians of many short series of finite values. A value is found by bisection of its bit pattern, read as an
/// integer of the same order. Each of the at most 32 passes counts values, 16 at a time: faster than a selection that
/// moves them, such as `gsl_stats_float_median`. The memory is kept for the next series.
struct MedianFinder: Sendable {
    private typealias Keys = SIMD16<Int32>

    /// The values as integers of the same order. The last vector is filled up with `Int32.max`, above all finite
    /// values.
    private var keys: [Keys] = []

    /// The median, in O(*n*): the middle value by size, or the mean of the two middle values; 0 without a value.
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

    private func key(at position: Int, in bounds: ClosedRange<Int32>) -> Int32 {
        var (least, most) = (bounds.lowerBound, bounds.upperBound)
        while least < most {
            // The mean, rounded down, without overflow.
            let middle = (least & most) &+ ((least ^ most) >> 1)
            if count(upTo: middle) > position { most = middle } else { least = middle + 1 }
        }
        return least
    }

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
