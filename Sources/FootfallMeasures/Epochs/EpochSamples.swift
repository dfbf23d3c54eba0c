internal import Footfall
internal import Foundation

/// The samples of one epoch, as columns.
struct EpochSamples: Sendable {
    /// The longest interval between two samples, in seconds, that they cover.
    static let longestInterval = 2.0
    /// The largest number of samples: 13 kHz, above the rate of all motion sensors. Further samples are dropped.
    private static let capacity = 65_536

    private(set) var x: [Float] = []
    private(set) var y: [Float] = []
    private(set) var z: [Float] = []
    private var times: [Timestamp] = []
    private var medians = MedianFinder()
    /// The time of the last sample of the epochs before.
    private var previous: Timestamp?

    var count: Int { times.count }

    mutating func append(_ batch: SampleBatch, _ range: Range<Int>) {
        let range = range.prefix(Self.capacity - count)
        times.append(contentsOf: batch.times[range])
        x.append(contentsOf: batch.x[range])
        y.append(contentsOf: batch.y[range])
        z.append(contentsOf: batch.z[range])
    }

    /// Removes all samples and keeps their memory for the next epoch.
    mutating func removeAll() {
        previous = times.last ?? previous
        times.removeAll(keepingCapacity: true)
        x.removeAll(keepingCapacity: true)
        y.removeAll(keepingCapacity: true)
        z.removeAll(keepingCapacity: true)
    }

    /// The part of the epoch, in seconds, that samples cover.
    ///
    /// - Parameters:
    ///   - start: The start of the epoch.
    ///   - next: The time of the first sample after the epoch.
    func coverage(from start: Timestamp, next: Timestamp?) -> Double {
        let end = start.advanced(bySeconds: EpochMeasures.seconds)
        let longest = Int64(clamping: Self.longestInterval * 1e9)
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

    /// Computes the measures, wear and clipping apart.
    mutating func measures(start: Timestamp, coverage: Double) -> EpochMeasures {
        let mean = Float(sumOfMagnitudes { $0 } / Double(count))
        let excess = sumOfMagnitudes { ($0 - 1).replacing(with: 0, where: $0 .< 1) }
        let deviation = sumOfMagnitudes { magnitudes in
            let difference = magnitudes - mean
            return difference.replacing(with: -difference, where: difference .< 0)
        }
        let (medianX, medianY, medianZ) = (medians.median(of: x), medians.median(of: y), medians.median(of: z))
        let horizontal = (medianX * medianX + medianY * medianY).squareRoot()
        let hasDirection = horizontal > 0 || medianZ != 0
        return EpochMeasures(
            start: start, enmoMg: 1000 * excess / Double(count), madMg: 1000 * deviation / Double(count),
            angleZDegrees: hasDirection ? atan2(medianZ, horizontal) * 180 / .pi : nil, coverage: coverage)
    }

    /// The sum of what a function makes of the magnitudes, four at a time. To compute the magnitudes for each sum is
    /// faster than to store them.
    @inline(__always)
    private func sumOfMagnitudes(_ value: (SIMD4<Float>) -> SIMD4<Float>) -> Double {
        let (x, y, z) = (x.span, y.span, z.span)
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
