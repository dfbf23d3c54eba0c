/// The vibration of a car at the device.
///
/// The road excites three parts, which grow with the square root of the speed: the body at 1 to 2 Hz, the wheels at 9
/// to 14 Hz, and road texture between and above. The engine adds a tone: two ignitions per turn of four cylinders, 25
/// Hz at idle.
struct RideVibration: Sendable {
    private var body: BandNoise
    private var hop: BandNoise
    private var texture: SmoothNoise
    private var surface: SmoothNoise
    private var engine: Oscillator
    private let bodySize: Float
    private let hopSize: Float
    private let textureSize: Float
    private let engineSize: Float

    private static let bodyFrequencies = 1.1...1.9
    private static let bodyWidth = 0.9
    private static let hopFrequencies = 9.0...14.0
    private static let hopWidth = 3.0
    /// The rate of road texture in independent values per second.
    private static let textureRate = 18.0
    /// The variation of the surface: rate in independent values per second, and standard deviation around 1.
    private static let surfaceRate = 0.2
    private static let surfaceSpread: Float = 0.45
    private static let smoothestSurface: Float = 0.35
    /// The tone of the engine at idle, its rise per m/s, and its maximum, in Hz.
    private static let idleFrequency: Float = 25
    private static let frequencyPerSpeed: Float = 3
    private static let topFrequency: Float = 75
    /// The shares of the three parts. Their squares add up to more than 1, because the vibration is not only vertical.
    private static let bodyShare: Float = 0.7
    private static let hopShare: Float = 0.75
    private static let textureShare: Float = 0.8
    /// The speed to which ``Ride/roughness`` belongs: 50 km/h in m/s.
    private static let referenceSpeed: Float = 13.9
    /// Vibration is mostly vertical: forward, left, up.
    private static let directions = SIMD4<Float>(0.45, 0.55, 0.8, 0)

    init(ride: Ride, placement: Placement, sampleRate: Double, random: inout SplitMix64) {
        let bodyFrequency = random.uniform(RideVibration.bodyFrequencies)
        let hopFrequency = random.uniform(RideVibration.hopFrequencies)
        body = BandNoise(frequency: bodyFrequency, width: RideVibration.bodyWidth, random: &random)
        hop = BandNoise(frequency: hopFrequency, width: RideVibration.hopWidth, random: &random)
        texture = SmoothNoise(rate: RideVibration.textureRate, random: &random)
        surface = SmoothNoise(rate: RideVibration.surfaceRate, random: &random)
        engine = Oscillator(phase: random.unit())
        let roughness = Float(ride.roughness)
        // Thigh and trunk damp high frequencies; a hand on the wheel does not.
        let fast: Float = placement == .wrist ? 0.9 : placement == .hip ? 0.5 : 0.35
        bodySize = roughness * RideVibration.bodyShare
        hopSize = roughness * RideVibration.hopShare * fast * antiAliasing(at: hopFrequency, sampleRate: sampleRate)
        let middle = (0.4 + 0.6 * fast) * antiAliasing(at: RideVibration.textureRate / 3, sampleRate: sampleRate)
        textureSize = roughness * RideVibration.textureShare * middle
        let tone = antiAliasing(at: Double(RideVibration.idleFrequency), sampleRate: sampleRate)
        engineSize = Float(ride.engine) * Float(2).squareRoot() * fast * tone
    }

    /// The vibration in g at `time` and at `speed` in m/s; times must not decrease.
    @inline(__always)
    mutating func values(at time: Double, speed: Float) -> SIMD4<Float> {
        let level = (speed / RideVibration.referenceSpeed).squareRoot()
        let rise = RideVibration.frequencyPerSpeed * speed
        let frequency = min(RideVibration.idleFrequency + rise, RideVibration.topFrequency)
        let tone = engineSize * engine.advance(to: time, frequency: Double(frequency)).sine
        guard speed > 0 else {
            return tone * RideVibration.directions
        }
        let road =
            bodySize * body.values(at: time) + hopSize * hop.values(at: time) + textureSize * texture.values(at: time)
        let unevenness = 1 + RideVibration.surfaceSpread * surface.values(at: time).x
        let shaking = level * max(unevenness, RideVibration.smoothestSurface)
        return (shaking * road + tone) * RideVibration.directions
    }
}

/// The gain of a sensor at a frequency: a fourth-order low-pass at half the sample rate.
private func antiAliasing(at frequency: Double, sampleRate: Double) -> Float {
    let ratio = frequency / (0.5 * sampleRate)
    return Float(1 / (1 + ratio * ratio * ratio * ratio))
}
