/// The motion of a walker or runner: the template of a stride, scaled to each step.
///
/// Between two initial contacts the phase and the strength change linearly. Before the first contact and after the last
/// one the motion fades over one step.
struct GaitMotion: MotionModel {
    private var timeline: GaitTimeline
    private let template: StrideTemplate
    private let period: Double
    private var last: GaitTimeline.Contact
    private var next: GaitTimeline.Contact
    private var isOver = false
    private var tissue: SmoothNoise
    private var posture: SmoothNoise

    /// The rate of the wobble of tissue, cloth and strap, in independent values per second.
    private static let tissueRate = 22.0
    /// The drift of the posture during gait: rate in independent values per second, and size in turns.
    private static let postureRate = 0.7
    private static let postureSize: Float = .degrees(3.5)

    init(timeline: GaitTimeline, template: StrideTemplate, gait: Gait, random: inout SplitMix64) {
        self.timeline = timeline
        self.template = template
        period = 60 / gait.cadence
        tissue = SmoothNoise(rate: GaitMotion.tissueRate, random: &random)
        posture = SmoothNoise(rate: GaitMotion.postureRate, random: &random)
        let none = GaitTimeline.Contact(time: .infinity, strength: 0, isNear: true)
        next = self.timeline.next() ?? none
        last = GaitTimeline.Contact(time: next.time - period, strength: 0, isNear: !next.isNear)
    }

    private mutating func moveOn() {
        last = next
        if let contact = timeline.next() {
            next = contact
        } else {
            let time = isOver ? .infinity : last.time + period
            next = GaitTimeline.Contact(time: time, strength: 0, isNear: !last.isNear)
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
        var acceleration = strength * (values + template.wobble * tissue.values(at: time))
        acceleration.w = 0
        var tilt = GaitMotion.postureSize * posture.values(at: time).lowHalf * strength
        // The swing of the arm hardly depends on the strength of the steps.
        tilt.x += values.w * min(strength, 1)
        return BodyMotion(acceleration: acceleration, tilt: tilt)
    }
}
