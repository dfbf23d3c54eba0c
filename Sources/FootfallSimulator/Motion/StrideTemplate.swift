/// The motion of the device during one stride (two steps), as a table over the phase.
///
/// The initial contact of the near foot is at phase 0, that of the far foot at 0.5. The acceleration follows
/// ``Placement/delayAfterContact`` later. Shapes and sizes are modelled on recordings with known steps: of watches, and
/// of phones in pockets, in hands and on the trunk.
struct StrideTemplate: Sendable {
    /// Forward, left, up in g, and the swing in turns.
    private var table: [SIMD4<Float>]
    /// Additional wobble: root mean square in g on each axis.
    let wobble: Float
    private static let size = 256
    /// The averaging time of a sensor, as a share of the sample period.
    private static let averagingShare = 0.8
    /// The spread of the strength between wearers. For 28 walkers with wrist sensors, 80 % lie within 40 % of the
    /// median, corrected for cadence. Runners vary less, because every style has to carry the weight of the body.
    private static let walkingSpread: Float = 0.35
    private static let runningSpread: Float = 0.12

    /// The values at `phase` in strides, 0..<1.
    @inline(__always)
    func values(at phase: Float) -> SIMD4<Float> {
        let position = phase * Float(StrideTemplate.size)
        let index = Int(position)
        let fraction = position - Float(index)
        let low = table[index & (StrideTemplate.size - 1)]
        let high = table[(index + 1) & (StrideTemplate.size - 1)]
        return low + fraction * (high - low)
    }

    /// Creates the table of a periodic function of the phase in strides.
    ///
    /// - Parameter smoothing: The averaging time of the sensor in strides: a low-pass at half the sample rate.
    private init(smoothing: Double, wobble: Float, _ shape: (Float) -> SIMD4<Float>) {
        self.wobble = wobble
        let size = StrideTemplate.size
        let raw = (0..<size).map { shape(Float($0) / Float(size)) }
        let reach = min(Int(smoothing * Double(size) / 2), size / 2)
        let mean = raw.reduce(SIMD4<Float>.zero, +) / Float(size)
        table = (0..<size).map { center in
            var sum = SIMD4<Float>.zero
            for offset in -reach...reach { sum += raw[(center + offset + size) % size] }
            return sum / Float(2 * reach + 1) - mean
        }
    }

    /// The template of a walk.
    static func walking(_ placement: Placement, gait: Gait, seed: UInt64, sampleRate: Double) -> StrideTemplate {
        let shape = WalkShape(placement)
        let strideRate = gait.cadence / 120
        let pace = Float(gait.cadence / WalkShape.referenceCadence)
        // Forces grow with the square of the step rate.
        let size = pace * pace * personalSize(seed: seed, spread: walkingSpread)
        let delay = Float(placement.delayAfterContact * strideRate)
        let swing = shape.swing * (placement == .wrist ? Float(gait.armSwing) : 1)
        return StrideTemplate(smoothing: averagingShare * strideRate / sampleRate, wobble: shape.wobble * size) {
            phase in
            let late = phase - delay
            let up = shape.up.value(at: late) + shape.impact(at: late, strideRate: Float(strideRate))
            let forward = shape.forward.value(at: late)
            let left = shape.left.value(at: late)
            return SIMD4(forward * size, left * size, up * size, swing * cosine(turns: late))
        }
    }

    /// The template of a run.
    static func running(_ placement: Placement, gait: Gait, seed: UInt64, sampleRate: Double) -> StrideTemplate {
        let shape = RunShape(placement)
        let strideRate = gait.cadence / 120
        let size = personalSize(seed: seed, spread: runningSpread)
        let swing = shape.swing * (placement == .wrist ? Float(gait.armSwing) : 1)
        return StrideTemplate(smoothing: averagingShare * strideRate / sampleRate, wobble: shape.wobble * size) {
            phase in
            let up = shape.up(at: phase) * size
            let forward = shape.forward.value(at: phase) * size
            let left = shape.left.value(at: phase) * size
            return SIMD4(forward, left, up, swing * cosine(turns: phase))
        }
    }

    /// The strength of the steps of this wearer, relative to others at the same cadence.
    private static func personalSize(seed: UInt64, spread: Float) -> Float {
        var random = SplitMix64(seed: seed, .person)
        return 1 + spread * random.uniform(Float(-1)...1)
    }
}
