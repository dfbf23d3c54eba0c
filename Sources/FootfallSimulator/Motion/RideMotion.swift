/// The motion of a person in a car: acceleration, curves, vibration, and movements of the person.
struct RideMotion: MotionModel {
    private var profile: SpeedProfile
    private var leg: SpeedProfile.Leg
    private var curves: Curves
    private var vibration: RideVibration
    private var wearer: Movements

    init(ride: Ride, profile: SpeedProfile, placement: Placement, sampleRate: Double, random: inout SplitMix64) {
        self.profile = profile
        leg = self.profile.next() ?? SpeedProfile.Leg(start: 0, duration: .infinity, from: 0, to: 0)
        curves = Curves(random: &random)
        vibration = RideVibration(ride: ride, placement: placement, sampleRate: sampleRate, random: &random)
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
