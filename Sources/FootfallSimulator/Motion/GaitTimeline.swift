/// The initial contacts of one scene of walking or running.
///
/// Step intervals vary with a correlated and an independent part (J. M. Hausdorff et al., J. Appl. Physiol. 80, 1996).
/// The first steps are slower and softer, the last ones softer. The contacts depend only on the gait, the duration and
/// the seed, so the ground truth can be computed without samples.
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
        return Float(gait.vigour) * start * slowDown * scatter
    }
}
