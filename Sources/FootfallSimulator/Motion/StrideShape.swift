/// A periodic acceleration as a sum of cosines at multiples of the stride rate.
struct Harmonics: Sendable {
    /// Amplitudes in g; entry n − 1 belongs to n times the stride rate.
    var amplitudes: [Float]
    /// The phase of each maximum after the initial contact, in turns of that cosine.
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

/// The acceleration of a stride at a placement.
struct StrideShape: Sendable {
    /// Forward and lateral acceleration.
    var forward: Harmonics
    var left: Harmonics
    /// Vertical acceleration without impacts; nil for a runner, whose stance determines it.
    var up: Harmonics?
    /// The amplitude of the swing of arm, thigh or trunk, once per stride, in turns.
    var swing: Float
    /// The impact of the near and the far foot, in g.
    var impactSizes: (near: Float, far: Float)
    /// The wobble from cloth, strap and tissue: root mean square in g on each axis.
    var wobble: Float

    /// The cadence of the sizes of a walk, in steps per minute.
    static let walkingCadence = 105.0
    /// The duration of an impact of a walker in seconds, after damping by soft tissue.
    private static let impactDuration: Float = 0.08
    /// The share of the stance in a step of an easy run.
    private static let groundShare: Float = 0.68
    /// The peak of the impact of a runner and half its duration, in strides: 30 and 25 ms at 166 steps a minute.
    private static let runningImpactPeak: Float = 0.042
    private static let runningImpactHalfLength: Float = 0.035

    /// Vertical acceleration without gravity in g at `phase` in strides, up to a constant.
    func up(at phase: Float, strideRate: Float) -> Float {
        let smooth = up?.value(at: phase) ?? StrideShape.stanceForce(at: phase) - 1
        let peak = up == nil ? StrideShape.runningImpactPeak : 0
        let halfLength =
            up == nil ? StrideShape.runningImpactHalfLength : StrideShape.impactDuration / 2 * strideRate
        let impact =
            impactSizes.near * bump(phase, at: peak, halfLength: halfLength)
            + impactSizes.far * bump(phase, at: peak + 0.5, halfLength: halfLength)
        return smooth + impact
    }

    /// The force on a runner at the trunk in g: half a sine during the stance, 0 in flight.
    private static func stanceForce(at phase: Float) -> Float {
        let step = phase < 0.5 ? 2 * phase : 2 * phase - 1
        return step < groundShare ? .pi / (2 * groundShare) * sine(turns: step / groundShare / 2) : 0
    }

    /// A walking stride at the reference cadence.
    ///
    /// The sizes follow medians over recordings at about 105 steps a minute. The magnitude at the step rate is 0.25 g
    /// on the wrist and 0.25–0.4 g in pockets and on the trunk. At the stride rate it is 0.11, 0.05 and 0.03 g, at
    /// twice the step rate 0.05–0.12 g.
    static func walking(_ placement: Placement) -> StrideShape {
        switch placement {
        case .wrist:
            StrideShape(
                forward: Harmonics(amplitudes: [0.10, 0.10, 0.06, 0.04], peaks: [0.25, 0.2, 0, 0.3]),
                left: Harmonics(amplitudes: [0.07, 0.06, 0.03, 0.03], peaks: [0.4, 0.1, 0.3, 0]),
                up: Harmonics(amplitudes: [0.09, 0.22, 0.05, 0.07, 0.02, 0.03], peaks: [0.1, 0, 0.2, 0, 0, 0]),
                swing: .degrees(14), impactSizes: (0.18, 0.14), wobble: 0.05)
        case .pocket:
            StrideShape(
                forward: Harmonics(amplitudes: [0.08, 0.13, 0.12, 0.09], peaks: [0.3, 0.7, 0.1, 0.3]),
                left: Harmonics(amplitudes: [0.08, 0.05, 0.05, 0.04], peaks: [0.25, 0.4, 0.2, 0]),
                up: Harmonics(amplitudes: [0.03, 0.26, 0.09, 0.09, 0.03, 0.05], peaks: [0.1, 0, 0.1, 0.05, 0, 0]),
                swing: .degrees(11), impactSizes: (0.45, 0.2), wobble: 0.075)
        case .hip:
            StrideShape(
                forward: Harmonics(amplitudes: [0.02, 0.14, 0.01, 0.06], peaks: [0, 0.7, 0, 0.2]),
                left: Harmonics(amplitudes: [0.09, 0.02, 0.05, 0.01], peaks: [0.25, 0, 0.25, 0]),
                up: Harmonics(amplitudes: [0.02, 0.32, 0.02, 0.07, 0.01, 0.04], peaks: [0.1, 0, 0, 0, 0, 0]),
                swing: .degrees(2), impactSizes: (0.2, 0.17), wobble: 0.03)
        }
    }

    /// A running stride.
    ///
    /// The vertical force of a runner is close to half a sine during the stance and 0 in flight (R. M. Alexander,
    /// 1984). So the magnitude at the trunk goes from 0 in flight to more than 2 g at mid-stance; the mean over a step
    /// is 1 g. The initial contact adds a short impact about 30 ms later (P. R. Cavanagh, M. A. Lafortune, J. Biomech.
    /// 13, 1980).
    static func running(_ placement: Placement) -> StrideShape {
        switch placement {
        case .wrist:
            StrideShape(
                forward: Harmonics(amplitudes: [0.85, 0.5, 0.1, 0.15], peaks: [0.3, 0.6, 0, 0.2]),
                left: Harmonics(amplitudes: [0.35, 0.3, 0.1, 0.1], peaks: [0.1, 0.2, 0.3, 0]),
                swing: .degrees(28), impactSizes: (0.7, 0.6), wobble: 0.13)
        case .pocket:
            StrideShape(
                forward: Harmonics(amplitudes: [0.4, 0.35, 0.2, 0.1], peaks: [0.3, 0.6, 0, 0.2]),
                left: Harmonics(amplitudes: [0.2, 0.15, 0.1, 0.1], peaks: [0.2, 0.5, 0.3, 0]),
                swing: .degrees(20), impactSizes: (1.2, 0.6), wobble: 0.15)
        case .hip:
            StrideShape(
                forward: Harmonics(amplitudes: [0.03, 0.3, 0.02, 0.1], peaks: [0, 0.6, 0, 0.2]),
                left: Harmonics(amplitudes: [0.2, 0.04, 0.1, 0.02], peaks: [0.2, 0, 0.2, 0]),
                swing: .degrees(3), impactSizes: (0.8, 0.7), wobble: 0.08)
        }
    }
}

/// A raised cosine of height 1 around a phase, with period 1.
private func bump(_ phase: Float, at center: Float, halfLength: Float) -> Float {
    let distance = phase - center
    let nearest = abs(distance - distance.rounded())
    return nearest < halfLength ? 0.5 + 0.5 * cosine(turns: nearest / halfLength / 2) : 0
}
