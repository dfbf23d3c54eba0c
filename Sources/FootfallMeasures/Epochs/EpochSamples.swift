internal import Footfall
internal import Foundation

struct EpochSamples: Sendable {
    /// The longest interval between two samples, in seconds, that they cover.
    static let longestInterval = 2.0
    private static let longestNanoseconds = Int64(clamping: longestInterval * 1e9)
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
        let times = samples.times
        guard let first = times.first, let last = times.last else { return 0 }
        var covered = last.nanosecondsSince1970 - first.nanosecondsSince1970
        var position = times.endOfRun(from: 0, longestInterval: Self.longestNanoseconds)
        while position < times.count {
            covered -= times[position].nanosecondsSince1970 - times[position - 1].nanosecondsSince1970
            position = times.endOfRun(from: position, longestInterval: Self.longestNanoseconds)
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

/// Computes medians of many short series of finite values. Halving the range that holds the middle values, with a count
/// of the values below each time, leaves few of them to sort: faster than a selection that moves all values, such as
/// `gsl_stats_float_median`. The memory is kept for the next series.
struct MedianFinder: Sendable {
    private typealias Values = SIMD16<Float>

    /// So few values are sorted at once. More are left where many are equal.
    private static let fewest = 24
    private static let halvings = 12

    /// The values. The last vector is filled up with infinity, above all of them.
    private var vectors: [Values] = []
    private var middle: [Float] = []

    /// The median: the middle value by size, or the mean of the two middle values; 0 without a value. It takes O(*n*)
    /// unless few values reach far beyond the others.
    mutating func median(of values: [Float]) -> Double {
        guard let first = values.first else { return 0 }
        var (least, most) = extent(of: values, filling: first)
        guard least < most else { return Double(first) }
        let (lower, upper) = ((values.count - 1) / 2, values.count / 2)
        // The middle values are above `least`, unlike the `below` smallest ones, and not above `most`, like `within`.
        least = least.nextDown
        var (below, within) = (0, values.count)
        for _ in 0..<Self.halvings where within - below > Self.fewest {
            let half = least / 2 + most / 2
            let count = count(upTo: half)
            if count <= lower { (least, below) = (half, count) }
            if count > upper { (most, within) = (half, count) }
        }
        middle.removeAll(keepingCapacity: true)
        for vector in vectors {
            let isMiddle = vector .> least .& vector .<= most
            guard any(isMiddle) else { continue }
            for lane in vector.indices where isMiddle[lane] { middle.append(vector[lane]) }
        }
        middle.sort()
        return (Double(middle[lower - below]) + Double(middle[upper - below])) / 2
    }

    /// Keeps the values as vectors. Returns the least and the greatest one.
    private mutating func extent(of values: [Float], filling first: Float) -> (least: Float, most: Float) {
        vectors.removeAll(keepingCapacity: true)
        var (least, most) = (Values(repeating: first), Values(repeating: first))
        let (bytes, whole) = (values.span.bytes, values.count / Values.scalarCount)
        for index in 0..<whole {
            let vector = bytes.unsafeLoadUnaligned(fromByteOffset: index * MemoryLayout<Values>.size, as: Values.self)
            least.replace(with: vector, where: vector .< least)
            most.replace(with: vector, where: vector .> most)
            vectors.append(vector)
        }
        var last = Values(repeating: .infinity)
        for (lane, value) in values[(whole * Values.scalarCount)...].enumerated() {
            last[lane] = value
            most.replace(with: value, where: most .< value)
        }
        least.replace(with: last, where: last .< least)
        vectors.append(last)
        return (least.min(), most.max())
    }

    private func count(upTo bound: Float) -> Int {
        let bound = Values(repeating: bound)
        var counts = SIMD16<Int32>.zero
        for vector in vectors { counts &+= SIMD16.zero.replacing(with: 1, where: vector .<= bound) }
        return Int(counts.wrappedSum())
    }
}
