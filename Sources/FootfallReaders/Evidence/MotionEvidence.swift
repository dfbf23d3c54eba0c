package import Footfall

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The evidence in the values of three columns that they are acceleration with gravity, in one unit. A small network
/// weighs all measures at once. `Notebooks/sensor_check.py` trains it on recordings of accelerometers and on rates of
/// turn, magnetic fields, acceleration without gravity, gravity alone, angles and quaternions that are derived from
/// them.
struct MotionEvidence {
    /// The log-odds that the values are acceleration with gravity, at even prior odds.
    let logOdds: Float

    /// Weighs blocks in a unit; nil without a block.
    init?(_ blocks: [MotionBlocks.Block], in unit: AccelerationScale) {
        guard !blocks.isEmpty else { return nil }
        let scale = Double(unit.inG)
        let weighed = Self.network(Self.features(blocks, scale))
        logOdds =
            switch Self.rest(blocks, scale) {
            case .gravity: max(weighed, Self.certainOfRest)
            case .other: min(weighed, -Self.certainOfRest)
            case nil: weighed
            }
    }

    // MARK: Rest

    /// What a sensor measures that lies still.
    private enum Rest { case gravity, other }

    /// The log-odds of a sensor that lies still and measures 1 g, and the negative log-odds of one that does not. Of
    /// the derived excerpts of other sensors, 8 in 130,000 measure 1 g at rest.
    private static let certainOfRest: Float = 4
    /// The least share of still blocks, two ranges of the size of the mean, in g, and the least jolt as a share of the
    /// variance. Within the first range, the mean is gravity. Outside the second, the sensor is no accelerometer: in
    /// 5,837 still excerpts, the size is 0.87 to 1.09 g. The noise of a sensor is white; slow angles have less jolt.
    private static let (mostlyStill, gravity, nearGravity, whiteNoise) = (0.8, 0.9...1.1, 0.8...1.2, 0.25)

    /// What is measured at rest; nil where the sensor moves, and for slow changes about 1 g.
    private static func rest(_ blocks: [MotionBlocks.Block], _ scale: Double) -> Rest? {
        let still = blocks.filter { $0.variance.squareRoot() * scale < Self.still }
        guard Double(still.count) >= mostlyStill * Double(blocks.count) else { return nil }
        let sizes = still.map { $0.mean.length * scale }
        guard nearGravity.contains(sizes.median ?? 0) else { return .other }
        let isWhite =
            still.map(\.variance).max() ?? 0 < .tiny
            || still.map { $0.jolt / max($0.variance, .tiny) }.sorted().quantile(0.5) >= whiteNoise
        return isWhite && sizes.allSatisfy(gravity.contains) ? .gravity : nil
    }

    // MARK: Measures

    /// The least size in g of which a logarithm is taken; it replaces smaller ones.
    private static let smallest = 1e-3
    /// The largest standard deviation of a still block, in g.
    private static let still = 0.03
    /// One block in this many counts as one of the stillest.
    private static let stillest = 10

    /// Directions and sizes of the slow part, stillness, the range, and the share of slow changes.
    private static func features(_ blocks: [MotionBlocks.Block], _ scale: Double) -> [Float] {
        func size(_ value: Double) -> Double { log(max(value * scale, smallest)) }
        let widest = min(4, blocks.map(\.width).max() ?? 1)
        let wide = blocks.filter { $0.width >= widest }
        let sizes = wide.map { size($0.wideMean) }.sorted()
        let magnitudes = blocks.map { size($0.magnitude) }.sorted()
        let alignments = blocks.map { $0.mean.length / max($0.magnitude, .tiny) }.sorted()
        let wideAlignments = wide.map { $0.wideMean / max($0.wideMagnitude, .tiny) }.sorted()
        let turns = blocks.compactMap(\.turn).sorted()
        let deviations = blocks.map { $0.variance.squareRoot() }
        let logDeviations = deviations.map(size).sorted()
        let lengths = blocks.map { size($0.mean.length) }
        let order = blocks.indices.sorted { deviations[$0] < deviations[$1] }
        let rest = order.prefix(max(1, blocks.count / stillest)).map { lengths[$0] }.sorted().quantile(0.5)
        let stillLengths = zip(lengths, deviations).compactMap { $1 * scale < still ? $0 : nil }
        let mean = blocks.reduce(SIMD3<Double>.zero) { $0 + $1.mean } / Double(blocks.count)
        let meanMagnitude = blocks.reduce(0) { $0 + $1.magnitude } / Double(blocks.count)
        let variance = blocks.map(\.variance).median ?? 0
        let least = blocks.map { size($0.least) }.sorted()
        let greatest = blocks.map { size($0.greatest) }.sorted()
        return [
            magnitudes.quantile(0.5), sizes.quantile(0.5), sizes.quantile(0.1), sizes.quantile(0.9),
            alignments.quantile(0.5), alignments.quantile(0.1), wideAlignments.quantile(0.5),
            mean.length / max(meanMagnitude, .tiny),
            turns.isEmpty ? 1 : turns.quantile(0.5), turns.isEmpty ? 1 : turns.quantile(0.1),
            logDeviations.quantile(0.5), logDeviations.quantile(0.1), logDeviations.quantile(0.9),
            Double(stillLengths.count) / Double(blocks.count), rest, abs(rest), stillLengths.deviation,
            log(
                ((blocks.map(\.magnitudeVariance).median ?? 0) / max(variance, .tiny)).squareRoot() + smallest),
            blocks.map { $0.slowVariance / max($0.variance, .tiny) }.sorted().quantile(0.5),
            log(blocks.map { $0.jolt / max($0.variance, .tiny) }.sorted().quantile(0.5) + 1e-4),
            least.quantile(0.5), least.quantile(0.1), greatest.quantile(0.5), greatest.quantile(0.9),
            sizes.deviation, log(Double(blocks.count)),
        ].map(Float.init) + balance(blocks, scale).map(Float.init)
    }

    /// The blocks over which a body ends at about the speed that it had before.
    private static let long = 8
    /// The largest |a| of a block without a wrong value, in g.
    private static let largestSane = 24.0

    /// Means over seconds. A body keeps its speed over them, so the mean vector is about gravity, and the mean of |a|
    /// is hardly less than 1 g.
    private static func balance(_ blocks: [MotionBlocks.Block], _ scale: Double) -> [Double] {
        func size(_ value: Double) -> Double { log(max(value, smallest)) }
        let sane = blocks.filter { $0.greatest * scale < largestSane }
        let blocks = sane.isEmpty ? blocks : sane
        let (count, width) = (Double(blocks.count), min(long, blocks.count))
        let windows = (0...blocks.count - width).map { blocks[$0..<($0 + width)] }
        let magnitudes = windows.map { $0.reduce(0) { $0 + $1.magnitude } / Double(width) * scale }
        let lengths = windows.map { ($0.reduce(.zero) { $0 + $1.mean } / Double(width)).length * scale }
        let magnitude = blocks.reduce(0) { $0 + $1.magnitude } / count * scale
        let squares = blocks.reduce(0) { $0 + $1.magnitude * $1.magnitude + $1.magnitudeVariance }
        let square = squares / count * scale * scale
        let mean = blocks.reduce(SIMD3<Double>.zero) { $0 + $1.mean } / count
        return [
            size(magnitude), size(square.squareRoot()),
            size(magnitudes.min() ?? 0), size(magnitudes.max() ?? 0),
            size(lengths.min() ?? 0), size(lengths.max() ?? 0),
            size(mean.length * scale), size(max(square - magnitude * magnitude, 0).squareRoot()),
            (square < 1 ? -1 : 1) * abs(square - 1).squareRoot(),
        ]
    }

    // MARK: Reasons

    /// The spread of |a| over its median, below which the sensor has no noise; 0.0045 in the recordings.
    private static let noNoise = 0.002
    /// The ratio of long to short mean vectors at rest; more than the offsets of the axes explain.
    private static let mostUneven = 1.25

    private static func text(_ value: Double) -> String { GravityCheck.text(Float(value)) }

    /// The most unusual property of the values, in one clause.
    func oddity(_ blocks: [MotionBlocks.Block], in unit: AccelerationScale) -> String {
        let scale = Double(unit.inG)
        let widths = blocks.map { $0.wideMean * scale }.sorted()
        let size = widths.quantile(0.5)
        let alignment = blocks.map { $0.mean.length / max($0.magnitude, .tiny) }.sorted().quantile(0.5)
        let isQuiet = blocks.map { $0.variance.squareRoot() * scale }.sorted().quantile(0.5) < Self.still
        let rest = blocks.filter { $0.variance.squareRoot() * scale < Self.still }.map { $0.mean.length }.sorted()
        if rest.count >= 4, rest.quantile(0.9) > Self.mostUneven * rest.quantile(0.1) {
            let (least, most) = (Self.text(rest.quantile(0.1) * scale), Self.text(rest.quantile(0.9) * scale))
            return "the magnitude at rest changes from \(least) to \(most) g when the sensor turns"
        }
        if isQuiet || size > 1.4 { return "the mean over seconds is \(Self.text(size)) g, and gravity is 1 g" }
        if alignment < 0.5 { return "the mean vector of a second is only \(Self.text(alignment)) of the mean |a|" }
        if size < 0.7 { return "the mean over seconds is \(Self.text(size)) g, and gravity is 1 g" }
        let (least, most) = (Self.text(widths.quantile(0.1)), Self.text(widths.quantile(0.9)))
        return "the mean over seconds is \(least) to \(most) g, and gravity stays 1 g"
    }

    /// The log-odds as a score, beside the least with which columns are read.
    func text(least: Float) -> String {
        "the score of the values is \(GravityCheck.text(logOdds)), and \(least) or more is needed"
    }

    /// A direction that changes while the magnitude never does, as in gravity that a phone computes; nil without it.
    static func signOfGravityAlone(_ blocks: [MotionBlocks.Block]) -> String? {
        let lengths = blocks.flatMap { [$0.least, $0.greatest] }.sorted()
        let first = blocks.first?.mean ?? .zero
        let change = blocks.map { ($0.mean - first).length }.max() ?? 0
        let spread = (lengths.last ?? 0) - (lengths.first ?? 0)
        let least = noNoise * lengths.quantile(0.5)
        guard spread < least, change > 10 * max(spread, least / 2) else { return nil }
        return "a magnitude that stays \(text(lengths[0])) while the direction changes by \(text(change))"
    }

    // MARK: Network

    private static func network(_ features: [Float]) -> Float {
        let (lowest, highest, mean, scale) = (weights[0], weights[1], weights[2], weights[3])
        let factors = weights[4]
        var hidden = weights[5]
        let count = hidden.count
        for (index, value) in features.enumerated() {
            // Beyond the training data a measure is no more evidence than at its edge.
            let cut = min(max(value, lowest[index]), highest[index])
            let input = (cut - mean[index]) / scale[index]
            for unit in 0..<count { hidden[unit] += input * factors[index * count + unit] }
        }
        return zip(hidden, weights[6]).reduce(weights[7][0]) { $0 + tanh($1.0) * $1.1 }
    }

    /// The least and the greatest value of each measure in the training data, their means and standard deviations; the
    /// weights of the units, a row for each measure, and the bias of each unit; the weight of each unit in the
    /// log-odds, and their bias.
    private static let weights = NetworkWeights(
        PackageResources.motion_evidence_weights, version: 1,
        sizes: [35, 35, 35, 35, 35 * 128, 128, 128, 1])
}

extension Double {
    /// Divisors are at least this.
    fileprivate static let tiny = 1e-18
}

extension [Double] {
    /// A quantile of sorted values.
    fileprivate func quantile(_ share: Double) -> Double {
        isEmpty ? 0 : self[Int(clamping: (share * Double(count - 1)).rounded(.toNearestOrEven))]
    }
    fileprivate var deviation: Double {
        guard count > 1 else { return 0 }
        let mean = reduce(0, +) / Double(count)
        return (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
    }
}

/// Statistics of three columns over blocks of a second: what distinguishes acceleration with gravity from other
/// sensors. The samples are not stored. A log of any length leaves at most ``most`` blocks.
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
