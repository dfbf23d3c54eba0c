/// The motion of a device in the hand: it is read, tilted and waved, without steps.
///
/// Every few seconds it changes its posture. In between, phases of motion and of rest alternate.
struct HandlingMotion: MotionModel {
    private var turns: Movements
    private var tilting: SmoothNoise
    private var pushing: SmoothNoise
    private var intensity: SmoothNoise
    private var tremor: SmoothNoise

    /// Rates of tilting, pushing, tremor and intensity, in independent values per second.
    private static let tiltingRate = 1.3
    private static let pushingRate = 5.0
    private static let tremorRate = 20.0
    private static let intensityRate = 0.2
    /// Standard deviation of tilts in turns, and of pushes and tremor in g.
    private static let tiltingSize: Float = .degrees(6)
    private static let pushingSize: Float = 0.12
    private static let tremorSize: Float = 0.02
    private static let turning = Movements.Style(perMinute: 16, reach: .degrees(38), push: 0.16)

    init(random: inout SplitMix64) {
        turns = Movements(HandlingMotion.turning, random: &random)
        tilting = SmoothNoise(rate: HandlingMotion.tiltingRate, random: &random)
        pushing = SmoothNoise(rate: HandlingMotion.pushingRate, random: &random)
        intensity = SmoothNoise(rate: HandlingMotion.intensityRate, random: &random)
        tremor = SmoothNoise(rate: HandlingMotion.tremorRate, random: &random)
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        var motion = turns.motion(at: time)
        let busy = smoothStep(0.5 + 0.5 * intensity.values(at: time).x)
        motion.acceleration += busy * HandlingMotion.pushingSize * pushing.values(at: time)
        motion.acceleration += (0.2 + 0.8 * busy) * HandlingMotion.tremorSize * tremor.values(at: time)
        motion.acceleration.w = 0
        motion.tilt += (0.2 + 0.8 * busy) * HandlingMotion.tiltingSize * tilting.values(at: time).lowHalf
        return motion
    }
}
