import Footfall

/// The motion of a scenario: runs the motion models of its scenes, one after the other.
struct ScenarioMotion: Sendable {
    private let scenario: Scenario
    private let seed: UInt64
    private let sampleRate: Double
    private var nextScene = 0
    private var model: any MotionModel = StillMotion()
    private var previousPosture: SIMD2<Float>
    private var currentPosture: SIMD2<Float>
    /// The start of the current scene, in seconds since the start of the trace.
    private(set) var sceneStart = 0.0
    /// The end of the current scene. It is summed as ``Scenario/duration`` is, so that no sample lies after the last
    /// scene.
    private(set) var sceneEnd = 0.0

    /// The time to change to the posture of a new scene, in seconds.
    private static let settling: Float = 1.2
    /// The time at both ends of a scene in which its motion fades, in seconds.
    private static let fading: Float = 0.4

    init(_ simulation: Simulation) {
        scenario = simulation.scenario
        seed = simulation.seed
        sampleRate = simulation.sensor.sampleRate
        currentPosture = scenario.placement.posture(during: scenario.scenes.first?.doing ?? .deviceAtRest)
        previousPosture = currentPosture
    }

    /// Changes to the scene at `time`, in seconds since the start of the trace.
    mutating func enterScene(at time: Double) {
        while time >= sceneEnd, nextScene < scenario.scenes.count {
            let scene = scenario.scenes[nextScene]
            model = motionModel(of: scene, index: nextScene)
            previousPosture = currentPosture
            currentPosture = scenario.placement.posture(during: scene.doing)
            sceneStart = sceneEnd
            sceneEnd = sceneStart + scene.duration
            nextScene += 1
        }
    }

    /// Computes the motions at `times`, in seconds since the start of the scene.
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double]) {
        model.fill(&motions, at: times)
        guard let first = times.first, let last = times.last else { return }
        let length = Float(sceneEnd - sceneStart)
        guard Float(first) < Self.fading || length - Float(last) < Self.fading else { return }
        for index in times.indices {
            let edge = min(Float(times[index]), length - Float(times[index]))
            let share = smoothStep(edge / Self.fading)
            motions[index].acceleration *= share
            motions[index].tilt *= share
        }
    }

    /// The pitch and roll of the posture in turns at `time`, in seconds since the start of the scene.
    @inline(__always)
    func posture(at time: Double) -> SIMD2<Float> {
        let share = Float(time) / Self.settling
        guard share < 1 else { return currentPosture }
        return previousPosture + smoothStep(share) * (currentPosture - previousPosture)
    }

    private func motionModel(of scene: Scene, index: Int) -> any MotionModel {
        let placement = scenario.placement
        let isWrist = placement == .wrist
        var random = SplitMix64(seed: seed, .motion, index: index)
        let plan = SplitMix64(seed: seed, .plan, index: index)
        switch scene.doing {
        case .deviceAtRest: return StillMotion()
        case .sleeping: return RestMotion(.sleeping, random: &random)
        case .standing: return RestMotion(.standing(isWrist: isWrist), random: &random)
        case .sitting: return RestMotion(.sitting(isWrist: isWrist), random: &random)
        case .deskWork: return RestMotion(.deskWork(isWrist: isWrist), random: &random)
        case .handling: return HandlingMotion(random: &random)
        case .walking(let gait), .running(let gait):
            let template = StrideTemplate(
                gait, isRun: scene.doing.flags == .running, placement: placement, seed: seed, sampleRate: sampleRate)
            let timeline = GaitTimeline(gait: gait, duration: scene.duration, random: plan)
            return GaitMotion(timeline: timeline, template: template, gait: gait, random: &random)
        case .driving(let ride):
            let profile = SpeedProfile(ride: ride, duration: scene.duration, random: plan)
            return RideMotion(
                ride: ride, profile: profile, placement: placement, sampleRate: sampleRate, random: &random)
        }
    }
}
