/// A sequence of scenes with the device at one placement.
///
/// ```swift
/// let errand = Scenario(
///     name: "errand", placement: .wrist,
///     scenes: [Scene(.deskWork, for: 60), Scene(.walking(.brisk), for: 120), Scene(.standing, for: 30)])
/// let simulation = try Simulation(errand, seed: 7, sensor: SensorModel(sampleRate: 50))
/// ```
public struct Scenario: Hashable, Sendable {
    /// The name, such as `commute`.
    public var name: String
    /// A description in one sentence.
    public var summary: String
    /// The place of the device on the body.
    public var placement: Placement
    /// The scenes in order.
    public var scenes: [Scene]

    /// Creates a scenario.
    public init(name: String, summary: String = "", placement: Placement = .pocket, scenes: [Scene]) {
        self.name = name
        self.summary = summary
        self.placement = placement
        self.scenes = scenes
    }

    /// The total duration in seconds.
    public var duration: Double { scenes.reduce(0) { $0 + $1.duration } }

    /// Returns the scenario with another placement.
    public func worn(_ placement: Placement) -> Scenario {
        var scenario = self
        scenario.placement = placement
        return scenario
    }

    /// Returns the scenario with another duration in seconds: a single scene gets it; several scenes repeat and are
    /// cut.
    public func lasting(_ duration: Double) -> Scenario {
        var scenario = self
        guard scenes.count > 1, self.duration > 0 else {
            scenario.scenes = scenes.map { Scene($0.doing, for: duration) }
            return scenario
        }
        scenario.scenes = []
        var left = duration
        var next = 0
        while left > 0 {
            let scene = scenes[next % scenes.count]
            scenario.scenes.append(Scene(scene.doing, for: min(scene.duration, left)))
            left -= scene.duration
            next += 1
        }
        return scenario
    }
}
