/// Amplitudes in g at multiples of the stride rate, with the phase at which each is largest.
struct Harmonics: Sendable {
    /// Amplitude in g of the stride, the step, and so on: entry n − 1 belongs to n times the stride rate.
    var amplitudes: [Float]
    /// Where each is largest, in its own turns after the strike.
    var peaks: [Float]

    /// The sum at `phase` in strides.
    func value(at phase: Float) -> Float {
        var sum: Float = 0
        for index in amplitudes.indices {
            sum += amplitudes[index] * cosine(turns: Float(index + 1) * phase - peaks[index])
        }
        return sum
    }
}

/// What a walking stride looks like at a placement, at the reference cadence.
///
/// Sizes after the medians over recordings at about 105 steps a minute: |a| at step rate 0.25 g on the wrist,
/// 0.25–0.4 g in pockets and on the trunk; at stride rate 0.11, 0.05 and 0.03 g; at twice the step rate 0.05–0.12 g.
struct WalkShape: Sendable {
    /// Vertical, forward and lateral acceleration.
    var up: Harmonics
    var forward: Harmonics
    var left: Harmonics
    /// The swing of arm, thigh or trunk, once per stride, to either side, in turns.
    var swing: Float
    /// How hard the near and the far foot's strikes hit, in g.
    var joltSizes: (near: Float, far: Float)
    /// How much cloth, strap and tissue let the device wobble, root mean square in g on each axis.
    var wobble: Float

    /// The cadence to which the sizes belong, in steps per minute.
    static let referenceCadence = 105.0
    /// How long a jolt lasts, in seconds; soft tissue makes of it what is left of the heel's transient.
    private static let joltLength: Float = 0.08

    init(_ placement: Placement) {
        switch placement {
        case .wrist:
            up = Harmonics(amplitudes: [0.09, 0.22, 0.05, 0.07, 0.02, 0.03], peaks: [0.1, 0, 0.2, 0, 0, 0])
            forward = Harmonics(amplitudes: [0.10, 0.10, 0.06, 0.04], peaks: [0.25, 0.2, 0, 0.3])
            left = Harmonics(amplitudes: [0.07, 0.06, 0.03, 0.03], peaks: [0.4, 0.1, 0.3, 0])
            swing = .degrees(14)
            joltSizes = (0.18, 0.14)
            wobble = 0.05
        case .pocket:
            up = Harmonics(amplitudes: [0.03, 0.26, 0.09, 0.09, 0.03, 0.05], peaks: [0.1, 0, 0.1, 0.05, 0, 0])
            forward = Harmonics(amplitudes: [0.08, 0.13, 0.12, 0.09], peaks: [0.3, 0.7, 0.1, 0.3])
            left = Harmonics(amplitudes: [0.08, 0.05, 0.05, 0.04], peaks: [0.25, 0.4, 0.2, 0])
            swing = .degrees(11)
            joltSizes = (0.45, 0.2)
            wobble = 0.075
        case .hip:
            up = Harmonics(amplitudes: [0.02, 0.32, 0.02, 0.07, 0.01, 0.04], peaks: [0.1, 0, 0, 0, 0, 0])
            forward = Harmonics(amplitudes: [0.02, 0.14, 0.01, 0.06], peaks: [0, 0.7, 0, 0.2])
            left = Harmonics(amplitudes: [0.09, 0.02, 0.05, 0.01], peaks: [0.25, 0, 0.25, 0])
            swing = .degrees(2)
            joltSizes = (0.2, 0.17)
            wobble = 0.03
        }
    }

    /// The jolts of both strikes at `phase` in strides.
    func jolt(at phase: Float, strideRate: Float) -> Float {
        let halfLength = WalkShape.joltLength / 2 * strideRate
        return joltSizes.near * bump(phase, at: 0, halfLength: halfLength)
            + joltSizes.far * bump(phase, at: 0.5, halfLength: halfLength)
    }
}

/// What a running stride looks like at a placement.
///
/// On the ground a runner's vertical force is close to half a sine, in the air it is nothing (R. M. Alexander, 1984),
/// so the trunk feels |a| from 0 in flight to more than 2 g in the middle of the stance; the mean over a step is the
/// body's weight. The strike itself adds a short jolt some 30 ms after contact (P. R. Cavanagh, M. A. Lafortune, J.
/// Biomech. 13, 1980).
struct RunShape: Sendable {
    var forward: Harmonics
    var left: Harmonics
    /// The swing of arm, thigh or trunk, once per stride, to either side, in turns.
    var swing: Float
    /// How much cloth, strap and tissue let the device wobble, root mean square in g on each axis.
    var wobble: Float
    private var joltSizes: (near: Float, far: Float)

    /// The share of a step during which the foot is on the ground, at an easy run.
    private static let groundShare: Float = 0.68
    /// Where the strike's jolt peaks and its half length, in strides: 30 and 25 ms at 166 steps a minute.
    private static let joltPeak: Float = 0.042
    private static let joltHalfLength: Float = 0.035

    init(_ placement: Placement) {
        switch placement {
        case .wrist:
            forward = Harmonics(amplitudes: [0.85, 0.5, 0.1, 0.15], peaks: [0.3, 0.6, 0, 0.2])
            left = Harmonics(amplitudes: [0.35, 0.3, 0.1, 0.1], peaks: [0.1, 0.2, 0.3, 0])
            swing = .degrees(28)
            joltSizes = (0.7, 0.6)
            wobble = 0.13
        case .pocket:
            forward = Harmonics(amplitudes: [0.4, 0.35, 0.2, 0.1], peaks: [0.3, 0.6, 0, 0.2])
            left = Harmonics(amplitudes: [0.2, 0.15, 0.1, 0.1], peaks: [0.2, 0.5, 0.3, 0])
            swing = .degrees(20)
            joltSizes = (1.2, 0.6)
            wobble = 0.15
        case .hip:
            forward = Harmonics(amplitudes: [0.03, 0.3, 0.02, 0.1], peaks: [0, 0.6, 0, 0.2])
            left = Harmonics(amplitudes: [0.2, 0.04, 0.1, 0.02], peaks: [0.2, 0, 0.2, 0])
            swing = .degrees(3)
            joltSizes = (0.8, 0.7)
            wobble = 0.08
        }
    }

    /// Vertical acceleration without gravity in g at `phase` in strides, up to a constant.
    func up(at phase: Float) -> Float {
        let step = phase < 0.5 ? 2 * phase : 2 * phase - 1
        let share = RunShape.groundShare
        let force = step < share ? .pi / (2 * share) * sine(turns: step / share / 2) : 0
        let jolt =
            joltSizes.near * bump(phase, at: RunShape.joltPeak, halfLength: RunShape.joltHalfLength)
            + joltSizes.far * bump(phase, at: RunShape.joltPeak + 0.5, halfLength: RunShape.joltHalfLength)
        return force - 1 + jolt
    }
}

/// A raised cosine of height 1 around a phase; phases repeat every 1.
private func bump(_ phase: Float, at center: Float, halfLength: Float) -> Float {
    let distance = phase - center
    let nearest = abs(distance - distance.rounded())
    return nearest < halfLength ? 0.5 + 0.5 * cosine(turns: nearest / halfLength / 2) : 0
}
