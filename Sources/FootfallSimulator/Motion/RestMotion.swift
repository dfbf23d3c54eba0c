/// No motion: the device lies on a table.
struct StillMotion: MotionModel {
    mutating func motion(at time: Double) -> BodyMotion { BodyMotion() }
}

/// The motion of a person at rest: sway, breathing, tremor, single movements, typing.
struct RestMotion: MotionModel {
    /// The sizes of the parts for one kind of rest.
    struct Style: Sendable {
        /// Slow sway: standard deviation in turns.
        var sway: Float
        /// The amplitude of breathing in turns.
        var breathing: Float
        /// Tremor and pulse: root mean square in g.
        var tremor: Float
        var movements: Movements.Style
        /// The acceleration of a keystroke in g; 0 without typing.
        var keystroke: Float = 0
    }

    private let style: Style
    private var sway: SmoothNoise
    private var tremor: SmoothNoise
    private var breath: Oscillator
    private let breathRate: Double
    private var movements: Movements
    private var typing: Typing

    /// The rate of sway in independent values per second: people sway below 1 Hz.
    private static let swayRate = 0.8
    /// The rate of tremor in independent values per second: tremor reaches up to 12 Hz.
    private static let tremorRate = 20.0
    /// Additional tremor of a hand in motion, in g per g of acceleration.
    private static let unsteadiness: Float = 0.4
    /// Breaths per second.
    private static let breathRates = 0.2...0.3

    init(_ style: Style, random: inout SplitMix64) {
        self.style = style
        sway = SmoothNoise(rate: RestMotion.swayRate, random: &random)
        tremor = SmoothNoise(rate: RestMotion.tremorRate, random: &random)
        breath = Oscillator(phase: random.unit())
        breathRate = random.uniform(RestMotion.breathRates)
        movements = Movements(style.movements, random: &random)
        typing = Typing(size: style.keystroke, random: &random)
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        var motion = movements.motion(at: time)
        var lean = style.sway * sway.values(at: time).lowHalf
        lean.x += style.breathing * breath.advance(to: time, frequency: breathRate).sine
        motion.tilt += lean
        let unrest = style.tremor + RestMotion.unsteadiness * style.movements.push * movements.activity
        motion.acceleration += unrest * tremor.values(at: time)
        motion.acceleration.z += typing.impact(at: time)
        motion.acceleration.w = 0
        return motion
    }
}

/// The sizes follow watches and phones on people who sit and stand: 5 to 35 mg in each octave between 0.2 and 9 Hz,
/// mostly from single movements.
extension RestMotion.Style {
    static let sleeping = RestMotion.Style(
        sway: .degrees(0.02), breathing: .degrees(0.3), tremor: 0.000_8,
        movements: Movements.Style(perMinute: 0.1, reach: .degrees(25), push: 0.15))

    static func standing(isWrist: Bool) -> RestMotion.Style {
        RestMotion.Style(
            sway: .degrees(0.5), breathing: .degrees(0.15), tremor: isWrist ? 0.004 : 0.0025,
            movements: Movements.Style(
                perMinute: isWrist ? 8 : 4, reach: .degrees(isWrist ? 12 : 4), push: isWrist ? 0.08 : 0.04))
    }

    static func sitting(isWrist: Bool) -> RestMotion.Style {
        RestMotion.Style(
            sway: .degrees(0.15), breathing: .degrees(0.15), tremor: isWrist ? 0.002_5 : 0.001_5,
            movements: Movements.Style(
                perMinute: isWrist ? 4 : 1.5, reach: .degrees(isWrist ? 14 : 3), push: isWrist ? 0.07 : 0.04))
    }

    static func deskWork(isWrist: Bool) -> RestMotion.Style {
        RestMotion.Style(
            sway: .degrees(isWrist ? 0.4 : 0.1), breathing: .degrees(0.1), tremor: isWrist ? 0.004 : 0.002,
            movements: Movements.Style(
                perMinute: isWrist ? 8 : 1.5, reach: .degrees(isWrist ? 9 : 2), push: isWrist ? 0.09 : 0.03),
            keystroke: isWrist ? 0.03 : 0.001)
    }
}

/// Keystrokes in bursts, as a sensor on the wrist measures them.
struct Typing: Sendable {
    private let size: Float
    private var random: SplitMix64
    private var keystroke = 0.0
    private var strength: Float = 0
    private var burstEnd = 0.0

    /// Seconds between keystrokes: three to eight a second.
    private static let intervals = 0.12...0.35
    /// The duration of a burst and of the pause after it, in seconds.
    private static let bursts = 4.0...30.0
    private static let pauses = 3.0...40.0
    /// The duration of a keystroke in seconds.
    private static let keystrokeDuration = 0.06

    init(size: Float, random: inout SplitMix64) {
        self.size = size
        self.random = SplitMix64(seed: random.next())
        burstEnd = self.random.uniform(Typing.bursts)
    }

    /// Vertical acceleration in g at `time`; times must not decrease.
    @inline(__always)
    mutating func impact(at time: Double) -> Float {
        guard size > 0 else { return 0 }
        while time >= keystroke + Typing.keystrokeDuration { planNext() }
        guard time > keystroke else { return 0 }
        return strength * sine(turns: Float((time - keystroke) / Typing.keystrokeDuration))
    }

    private mutating func planNext() {
        keystroke += random.uniform(Typing.intervals)
        if keystroke > burstEnd {
            keystroke += random.uniform(Typing.pauses)
            burstEnd = keystroke + random.uniform(Typing.bursts)
        }
        strength = size * random.uniform(Float(0.4)...1.2)
    }
}
