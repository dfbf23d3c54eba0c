/// The motion of a walker or runner: the stride's shape, stretched from strike to strike.
///
/// Between two strikes the phase runs evenly and the strength changes evenly, so nothing jumps; before the first and
/// after the last strike it fades in and out over one step.
struct GaitMotion: MotionModel {
    private var timeline: GaitTimeline
    private let template: StrideTemplate
    private let period: Double
    private var last: GaitTimeline.Strike
    private var next: GaitTimeline.Strike
    private var isOver = false
    private var tissue: SmoothNoise
    private var posture: SmoothNoise

    /// Independent values per second of the wobble of tissue, cloth and strap.
    private static let tissueRate = 22.0
    /// How the way the device hangs wanders under way: values per second and size in turns.
    private static let postureRate = 0.7
    private static let postureSize: Float = .degrees(3.5)

    init(timeline: GaitTimeline, template: StrideTemplate, gait: Gait, random: inout SplitMix64) {
        self.timeline = timeline
        self.template = template
        period = 60 / gait.cadence
        tissue = SmoothNoise(rate: GaitMotion.tissueRate, random: &random)
        posture = SmoothNoise(rate: GaitMotion.postureRate, random: &random)
        let silence = GaitTimeline.Strike(time: .infinity, strength: 0, isNear: true)
        next = self.timeline.next() ?? silence
        last = GaitTimeline.Strike(time: next.time - period, strength: 0, isNear: !next.isNear)
    }

    private mutating func moveOn() {
        last = next
        if let strike = timeline.next() {
            next = strike
        } else {
            let time = isOver ? .infinity : last.time + period
            next = GaitTimeline.Strike(time: time, strength: 0, isNear: !last.isNear)
            isOver = true
        }
    }

    @inline(__always)
    mutating func motion(at time: Double) -> BodyMotion {
        while time >= next.time { moveOn() }
        guard time >= last.time, next.time < .infinity else { return BodyMotion() }
        let u = Float((time - last.time) / (next.time - last.time))
        let strength = last.strength + u * (next.strength - last.strength)
        let values = template.values(at: (last.isNear ? 0 : 0.5) + 0.5 * u)
        let wobble = tissue.values(at: time)
        let drift = posture.values(at: time)
        var acceleration = strength * (values + template.wobble * wobble)
        acceleration.w = 0
        // The arm swings about as far whether the steps are hard or soft, once they have begun.
        return BodyMotion(
            acceleration: acceleration,
            pitch: values.w * min(strength, 1) + GaitMotion.postureSize * drift.x * strength,
            roll: GaitMotion.postureSize * drift.y * strength)
    }
}
