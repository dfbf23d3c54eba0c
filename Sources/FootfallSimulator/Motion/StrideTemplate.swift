/// What one stride, two steps, does to the device: a table over the stride's phase.
///
/// The near foot strikes at phase 0, the far foot at 0.5; the device feels it ``Placement/delayAfterStrike`` later.
/// Shapes and sizes are modelled on recordings with known steps: of watches, and of phones in pockets, in hands and
/// on the trunk.
struct StrideTemplate: Sendable {
    /// Forward, left, up in g, and the swing in turns.
    private var table: [SIMD4<Float>]
    /// How much the device wobbles besides, root mean square in g on each axis.
    let wobble: Float
    private static let size = 256
    /// The share of a sample period over which a sensor averages.
    private static let averagingShare = 0.8
    /// How far wearers differ. Among the wrists of 28 walkers eight in ten lay within 40 % of the middle, cadence
    /// allowed for; a runner's weight has to be carried whatever the style, which leaves less room.
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
    /// - Parameter smoothing: The stretch of a stride over which a sensor averages: what lies above half its rate does
    ///   not get through.
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

    /// The table of a walk.
    static func walking(_ placement: Placement, gait: Gait, seed: UInt64, sampleRate: Double) -> StrideTemplate {
        let shape = WalkShape(placement)
        let strideRate = gait.cadence / 120
        let pace = Float(gait.cadence / WalkShape.referenceCadence)
        // Forces grow with the square of the rate at which a body moves up and down.
        let size = pace * pace * personalSize(seed: seed, spread: walkingSpread)
        let delay = Float(placement.delayAfterStrike * strideRate)
        let swing = shape.swing * (placement == .wrist ? Float(gait.armSwing) : 1)
        return StrideTemplate(smoothing: averagingShare * strideRate / sampleRate, wobble: shape.wobble * size) {
            phase in
            let late = phase - delay
            let up = shape.up.value(at: late) + shape.jolt(at: late, strideRate: Float(strideRate))
            let forward = shape.forward.value(at: late)
            let left = shape.left.value(at: late)
            return SIMD4(forward * size, left * size, up * size, swing * cosine(turns: late))
        }
    }

    /// The table of a run.
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

    /// How hard this wearer treads, relative to others at the same cadence.
    private static func personalSize(seed: UInt64, spread: Float) -> Float {
        var random = SplitMix64(seed: seed, .person)
        return 1 + spread * random.uniform(Float(-1)...1)
    }
}
