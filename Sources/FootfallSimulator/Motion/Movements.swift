/// Single movements of a person at rest: shifting weight, reaching, turning over.
///
/// At irregular times the device changes its posture within about a second, with an acceleration and a deceleration.
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
