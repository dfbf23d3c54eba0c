public import Footfall

/// The exact steps, segments and gaps of a simulation.
public struct GroundTruth: Hashable, Sendable {
    /// All steps in order, including those during gaps.
    public var steps: [Step] = []
    /// The activities from start to end, without gaps. Adjacent segments differ in their flags.
    ///
    /// The flags of a halted car are `[.automotive, .stationary]`. Probabilities are 1.
    public var segments: [Segment] = []
    /// The spans without samples. A sample may lie at the end of a span, but not at its start.
    public var gaps: [Range<Timestamp>] = []

    /// Creates an empty truth.
    public init() {}
}

extension GroundTruth {
    /// Computes the truth of a scenario without its samples.
    init(_ scenario: Scenario, seed: UInt64, sensor: SensorModel) {
        self.init()
        var sceneStart = 0.0
        for (index, scene) in scenario.scenes.enumerated() {
            let plan = SplitMix64(seed: seed, .plan, index: index)
            for part in scene.parts(plan: plan) {
                append(part, sceneStart: sceneStart, start: sensor.start)
            }
            sceneStart += scene.duration
        }
        for gap in GapTimeline(sensor: sensor, duration: scenario.duration, seed: seed) where !gap.isEmpty {
            gaps.append(
                sensor.start.advanced(bySeconds: gap.lowerBound)..<sensor.start.advanced(bySeconds: gap.upperBound))
        }
    }

    private mutating func append(_ part: Scene.Part, sceneStart: Double, start: Timestamp) {
        var lower = segments.last?.range.upperBound ?? start
        let upper = max(lower, start.advanced(bySeconds: sceneStart + part.end))
        guard lower < upper else { return }
        for contact in part.contacts {
            steps.append(Step(time: start.advanced(bySeconds: sceneStart + contact)))
        }
        var count = part.contacts.count
        if let last = segments.last, last.flags == part.flags {
            segments.removeLast()
            lower = last.range.lowerBound
            count += last.steps
        }
        segments.append(Segment(range: lower..<upper, flags: part.flags, probability: 1, steps: count))
    }
}

extension Scene {
    /// A part of a scene with constant flags. Times are in seconds since the start of the scene.
    struct Part {
        var end: Double
        var flags: ActivityFlags
        var contacts: [Double] = []
    }

    /// The parts of the scene in order. `plan` is the random stream that its motion model uses.
    func parts(plan: SplitMix64) -> [Part] {
        switch doing {
        case .walking(let gait), .running(let gait):
            let contacts = GaitTimeline(gait: gait, duration: duration, random: plan).map(\.time)
            return [Part(end: duration, flags: doing.flags, contacts: contacts)]
        case .driving(let ride):
            return SpeedProfile(ride: ride, duration: duration, random: plan).map { leg in
                let flags: ActivityFlags = leg.isHalt ? [.automotive, .stationary] : .automotive
                return Part(end: min(leg.end, duration), flags: flags)
            }
        case .deviceAtRest, .sleeping, .standing, .sitting, .deskWork, .handling:
            return [Part(end: duration, flags: doing.flags)]
        }
    }
}
