/// What a wearer does, scene after scene, and where the device is worn meanwhile.
///
/// ```swift
/// let errand = Scenario(
///     name: "errand", placement: .wrist,
///     scenes: [Scene(.deskWork, for: 60), Scene(.walking(.brisk), for: 120), Scene(.standing, for: 30)])
/// let simulation = try Simulation(errand, seed: 7, sensor: SensorModel(sampleRate: 50))
/// ```
public struct Scenario: Hashable, Sendable {
    /// A short name, such as `commute`.
    public var name: String
    /// What the scenario is good for, in one sentence.
    public var summary: String
    /// Where the device is worn.
    public var placement: Placement
    /// What happens, in this order.
    public var scenes: [Scene]

    /// Creates a scenario.
    public init(name: String, summary: String = "", placement: Placement = .pocket, scenes: [Scene]) {
        self.name = name
        self.summary = summary
        self.placement = placement
        self.scenes = scenes
    }

    /// How long it takes, in seconds.
    public var duration: Double { scenes.reduce(0) { $0 + $1.duration } }

    /// The same scenario worn elsewhere.
    public func worn(_ placement: Placement) -> Scenario {
        var scenario = self
        scenario.placement = placement
        return scenario
    }

    /// The scenario made to last `duration` seconds: a single scene is stretched, several are repeated and cut.
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
