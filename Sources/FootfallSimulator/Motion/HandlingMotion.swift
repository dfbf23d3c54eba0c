/// The device is turned over and about in the hand: read, tilted, waved, passed on, never in step.
///
/// Every few seconds it is taken to another posture; in between the hand is busy for a while and then holds still.
struct HandlingMotion: MotionModel {
    private var turns: Movements
    private var tilting: SmoothNoise
    private var pushing: SmoothNoise
    private var eagerness: SmoothNoise
    private var tremor: SmoothNoise

    /// Independent values per second of tilting, pushing, tremor and of how busy the hand is.
    private static let tiltingRate = 1.3
    private static let pushingRate = 5.0
    private static let tremorRate = 20.0
    private static let eagernessRate = 0.2
    /// Spread of tilts in turns, of pushes and of tremor in g.
    private static let tiltingSize: Float = .degrees(6)
    private static let pushingSize: Float = 0.12
    private static let tremorSize: Float = 0.02
    private static let turning = Movements.Style(perMinute: 16, reach: .degrees(38), push: 0.16)

    init(random: inout SplitMix64) {
        turns = Movements(HandlingMotion.turning, random: &random)
        tilting = SmoothNoise(rate: HandlingMotion.tiltingRate, random: &random)
        pushing = SmoothNoise(rate: HandlingMotion.pushingRate, random: &random)
        eagerness = SmoothNoise(rate: HandlingMotion.eagernessRate, random: &random)
        tremor = SmoothNoise(rate: HandlingMotion.tremorRate, random: &random)
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        var motion = turns.motion(at: time)
        let tilt = tilting.values(at: time)
        let busy = smoothStep(0.5 + 0.5 * eagerness.values(at: time).x)
        motion.acceleration += busy * HandlingMotion.pushingSize * pushing.values(at: time)
        motion.acceleration += (0.2 + 0.8 * busy) * HandlingMotion.tremorSize * tremor.values(at: time)
        motion.acceleration.w = 0
        motion.pitch += (0.2 + 0.8 * busy) * HandlingMotion.tiltingSize * tilt.x
        motion.roll += (0.2 + 0.8 * busy) * HandlingMotion.tiltingSize * tilt.y
        return motion
    }
}
