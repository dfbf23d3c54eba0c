/// The motion of the device at one moment.
struct BodyMotion: Sendable {
    /// Acceleration without gravity in g: forward, left, up; the fourth number is unused.
    var acceleration: SIMD4<Float> = .zero
    /// The rotation from the posture of the scene in turns: pitch, about the axis to the left; roll, about the forward
    /// axis.
    var tilt: SIMD2<Float> = .zero
}

/// A model of one kind of motion. Models are functions of time, not of sample numbers. The same motion can be sampled
/// at any rate, with jitter and gaps.
protocol MotionModel: Sendable {
    /// The motion at `time`, in seconds since the start of the scene; times must not decrease.
    mutating func motion(at time: Double) -> BodyMotion

    /// Writes the motions at `times` to the start of `motions`. As a requirement of the protocol, it costs one dynamic
    /// call per run of samples instead of one per sample.
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double])
}

extension MotionModel {
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double]) {
        for index in times.indices {
            motions[index] = motion(at: times[index])
        }
    }
}

extension Placement {
    /// The orientation of a device at rest during a scene: pitch and roll in turns. An accelerometer measures only the
    /// direction of gravity, so two angles are enough.
    func posture(during doing: Scene.Doing) -> SIMD2<Float> {
        let degrees: SIMD2<Float> =
            switch (self, doing) {
            case (_, .deviceAtRest): SIMD2(0, 0)
            case (_, .handling): SIMD2(35, 0)
            case (.wrist, .walking), (.wrist, .standing): SIMD2(75, 8)
            case (.wrist, .running): SIMD2(15, 70)
            case (.wrist, .driving): SIMD2(-25, 30)
            case (.wrist, .sitting): SIMD2(20, 25)
            case (.wrist, .deskWork): SIMD2(3, 10)
            case (.wrist, .sleeping): SIMD2(5, 80)
            case (.pocket, .walking), (.pocket, .running), (.pocket, .standing): SIMD2(80, 10)
            case (.pocket, .driving), (.pocket, .sitting), (.pocket, .deskWork): SIMD2(12, 8)
            case (.pocket, .sleeping): SIMD2(2, 5)
            case (.hip, .walking), (.hip, .running), (.hip, .standing): SIMD2(88, 4)
            case (.hip, .driving), (.hip, .sitting), (.hip, .deskWork): SIMD2(68, 3)
            case (.hip, .sleeping): SIMD2(3, 40)
            }
        return degrees / 360
    }
}

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

/// Single movements of a person at rest: shifting weight, reaching, turning over. At irregular times the device changes
/// its posture within about a second, with an acceleration and a deceleration.
struct Movements: Sendable {
    struct Style: Sendable {
        /// The mean number of movements per minute.
        var perMinute: Double
        /// The standard deviation of the posture, in turns.
        var reach: Float
        /// The size of acceleration and deceleration in g.
        var push: Float
    }

    private let style: Style
    private var random: SplitMix64
    private var start = 0.0
    private var duration = 1.0
    private var from: SIMD2<Float> = .zero
    private var to: SIMD2<Float> = .zero
    private var push: SIMD4<Float> = .zero

    /// The duration of a movement in seconds.
    private static let durations = 0.5...2.2

    init(_ style: Style, random: inout SplitMix64) {
        self.style = style
        self.random = SplitMix64(seed: random.next())
        planNext(after: 0)
    }

    private mutating func planNext(after end: Double) {
        from = to
        guard style.perMinute > 0 else {
            start = .infinity
            return
        }
        start = end + random.uniform(0.1...1.9) * 60 / style.perMinute
        duration = random.uniform(Movements.durations)
        to = style.reach * SIMD2(random.gaussian(), random.gaussian())
        push = style.push * random.gaussian4()
        push.w = 0
    }

    /// 0 between movements, 1 in the middle of one.
    private(set) var activity: Float = 0

    /// The motion at `time`; times must not decrease.
    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        while time >= start + duration { planNext(after: start + duration) }
        guard time > start else {
            activity = 0
            return BodyMotion(tilt: from)
        }
        let u = Float((time - start) / duration)
        activity = 4 * u * (1 - u)
        // One period of a sine that begins and ends at 0.
        let shape = sine(turns: u) * activity
        return BodyMotion(acceleration: push * shape, tilt: from + smoothStep(u) * (to - from))
    }
}

/// The motion of a device in the hand: it is read, tilted and waved, without steps. Every few seconds it changes its
/// posture. In between, phases of motion and of rest alternate.
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
