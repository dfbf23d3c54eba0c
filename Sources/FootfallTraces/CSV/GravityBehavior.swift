internal import Footfall
internal import FootfallWire

/// Tests whether three columns behave as acceleration with gravity over seconds, where no title states the accelerometer.
///
/// The mean vector of two seconds is gravity, nearly: a wearer cannot accelerate in one direction for long. Its length is the same in
/// every direction. The mean rate of turn and the mean acceleration without gravity are small, or change.
///
/// The bounds come from 764 recordings of accelerometers at wrists, in pockets and in vehicles, all of which pass. Of the rates of turn and
/// the accelerations without gravity that were computed from them, fewer than 1 in 500 pass.
struct GravityBehavior {
    /// The mean vectors of two seconds, in g.
    private var means: [SIMD3<Float>] = []
    /// The length of each mean vector over the mean of |a|: 1 at rest.
    private var alignments: [Float] = []
    /// Sorted.
    private let magnitudes: [Float]
    /// The distances of the vectors from the first one, sorted.
    private let changes: [Float]

    /// The length of a block, in seconds, and its fewest rows.
    private static let (block, fewest) = (2.0, 8)
    /// The median length of the mean vectors in g: 0.57 (dribbling a ball) to 1.63 (running) in the recordings.
    private static let usualMean: ClosedRange<Float> = 0.55...1.65
    /// The shortest median of mean vectors of a quiet sensor, in g, and its alignment. In the recordings 0.85.
    private static let (quietMean, quiet): (Float, Float) = (0.8, 0.85)
    /// The median alignment; 0.36 in the recordings.
    private static let leastAlignment: Float = 0.35
    /// An alignment that only hard exercise goes below. Then the median of |a| is at most 2.0 g in the recordings, at most 0.4 of the mean
    /// vectors vary, and four blocks or more show it.
    private static let (exercise, mostInExercise, mostVariedInExercise): (Float, Float, Float) = (0.6, 2.05, 0.45)
    /// The share of mean vectors that are 20 % longer or shorter than their median; 0.79 in the recordings.
    private static let mostVaried: Float = 0.85
    /// The lower quartile of the cosine between one mean vector and the next; 0.31 in the recordings.
    private static let leastContinuity: Float = 0.25
    /// The fewest blocks that show how the mean vector varies.
    private static let fewestBlocks = 4
    /// The alignment of a block at rest.
    private static let restAlignment: Float = 0.995
    /// The ratio of long to short mean vectors at rest; 1.42 in the recordings, from the offsets of the axes.
    private static let mostUneven: Float = 1.6
    /// The spread of |a| over its median, below which the sensor has no noise; 0.0045 in the recordings.
    private static let noNoise: Float = 0.002
    /// The change of the vector, in g and per spread of |a|, that a sensor without noise cannot hide: half a degree.
    private static let (leastChange, changePerSpread): (Float, Float) = (0.009, 10)

    /// Collects blocks of two seconds, or one block of a shorter signal; nil for fewer rows than ``GravityCheck/block``.
    init?(times: [Timestamp?], vectors: [SIMD3<Float>?], _ scale: AccelerationScale) {
        let samples = zip(times, vectors).compactMap { time, vector in
            time.flatMap { time in vector.map { (time: time, vector: $0 * scale.inG) } }
        }.filter { PlausibleAcceleration.contains($0.vector) }
        guard let first = samples.first, let last = samples.last else { return nil }
        let interval = last.time.seconds(since: first.time) / Double(samples.count - 1)
        guard interval > 0, interval < 1 else { return nil }
        guard samples.count >= GravityCheck.block else { return nil }
        let length = min(samples.count, max(Self.fewest, Int((Self.block / interval).rounded())))
        magnitudes = samples.map { $0.vector.length }.sorted()
        changes = samples.map { ($0.vector - first.vector).length }.sorted()
        for start in stride(from: 0, through: samples.count - length, by: length) {
            let vectors = samples[start..<start + length].map(\.vector)
            let mean = vectors.reduce(.zero, +) / Float(length)
            means.append(mean)
            alignments.append(
                mean.length / max(vectors.reduce(0) { $0 + $1.length } / Float(length), .leastNormalMagnitude))
        }
    }

    /// The refusal of columns that are no acceleration with gravity; nil if they may be.
    var refusal: Refusal? {
        if isGravityAlone { return Refusal(.gravity, "a magnitude that stays while the direction changes") }
        return problem.map {
            Refusal(
                "acceleration without gravity, or another sensor (\($0))",
                remedy: "choose the file of the accelerometer; if the columns hold acceleration with gravity, "
                    + "name them with --columns")
        }
    }

    /// The reason, in one clause.
    private var problem: String? {
        let lengths = means.map(\.length)
        let (typical, alignment) = (lengths.median, alignments.median)
        let least = alignment > Self.quiet ? Self.quietMean : Self.usualMean.lowerBound
        guard (least...Self.usualMean.upperBound).contains(typical) else {
            return "the mean over 2 s is \(GravityCheck.text(typical)) g, and gravity is 1 g"
        }
        let varied = Float(lengths.count { abs($0 - typical) >= typical * 0.2 }) / Float(lengths.count)
        let isExercise = alignment < Self.exercise
        if alignment < Self.leastAlignment
            || isExercise && (means.count < Self.fewestBlocks || magnitudes.median > Self.mostInExercise)
        {
            return "the values have no steady direction over 2 s"
        }
        if varied > (isExercise ? Self.mostVariedInExercise : Self.mostVaried) {
            return "the size of the mean over 2 s changes, and that of gravity does not"
        }
        if means.count >= Self.fewestBlocks, continuity < Self.leastContinuity {
            return "the direction of the mean over 2 s changes at once, and that of gravity does not"
        }
        let atRest = zip(lengths, alignments).compactMap { $1 > Self.restAlignment ? $0 : nil }.sorted()
        if atRest.count >= Self.fewestBlocks, atRest.quantile(0.9) > Self.mostUneven * atRest.quantile(0.1) {
            return "the magnitude at rest changes when the sensor turns"
        }
        return nil
    }

    /// The lower quartile of the cosine between one mean vector and the next.
    private var continuity: Float {
        zip(means, means.dropFirst()).map { ($0 * $1).sum() / max($0.length * $1.length, .leastNormalMagnitude) }
            .sorted()
            .quantile(0.25)
    }

    /// Whether the direction changes but the magnitude never does, as in gravity that a phone computes.
    private var isGravityAlone: Bool {
        let spread = magnitudes.quantile(0.99) - magnitudes.quantile(0.01)
        return spread < Self.noNoise * magnitudes.median
            && changes.quantile(0.99) > max(Self.leastChange, Self.changePerSpread * spread)
    }
}

extension SIMD3<Float> {
    fileprivate var length: Float { (self * self).sum().squareRoot() }
}

extension [Float] {
    fileprivate var median: Float { sorted().quantile(0.5) }
    /// A quantile of sorted values.
    fileprivate func quantile(_ share: Float) -> Float {
        isEmpty ? 0 : self[Int((share * Float(count - 1)).rounded())]
    }
}
