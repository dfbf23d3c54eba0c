internal import Footfall

/// The motion of the device during one stride (two steps), as a table over the phase.
///
/// The initial contact of the near foot is at phase 0, that of the far foot at 0.5. The acceleration follows
/// ``Placement/delayAfterContact`` later. Shapes and sizes are modeled on recordings with known steps: of watches, and
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
        let index = Int(clamping: position)
        let fraction = position - Float(index)
        let low = table[index & (StrideTemplate.size - 1)]
        let high = table[(index + 1) & (StrideTemplate.size - 1)]
        return low + fraction * (high - low)
    }

    init(_ gait: Gait, isRun: Bool, placement: Placement, seed: UInt64, sampleRate: Double) {
        let shape = isRun ? StrideShape.running(placement) : .walking(placement)
        let strideRate = gait.cadence / 120
        var person = SplitMix64(seed: seed, .person)
        let spread = isRun ? StrideTemplate.runningSpread : StrideTemplate.walkingSpread
        // The forces of a walk grow with the square of the step rate.
        let pace = isRun ? 1 : Float(gait.cadence / StrideShape.walkingCadence)
        let size = pace * pace * (1 + spread * person.uniform(Float(-1)...1))
        let delay = isRun ? 0 : Float(placement.delayAfterContact * strideRate)
        let swing = shape.swing * (placement == .wrist ? Float(gait.armSwing) : 1)
        let count = StrideTemplate.size
        let raw = (0..<count).map { index in
            let phase = Float(index) / Float(count) - delay
            return SIMD4(
                shape.forward.value(at: phase) * size, shape.left.value(at: phase) * size,
                shape.up(at: phase, strideRate: Float(strideRate)) * size, swing * cosine(turns: phase))
        }
        // The sensor averages over part of its sample period: a low-pass at half the sample rate.
        let smoothing = StrideTemplate.averagingShare * strideRate / sampleRate
        let reach = min(Int(clamping: smoothing * Double(count) / 2), count / 2)
        let mean = raw.reduce(SIMD4<Float>.zero, +) / Float(count)
        table = (0..<count).map { center in
            var sum = SIMD4<Float>.zero
            for offset in -reach...reach { sum += raw[(center + offset + count) % count] }
            return sum / Float(2 * reach + 1) - mean
        }
        wobble = shape.wobble * size
    }
}
