internal import Footfall
internal import FootfallWire

/// Tests whether three columns behave as acceleration with gravity over seconds, where no title states the accelerometer.
///
/// The mean vector of two seconds is gravity, nearly: a wearer cannot accelerate in one direction for long. Its size stays, whatever
/// the direction. The mean rate of turn and the mean acceleration without gravity are small, or change.
///
/// The bounds come from 764 recordings of accelerometers at wrists, in pockets and in vehicles. They pass, and of the rates of turn and
/// the accelerations without gravity that follow from them, 99 % fail.
struct GravityBehavior {
    /// The mean vectors of two seconds, in g.
    private var means: [SIMD3<Float>] = []
    /// The length of each mean vector over the mean of |a|: 1 at rest.
    private var alignments: [Float] = []
    /// Sorted.
    private let magnitudes: [Float]

    /// The length of a block, in seconds, and its fewest rows.
    private static let (block, fewest) = (2.0, 8)
    /// The median length of the mean vectors in g. In the recordings, 0.57 (dribbling a ball) to 1.63 (running).
    private static let usualMean: ClosedRange<Float> = 0.55...1.65
    /// The median alignment; 0.36 in the recordings.
    private static let leastAlignment: Float = 0.35
    /// The share of mean vectors that are 20 % longer or shorter than their median; 0.79 in the recordings.
    private static let mostVaried: Float = 0.85
    /// The alignment of a block at rest, and its length in g: 0.90 to 1.32 in the recordings.
    private static let (restAlignment, rest): (Float, ClosedRange<Float>) = (0.995, 0.8...1.35)
    /// The ratio of long to short mean vectors at rest; 1.42 in the recordings, from the offsets of the axes.
    private static let mostUneven: Float = 1.6
    /// The spread of |a| over its median, below which the sensor has no noise; 0.0045 in the recordings.
    private static let noNoise: Float = 0.002
    /// The cosine of a turn of 5 degrees.
    private static let turn: Float = 0.9962

    /// Collects blocks of two seconds; nil for a shorter signal.
    init?(times: [Timestamp?], vectors: [SIMD3<Float>?], _ scale: AccelerationScale) {
        let samples = zip(times, vectors).compactMap { time, vector in
            time.flatMap { time in vector.map { (time: time, vector: $0 * scale.inG) } }
        }.filter { PlausibleAcceleration.contains($0.vector) }
        guard let first = samples.first, let last = samples.last else { return nil }
        let interval = last.time.seconds(since: first.time) / Double(samples.count - 1)
        guard interval > 0, interval < 1 else { return nil }
        let length = max(Self.fewest, Int((Self.block / interval).rounded()))
        guard samples.count >= max(length, GravityCheck.block) else { return nil }
        magnitudes = samples.map { $0.vector.length }.sorted()
        for start in stride(from: 0, through: samples.count - length, by: length) {
            let vectors = samples[start..<start + length].map(\.vector)
            let mean = vectors.reduce(.zero, +) / Float(length)
            means.append(mean)
            alignments.append(
                mean.length / max(vectors.reduce(0) { $0 + $1.length } / Float(length), .leastNormalMagnitude))
        }
    }

    /// The refusal of columns that are no acceleration with gravity; nil where they may be.
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
        let typical = lengths.median
        guard Self.usualMean.contains(typical) else {
            return "the mean over 2 s is \(GravityCheck.text(typical)) g, and gravity is 1 g"
        }
        if alignments.median < Self.leastAlignment { return "the values have no steady direction over 2 s" }
        let varied = lengths.count { abs($0 - typical) >= typical * 0.2 }
        if Float(varied) > Self.mostVaried * Float(lengths.count) {
            return "the size of the mean over 2 s changes, and that of gravity does not"
        }
        let atRest = zip(lengths, alignments).compactMap { $1 > Self.restAlignment ? $0 : nil }.sorted()
        if atRest.count >= 2, !Self.rest.contains(atRest.median) {
            return "the magnitude at rest is \(GravityCheck.text(atRest.median)) g"
        }
        if atRest.count >= 4, atRest.quantile(0.9) > Self.mostUneven * atRest.quantile(0.1) {
            return "the magnitude at rest changes when the sensor turns"
        }
        return nil
    }

    /// Whether the direction changes but the magnitude never does, as in gravity that a phone computes.
    private var isGravityAlone: Bool {
        guard magnitudes.quantile(0.99) - magnitudes.quantile(0.01) < Self.noNoise * magnitudes.median,
            let first = means.first
        else { return false }
        return means.contains { ($0 * first).sum() < Self.turn * $0.length * first.length }
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
