/// Where the scenes of a scenario are played, one after the other.
struct Stage: Sendable {
    private let scenario: Scenario
    private let seed: UInt64
    private let sampleRate: Double
    private var index = 0
    private var model: any MotionModel
    private var previousPosture: Posture
    private var currentPosture: Posture
    /// Seconds since the trace's start.
    private(set) var sceneStart = 0.0
    /// Seconds since the trace's start; adds up just as ``Scenario/duration`` does, so that no sample lies past the
    /// last.
    private(set) var sceneEnd: Double

    /// How long it takes to get into the posture of a new scene, in seconds.
    private static let settling: Float = 1.2
    /// Within this many seconds of either end of a scene its motion fades, so that nothing jumps.
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

    /// Moves on to the scene that is on at `time`, in seconds since the trace's start.
    mutating func enterScene(at time: Double) {
        while time >= sceneEnd, index + 1 < scenario.scenes.count {
            sceneStart = sceneEnd
            index += 1
            begin(scenario.scenes[index])
        }
    }

    /// The motions at `times`, in seconds since the scene's start.
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

    /// The posture at `time`, in seconds since the scene's start.
    @inline(__always)
    func posture(at time: Double) -> Posture {
        let share = Float(time) / Stage.settling
        guard share < 1 else { return currentPosture }
        return Posture.between(previousPosture, currentPosture, share: smoothStep(share))
    }
}
