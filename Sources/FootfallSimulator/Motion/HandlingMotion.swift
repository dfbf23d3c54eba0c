/// The device is turned over and about in the hand: read, waved, rotated, put down for a moment, never in step.
struct HandlingMotion: MotionModel {
    private var turning: SmoothNoise
    private var pushing: SmoothNoise
    private var eagerness: SmoothNoise
    private var tremor: SmoothNoise

    /// Independent values per second of turning, pushing and of how busy the hand is.
    private static let turningRate = 0.9
    private static let pushingRate = 5.0
    private static let eagernessRate = 0.15
    private static let tremorRate = 20.0
    /// Spread of the angles in turns and of the accelerations in g.
    private static let turningSize: Float = .degrees(34)
    private static let pushingSize: Float = 0.14
    private static let tremorSize: Float = 0.025

    init(random: inout SplitMix64) {
        turning = SmoothNoise(rate: HandlingMotion.turningRate, random: &random)
        pushing = SmoothNoise(rate: HandlingMotion.pushingRate, random: &random)
        eagerness = SmoothNoise(rate: HandlingMotion.eagernessRate, random: &random)
        tremor = SmoothNoise(rate: HandlingMotion.tremorRate, random: &random)
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        let angles = turning.values(at: time)
        // A hand is busy most of the time and pauses now and then.
        let busy = smoothStep(0.7 + 0.5 * eagerness.values(at: time).x)
        var acceleration = busy * HandlingMotion.pushingSize * pushing.values(at: time)
        acceleration += HandlingMotion.tremorSize * tremor.values(at: time)
        acceleration.w = 0
        let size = HandlingMotion.turningSize * (0.3 + 0.7 * busy)
        return BodyMotion(acceleration: acceleration, pitch: size * angles.x, roll: size * angles.y)
    }
}
