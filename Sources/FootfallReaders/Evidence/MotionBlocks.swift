package import Footfall

/// Statistics of three columns over blocks of a second: what distinguishes acceleration with gravity from other
/// sensors.
///
/// The samples are not stored. A log of any length leaves at most ``most`` blocks.
package struct MotionBlocks: Sendable {
    package init() {}

    /// One block. All sizes are in the unit of the table.
    struct Block: Sendable {
        var mean = SIMD3<Double>.zero
        /// The mean of |a|, and its extremes.
        var magnitude = 0.0
        var least = 0.0
        var greatest = 0.0
        /// The variance of the vector, of its magnitude, and of its means over quarters of the block.
        var variance = 0.0
        var magnitudeVariance = 0.0
        var slowVariance = 0.0
        /// Half the mean square of the change from one sample to the next.
        var jolt = 0.0
        /// The cosine between the mean and that of the block before; nil behind a gap.
        var turn: Double?
        /// The length of the mean vector over this block and up to three before it, the mean of |a| there, and their
        /// number.
        var wideMean = 0.0
        var wideMagnitude = 0.0
        var width = 0
    }

    /// The blocks in order of time; of a long log every second, fourth, …
    private(set) var blocks: [Block] = []

    /// The length of a block in seconds, and its fewest samples.
    private static let (length, fewest) = (1.0, 8)
    /// The shortest last block, in seconds.
    private static let shortest = 0.85
    /// A longer interval between two samples, in seconds, ends a block and the row of blocks.
    private static let longestInterval = 1.0
    /// The blocks over which gravity is averaged: a stride and the swing of an arm take less time.
    private static let width = 4
    /// The most blocks: half an hour, and the most samples of a block: more than any sensor takes.
    private static let (most, mostSamples) = (2048, 16_384)
    private static let rounding = 1e-6

    /// The time of the first sample; others are in seconds since then.
    private var origin: Timestamp?
    private var times: [Double] = []
    private var vectors: [SIMD3<Double>] = []
    private var before: [Block] = []
    private var stride = 1
    private var seen = 0

    /// Adds a sample.
    package mutating func add(_ moment: Timestamp, _ vector: SIMD3<Double>) {
        if origin == nil { origin = moment }
        let time = moment.seconds(since: origin ?? moment)
        if let first = times.first, let last = times.last {
            if time < last || time - last > Self.longestInterval {
                close()
                before.removeAll(keepingCapacity: true)
            } else if time - first >= Self.length - Self.rounding, times.count >= Self.fewest {
                close()
            }
        }
        guard times.count < Self.mostSamples else { return }
        times.append(time)
        vectors.append(vector)
    }

    /// Ends the last block.
    package mutating func finish() {
        if let first = times.first, let last = times.last, last - first < Self.shortest { times.removeAll() }
        close()
    }

    private mutating func close() {
        defer {
            times.removeAll(keepingCapacity: true)
            vectors.removeAll(keepingCapacity: true)
        }
        guard times.count >= Self.fewest else { return }
        var block = Block(times, vectors)
        block.turn = before.last.map { last in
            (block.mean * last.mean).sum() / max(block.mean.length * last.mean.length, .leastNormalMagnitude)
        }
        before = before.suffix(Self.width - 1) + [block]
        let count = Double(before.count)
        block.wideMean = (before.reduce(.zero) { $0 + $1.mean } / count).length
        block.wideMagnitude = before.reduce(0) { $0 + $1.magnitude } / count
        block.width = before.count
        if seen.isMultiple(of: stride) { blocks.append(block) }
        seen += 1
        guard blocks.count == Self.most else { return }
        blocks = blocks.indices.filter { $0.isMultiple(of: 2) }.map { blocks[$0] }
        stride *= 2
    }
}

extension MotionBlocks.Block {
    private static let quarters = 4

    fileprivate init(_ times: [Double], _ vectors: [SIMD3<Double>]) {
        let count = Double(vectors.count)
        let magnitudes = vectors.map(\.length)
        mean = vectors.reduce(.zero, +) / count
        magnitude = magnitudes.reduce(0, +) / count
        (least, greatest) = (magnitudes.min() ?? 0, magnitudes.max() ?? 0)
        magnitudeVariance = magnitudes.reduce(0) { $0 + ($1 - magnitude) * ($1 - magnitude) } / count
        let duration = max(1, times[times.count - 1] - times[0] + 1e-9)
        var sums = [SIMD3<Double>](repeating: .zero, count: Self.quarters)
        var counts = [Double](repeating: 0, count: Self.quarters)
        for (time, vector) in zip(times, vectors) {
            let difference = vector - mean
            variance += (difference * difference).sum() / count
            let quarter = min(Self.quarters - 1, Int(clamping: (time - times[0]) * Double(Self.quarters) / duration))
            sums[quarter] += difference
            counts[quarter] += 1
        }
        for (sum, number) in zip(sums, counts) where number > 0 { slowVariance += (sum * sum).sum() / number / count }
        let changes = zip(vectors.dropFirst(), vectors).reduce(0) { sum, pair in
            let change = pair.0 - pair.1
            return sum + (change * change).sum()
        }
        jolt = changes / (count - 1) / 2
    }
}

extension SIMD3<Double> {
    var length: Double { (self * self).sum().squareRoot() }
}
