/// What the wearer does to the device at one moment.
struct BodyMotion: Sendable {
    /// Acceleration without gravity in g: forward, left, up; the fourth number is unused.
    var acceleration: SIMD4<Float> = .zero
    /// Rotation from the scene's posture about the axis that points left, in turns.
    var pitch: Float = 0
    /// Rotation from the scene's posture about the axis that points forward, in turns.
    var roll: Float = 0
}

/// A model of one kind of motion: asked for ever later moments, it answers with what the device feels.
///
/// Models are functions of time with memory, not of sample numbers, so that the same motion can be sampled at any rate,
/// with jitter and with gaps.
protocol MotionModel: Sendable {
    /// The motion at `time` in seconds since the scene's start; times never decrease.
    mutating func motion(at time: Double) -> BodyMotion

    /// The motions at `times`, written to `motions` from its start.
    ///
    /// A requirement so that the loop runs inside the model: one dynamic call per run of samples, not per sample.
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double])
}

extension MotionModel {
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double]) {
        for index in times.indices {
            motions[index] = motion(at: times[index])
        }
    }
}

extension Scene {
    /// The model of the scene's motion.
    func motionModel(placement: Placement, sampleRate: Double, seed: UInt64, index: Int) -> any MotionModel {
        var random = SplitMix64(seed: seed, .motion, index: index)
        let plan = SplitMix64(seed: seed, .plan, index: index)
        switch doing {
        case .deviceAtRest: return StillMotion()
        case .sleeping: return RestMotion(.sleeping, placement: placement, random: &random)
        case .standing: return RestMotion(.standing, placement: placement, random: &random)
        case .sitting: return RestMotion(.sitting, placement: placement, random: &random)
        case .deskWork: return RestMotion(.deskWork, placement: placement, random: &random)
        case .handling: return HandlingMotion(random: &random)
        case .walking(let gait):
            let template = StrideTemplate.walking(placement, gait: gait, seed: seed, sampleRate: sampleRate)
            let timeline = GaitTimeline(gait: gait, duration: duration, random: plan)
            return GaitMotion(timeline: timeline, template: template, gait: gait, random: &random)
        case .running(let gait):
            let template = StrideTemplate.running(placement, gait: gait, seed: seed, sampleRate: sampleRate)
            let timeline = GaitTimeline(gait: gait, duration: duration, random: plan)
            return GaitMotion(timeline: timeline, template: template, gait: gait, random: &random)
        case .driving(let ride):
            let profile = SpeedProfile(ride: ride, duration: duration, random: plan)
            return RideMotion(
                ride: ride, profile: profile, placement: placement, sampleRate: sampleRate, random: &random)
        }
    }
}
