public import Footfall

/// What really happens in a simulation: exact steps, segments and gaps.
public struct GroundTruth: Hashable, Sendable {
    /// Every foot strike, in order, those during gaps included.
    public var steps: [Step] = []
    /// What the wearer does, without a break from the first moment to the last; touching segments differ in their
    /// flags.
    ///
    /// While a car stands, as at a red light, the flags are `[.automotive, .stationary]`. Probabilities are 1.
    public var segments: [Segment] = []
    /// The spans without samples: every sample lies before the start or at or after the end of each.
    public var gaps: [Range<Timestamp>] = []

    /// Creates an empty truth.
    public init() {}
}

extension GroundTruth {
    /// Lists what happens in a scenario, without making samples.
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
        for strike in part.strikes {
            steps.append(Step(time: start.advanced(bySeconds: sceneStart + strike)))
        }
        var strikes = part.strikes.count
        if let last = segments.last, last.flags == part.flags {
            segments.removeLast()
            lower = last.range.lowerBound
            strikes += last.steps
        }
        segments.append(Segment(range: lower..<upper, flags: part.flags, probability: 1, steps: strikes))
    }
}

extension Scene {
    /// A stretch of a scene over which the flags stay the same, with its foot strikes in seconds since the scene's
    /// start.
    struct Part {
        var end: Double
        var flags: ActivityFlags
        var strikes: [Double] = []
    }

    /// The parts of the scene, in order; `plan` is the stream of random numbers its model plans with.
    func parts(plan: SplitMix64) -> [Part] {
        switch doing {
        case .walking(let gait), .running(let gait):
            let strikes = GaitTimeline(gait: gait, duration: duration, random: plan).map(\.time)
            return [Part(end: duration, flags: doing.flags, strikes: strikes)]
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
