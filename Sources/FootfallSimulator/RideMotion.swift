/// The motion of a person in a car: acceleration, curves, vibration, and movements of the person.
struct RideMotion: MotionModel {
    private var profile: SpeedProfile
    private var leg: SpeedProfile.Leg
    private var curves: Curves
    private var vibration: RideVibration
    private var wearer: Movements

    init(profile: SpeedProfile, placement: Placement, sampleRate: Double, random: inout SplitMix64) {
        self.profile = profile
        leg = self.profile.next() ?? SpeedProfile.Leg(start: 0, duration: .infinity, from: 0, to: 0)
        curves = Curves(random: &random)
        vibration = RideVibration(placement: placement, sampleRate: sampleRate, random: &random)
        let isWrist = placement == .wrist
        let fidgets = Movements.Style(
            perMinute: isWrist ? 6 : 1, reach: .degrees(isWrist ? 12 : 2), push: isWrist ? 0.06 : 0.02)
        wearer = Movements(fidgets, random: &random)
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        while time >= leg.end, let next = profile.next() { leg = next }
        let (speed, acceleration) = leg.state(at: time)
        var motion = wearer.motion(at: time)
        motion.acceleration += vibration.values(at: time, speed: Float(speed))
        motion.acceleration.x += Float(acceleration) * (1 / 9.806_65)
        motion.acceleration.y += curves.acceleration(at: time, speed: Float(speed))
        return motion
    }
}

/// Lateral acceleration in curves and at crossings.
struct Curves: Sendable {
    private var random: SplitMix64
    private var start = 0.0
    private var duration = 1.0
    private var strength: Float = 0

    /// Seconds between curves, and the duration of a curve in seconds.
    private static let distances = 5.0...35.0
    private static let durations = 2.5...6.0
    /// The lateral acceleration at full speed in g; drivers rarely exceed 0.3 g.
    private static let pulls: ClosedRange<Float> = 0.04...0.28
    /// The speed in m/s from which the lateral acceleration no longer grows.
    private static let fullSpeed: Float = 8

    init(random: inout SplitMix64) {
        self.random = SplitMix64(seed: random.next())
        planNext()
    }

    private mutating func planNext() {
        start += duration + random.uniform(Curves.distances)
        duration = random.uniform(Curves.durations)
        strength = random.uniform(Curves.pulls) * (random.next() & 1 == 0 ? 1 : -1)
    }

    /// The acceleration to the left in g at `time` and at `speed` in m/s; times must not decrease.
    @inline(__always)
    mutating func acceleration(at time: Double, speed: Float) -> Float {
        while time >= start + duration { planNext() }
        guard time > start else { return 0 }
        let u = Float((time - start) / duration)
        let pace = min(speed / Curves.fullSpeed, 1)
        return strength * pace * pace * smoothStep(min(u, 1 - u) * 3)
    }
}

/// The vibration of a car at the device. The road excites three parts, which grow with the square root of the speed:
/// the body at 1 to 2 Hz, the wheels at 9 to 14 Hz, and road texture between and above. The engine adds a tone: two
/// ignitions per turn of four cylinders, 25 Hz at idle.
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
    /// The root mean square of the vibration in g, and the speed to which it belongs: 50 km/h in m/s.
    private static let roughness: Float = 0.08
    private static let referenceSpeed: Float = 13.9
    /// The root mean square of the vibration of the engine at idle, in g.
    private static let engine: Float = 0.008
    /// Vibration is mostly vertical: forward, left, up.
    private static let directions = SIMD4<Float>(0.45, 0.55, 0.8, 0)

    init(placement: Placement, sampleRate: Double, random: inout SplitMix64) {
        let bodyFrequency = random.uniform(RideVibration.bodyFrequencies)
        let hopFrequency = random.uniform(RideVibration.hopFrequencies)
        body = BandNoise(frequency: bodyFrequency, width: RideVibration.bodyWidth, random: &random)
        hop = BandNoise(frequency: hopFrequency, width: RideVibration.hopWidth, random: &random)
        texture = SmoothNoise(rate: RideVibration.textureRate, random: &random)
        surface = SmoothNoise(rate: RideVibration.surfaceRate, random: &random)
        engine = Oscillator(phase: random.unit())
        // Thigh and trunk damp high frequencies; a hand on the wheel does not.
        let fast: Float = placement == .wrist ? 0.9 : placement == .hip ? 0.5 : 0.35
        let roughness = RideVibration.roughness
        bodySize = roughness * RideVibration.bodyShare
        hopSize = roughness * RideVibration.hopShare * fast * antiAliasing(at: hopFrequency, sampleRate: sampleRate)
        let middle = (0.4 + 0.6 * fast) * antiAliasing(at: RideVibration.textureRate / 3, sampleRate: sampleRate)
        textureSize = roughness * RideVibration.textureShare * middle
        let tone = antiAliasing(at: Double(RideVibration.idleFrequency), sampleRate: sampleRate)
        engineSize = RideVibration.engine * Float(2).squareRoot() * fast * tone
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

/// The speed of a car during one scene of driving, leg by leg. The car is parked at both ends; between them it
/// accelerates, cruises, brakes and halts. The legs depend only on the ride, the duration and the seed.
struct SpeedProfile: Sequence, IteratorProtocol {
    /// A smooth change from one speed to another.
    struct Leg {
        /// Seconds since the start of the scene.
        var start: Double
        /// Seconds.
        var duration: Double
        /// Metres per second at the start.
        var from: Double
        /// Metres per second at the end.
        var to: Double

        /// Seconds since the start of the scene.
        var end: Double { start + duration }
        /// Whether the car stands.
        var isHalt: Bool { from == 0 && to == 0 }

        /// Speed in m/s and acceleration in m/s² at a time in the leg.
        func state(at time: Double) -> (speed: Double, acceleration: Double) {
            guard duration > 0 else { return (to, 0) }
            let u = Swift.min(Swift.max((time - start) / duration, 0), 1)
            return (from + (to - from) * u * u * (3 - 2 * u), (to - from) / duration * 6 * u * (1 - u))
        }
    }

    private enum Phase {
        case halting
        case departing
        case cruising
        case deciding
    }

    private let ride: Ride
    private let end: Double
    private var random: SplitMix64
    private var phase = Phase.halting
    private var time = 0.0
    private var speed = 0.0

    /// The time parked at each end of a ride, in seconds.
    private static let parked = 3.0...7.0
    /// With less time left than this, in seconds, the car stays halted.
    private static let shortestHop = 30.0
    /// Peak divided by mean acceleration of a smooth change of speed.
    private static let peakOverMean = 1.5
    /// The peak accelerations of changes of speed, in m/s².
    static let accelerations = 0.5...2.2

    init(ride: Ride, duration: Double, random: SplitMix64) {
        self.ride = ride
        self.random = random
        end = duration
    }

    mutating func next() -> Leg? {
        guard time < end else { return nil }
        let leg =
            switch phase {
            case .halting: halt()
            case .departing: departure()
            case .cruising: cruise()
            case .deciding: decision()
            }
        time = leg.end
        speed = leg.to
        return leg
    }

    private mutating func halt() -> Leg {
        phase = .departing
        let wanted = random.uniform(time == 0 ? SpeedProfile.parked : ride.halts)
        let left = end - time
        let isLast = left - wanted < SpeedProfile.shortestHop
        return isLast ? Leg(start: time, duration: left, from: 0, to: 0) : leg(lasting: wanted, to: 0)
    }

    private mutating func departure() -> Leg {
        phase = .cruising
        // At most half of the remaining time is for acceleration, so that the rest is enough to brake.
        let half = (end - time - SpeedProfile.parked.upperBound) / 2
        let fastest = half * SpeedProfile.accelerations.lowerBound / SpeedProfile.peakOverMean
        return change(to: Swift.min(random.uniform(ride.speeds), fastest))
    }

    private mutating func cruise() -> Leg {
        let left = end - time - timeToHalt(from: speed)
        guard left > 1 else { return brake() }
        phase = .deciding
        return leg(lasting: Swift.min(random.uniform(ride.cruises), left), to: speed)
    }

    private mutating func decision() -> Leg {
        let target = random.uniform(ride.speeds)
        let longest = longestChange(by: target - speed) + timeToHalt(from: target)
        guard random.unit() >= ride.haltShare, end - time - longest > SpeedProfile.shortestHop else { return brake() }
        phase = .cruising
        return change(to: target)
    }

    private mutating func brake() -> Leg {
        phase = .halting
        return change(to: 0)
    }

    /// The seconds of a change of speed with the least peak acceleration.
    private func longestChange(by speed: Double) -> Double {
        SpeedProfile.peakOverMean * abs(speed) / SpeedProfile.accelerations.lowerBound
    }

    private func timeToHalt(from speed: Double) -> Double {
        longestChange(by: speed) + SpeedProfile.parked.lowerBound
    }

    private mutating func change(to target: Double) -> Leg {
        let rate = random.uniform(SpeedProfile.accelerations)
        let duration = SpeedProfile.peakOverMean * abs(target - speed) / rate
        return leg(lasting: Swift.max(duration, 0.5), to: target)
    }

    /// The next leg. Its duration is rounded to milliseconds, so that the ground truth has few digits.
    private func leg(lasting duration: Double, to target: Double) -> Leg {
        Leg(start: time, duration: (duration * 1000).rounded(.up) / 1000, from: speed, to: target)
    }
}
