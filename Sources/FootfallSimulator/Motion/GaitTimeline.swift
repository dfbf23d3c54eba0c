/// When the feet strike during one scene of walking or running.
///
/// Feet strike at a mean rate with a wandering and a jittering part: step times are correlated over many steps
/// (J. M. Hausdorff et al., J. Appl. Physiol. 80, 1996). The first strikes after standing still are slower and
/// softer, the last ones softer. The strikes depend on the gait, the duration and the seed alone, so that the
/// ground truth can be listed without making a single sample.
struct GaitTimeline: Sequence, IteratorProtocol {
    /// One foot strike.
    struct Strike {
        /// Seconds since the scene's start.
        var time: Double
        /// How hard, relative to the usual at the gait's cadence.
        var strength: Float
        /// True for the foot on the device's side.
        var isNear: Bool
    }

    private let period: Double
    private let gait: Gait
    private let end: Double
    private var random: SplitMix64
    private var beat: Double
    private var isNear: Bool
    private var count = 0
    private var wander: Float = 0

    /// How much of the variation wanders from step to step instead of jittering, as a share of the variance.
    private static let wanderingShare: Float = 0.5
    /// What is kept of the wandering part from one step to the next: it forgets over some 20 steps.
    private static let persistence: Float = 0.95
    /// The standard deviation of a step's strength. On phones carried by people with foot switches the swing of |a|
    /// scatters by 11 to 30 % from step to step, turns and uneven ground included.
    private static let strengthVariation: Float = 0.12

    init(gait: Gait, duration: Double, random: SplitMix64) {
        self.random = random
        self.gait = gait
        period = 60 / gait.cadence
        end = duration - 0.6 * period
        beat = self.random.uniform(0.9...1.4) * period
        isNear = self.random.next() & 1 == 0
    }

    mutating func next() -> Strike? {
        let late = isNear ? 0 : gait.asymmetry * period
        let strike = Strike(time: beat + late, strength: strength(at: beat), isNear: isNear)
        guard strike.time <= end else { return nil }
        beat += timeToNextBeat()
        isNear.toggle()
        count += 1
        return strike
    }

    private mutating func timeToNextBeat() -> Double {
        let persistence = GaitTimeline.persistence
        wander = persistence * wander + (1 - persistence * persistence).squareRoot() * random.gaussian()
        let share = GaitTimeline.wanderingShare
        let scatter = share.squareRoot() * wander + (1 - share).squareRoot() * random.gaussian()
        let startUp = count == 0 ? 1.15 : count == 1 ? 1.05 : 1
        return period * startUp * Swift.max(0.6, 1 + gait.variation * Double(scatter))
    }

    private mutating func strength(at time: Double) -> Float {
        let startUp: Float = count == 0 ? 0.55 : count == 1 ? 0.85 : 1
        let stepsLeft = Float((end - time) / period)
        let slowDown: Float = stepsLeft < 1 ? 0.6 : stepsLeft < 2 ? 0.85 : 1
        let scatter = Swift.max(0.5, 1 + GaitTimeline.strengthVariation * random.gaussian())
        return Float(gait.vigour) * startUp * slowDown * scatter
    }
}
