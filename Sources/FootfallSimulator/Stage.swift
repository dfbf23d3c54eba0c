/// Runs the motion models of the scenes of a scenario, one after the other.
struct Stage: Sendable {
    private let scenario: Scenario
    private let seed: UInt64
    private let sampleRate: Double
    private var index = 0
    private var model: any MotionModel
    private var previousPosture: Posture
    private var currentPosture: Posture
    /// The start of the current scene, in seconds since the start of the trace.
    private(set) var sceneStart = 0.0
    /// The end of the current scene. It is summed as ``Scenario/duration`` is, so that no sample lies after the last
    /// scene.
    private(set) var sceneEnd: Double

    /// The time to change to the posture of a new scene, in seconds.
    private static let settling: Float = 1.2
    /// The time at both ends of a scene in which its motion fades, in seconds.
    private static let fading: Float = 0.4

    init(_ simulation: Simulation) {
        scenario = simulation.scenario
        seed = simulation.seed
        sampleRate = simulation.sensor.sampleRate
        model = StillMotion()
        previousPosture = Posture(.deviceAtRest, scenario.placement)
        currentPosture = previousPosture
        sceneEnd = 0
        if let first = scenario.scenes.first {
            currentPosture = Posture(first.doing, scenario.placement)
            previousPosture = currentPosture
            begin(first)
        }
    }

    private mutating func begin(_ scene: Scene) {
        model = scene.motionModel(placement: scenario.placement, sampleRate: sampleRate, seed: seed, index: index)
        previousPosture = currentPosture
        currentPosture = Posture(scene.doing, scenario.placement)
        sceneEnd = sceneStart + scene.duration
    }

    /// Changes to the scene at `time`, in seconds since the start of the trace.
    mutating func enterScene(at time: Double) {
        while time >= sceneEnd, index + 1 < scenario.scenes.count {
            sceneStart = sceneEnd
            index += 1
            begin(scenario.scenes[index])
        }
    }

    /// Computes the motions at `times`, in seconds since the start of the scene.
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double]) {
        model.fill(&motions, at: times)
        guard let first = times.first, let last = times.last else { return }
        let length = Float(sceneEnd - sceneStart)
        guard Float(first) < Stage.fading || length - Float(last) < Stage.fading else { return }
        for index in times.indices {
            let edge = min(Float(times[index]), length - Float(times[index]))
            let share = smoothStep(edge / Stage.fading)
            motions[index].acceleration *= share
            motions[index].pitch *= share
            motions[index].roll *= share
        }
    }

    /// The posture at `time`, in seconds since the start of the scene.
    @inline(__always)
    func posture(at time: Double) -> Posture {
        let share = Float(time) / Stage.settling
        guard share < 1 else { return currentPosture }
        return Posture.between(previousPosture, currentPosture, share: smoothStep(share))
    }
}

extension Scene {
    /// The motion model of the scene.
    fileprivate func motionModel(placement: Placement, sampleRate: Double, seed: UInt64, index: Int) -> any MotionModel
    {
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
