internal import Footfall

/// The motion of a walker or runner: the template of a stride, scaled to each step. Between two initial contacts the
/// phase and the strength change linearly. Before the first contact and after the last one the motion fades over one
/// step.
struct GaitMotion: MotionModel {
    private var timeline: GaitTimeline
    private let template: StrideTemplate
    private let period: Double
    private var last: GaitTimeline.Contact
    private var next: GaitTimeline.Contact
    private var isOver = false
    private var tissue: SmoothNoise
    private var posture: SmoothNoise

    /// The rate of the wobble of tissue, cloth and strap, in independent values per second.
    private static let tissueRate = 22.0
    /// The drift of the posture during gait: rate in independent values per second, and size in turns.
    private static let postureRate = 0.7
    private static let postureSize: Float = .degrees(3.5)

    init(timeline: GaitTimeline, template: StrideTemplate, gait: Gait, random: inout SplitMix64) {
        self.timeline = timeline
        self.template = template
        period = 60 / gait.cadence
        tissue = SmoothNoise(rate: GaitMotion.tissueRate, random: &random)
        posture = SmoothNoise(rate: GaitMotion.postureRate, random: &random)
        let none = GaitTimeline.Contact(time: .infinity, strength: 0, isNear: true)
        next = self.timeline.next() ?? none
        last = GaitTimeline.Contact(time: next.time - period, strength: 0, isNear: !next.isNear)
    }

    private mutating func moveOn() {
        last = next
        if let contact = timeline.next() {
            next = contact
        } else {
            let time = isOver ? .infinity : last.time + period
            next = GaitTimeline.Contact(time: time, strength: 0, isNear: !last.isNear)
            isOver = true
        }
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        while time >= next.time { moveOn() }
        guard time >= last.time, next.time < .infinity else { return BodyMotion() }
        let u = Float((time - last.time) / (next.time - last.time))
        let strength = last.strength + u * (next.strength - last.strength)
        let values = template.values(at: (last.isNear ? 0 : 0.5) + 0.5 * u)
        var acceleration = strength * (values + template.wobble * tissue.values(at: time))
        acceleration.w = 0
        var tilt = GaitMotion.postureSize * posture.values(at: time).lowHalf * strength
        // The swing of the arm hardly depends on the strength of the steps.
        tilt.x += values.w * min(strength, 1)
        return BodyMotion(acceleration: acceleration, tilt: tilt)
    }
}

/// The initial contacts of one scene of walking or running. Step intervals vary with a correlated and an independent
/// part (J. M. Hausdorff et al., J. Appl. Physiol. 80, 1996). The first steps are slower and softer, the last ones
/// softer. The contacts depend only on the gait, the duration and the seed, so the ground truth can be computed without
/// samples.
struct GaitTimeline: Sequence, IteratorProtocol {
    struct Contact {
        /// Seconds since the start of the scene.
        var time: Double
        /// The strength, relative to the usual one at this cadence.
        var strength: Float
        /// Whether it is the foot on the side of the device.
        var isNear: Bool
    }

    private let period: Double
    private let gait: Gait
    private let end: Double
    private var random: SplitMix64
    private var beat: Double
    private var isNear: Bool
    private var count = 0
    private var correlated: Float = 0

    /// The correlated part of the variation, as a share of the variance.
    private static let correlatedShare: Float = 0.5
    /// The correlation from one step to the next: a memory of about 20 steps.
    private static let persistence: Float = 0.95
    /// The standard deviation of the strength. On phones of people with foot switches, the amplitude of the magnitude
    /// varies by 11 to 30 % from step to step, including turns and uneven ground.
    private static let strengthVariation: Float = 0.12

    init(gait: Gait, duration: Double, random: SplitMix64) {
        self.random = random
        self.gait = gait
        period = 60 / gait.cadence
        end = duration - 0.6 * period
        beat = self.random.uniform(0.9...1.4) * period
        isNear = self.random.next() & 1 == 0
    }

    mutating func next() -> Contact? {
        let late = isNear ? 0 : gait.asymmetry * period
        let contact = Contact(time: beat + late, strength: strength(at: beat), isNear: isNear)
        guard contact.time <= end else { return nil }
        beat += timeToNextBeat()
        isNear.toggle()
        count += 1
        return contact
    }

    private mutating func timeToNextBeat() -> Double {
        let persistence = GaitTimeline.persistence
        correlated = persistence * correlated + (1 - persistence * persistence).squareRoot() * random.gaussian()
        let share = GaitTimeline.correlatedShare
        let scatter = share.squareRoot() * correlated + (1 - share).squareRoot() * random.gaussian()
        let startUp = count == 0 ? 1.15 : count == 1 ? 1.05 : 1
        return period * startUp * Swift.max(0.6, 1 + gait.variation * Double(scatter))
    }

    private mutating func strength(at time: Double) -> Float {
        let start: Float = count == 0 ? 0.55 : count == 1 ? 0.85 : 1
        let stepsLeft = Float((end - time) / period)
        let slowDown: Float = stepsLeft < 1 ? 0.6 : stepsLeft < 2 ? 0.85 : 1
        let scatter = Swift.max(0.5, 1 + GaitTimeline.strengthVariation * random.gaussian())
        return start * slowDown * scatter
    }
}

/// The motion of the device during one stride (two steps), as a table over the phase. The initial contact of the near
/// foot is at phase 0, that of the far foot at 0.5. The acceleration follows ``Placement/delayAfterContact`` later.
/// Shapes and sizes are modeled on recordings with known steps: of watches, and of phones in pockets, in hands and on
/// the trunk.
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
        let halfLength = up == nil ? StrideShape.runningImpactHalfLength : StrideShape.impactDuration / 2 * strideRate
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

    /// A walking stride at the reference cadence. The sizes follow medians over recordings at about 105 steps a minute.
    /// The magnitude at the step rate is 0.25 g on the wrist and 0.25–0.4 g in pockets and on the trunk. At the stride
    /// rate it is 0.11, 0.05 and 0.03 g, at twice the step rate 0.05–0.12 g.
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

    /// A running stride. The vertical force of a runner is close to half a sine during the stance and 0 in flight (R.
    /// M. Alexander, 1984). So the magnitude at the trunk goes from 0 in flight to more than 2 g at mid-stance; the
    /// mean over a step is 1 g. The initial contact adds a short impact about 30 ms later (P. R. Cavanagh, M. A.
    /// Lafortune, J. Biomech. 13, 1980).
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
