/// A simulated trace of the folder `SensorTraces`, which ships with the package.
///
/// ``simulation()`` in the form of ``format`` reproduces the file byte for byte.
public struct ShippedTrace: Hashable, Sendable {
    /// The name of the file without `.csv`.
    public var name: String
    /// The motion of the wearer and the placement of the sensor.
    public var scenario: Scenario
    /// The seed of the simulation.
    public var seed: UInt64
    /// The sensor.
    public var sensor = SensorModel(sampleRate: 50)

    /// The form of shipped traces. Three decimals, one milligravity, are finer than the noise of their sensors.
    public static let format = CSVFormat(times: .seconds, decimals: 3)

    /// The trace as a simulation.
    ///
    /// - Throws: ``SimulationError`` for a property out of range, which no trace in ``all`` has.
    public func simulation() throws(SimulationError) -> Simulation {
        try Simulation(scenario, seed: seed, sensor: sensor)
    }

    /// All shipped traces, in the order of the README of the folder.
    public static let all: [ShippedTrace] = [
        ShippedTrace(name: "commute", scenario: .commute, seed: 1),
        ShippedTrace(name: "walk-wrist", scenario: .walk.worn(.wrist).lasting(120), seed: 2),
        ShippedTrace(name: "stroll-hip", scenario: stroll, seed: 3),
        ShippedTrace(name: "run-pocket", scenario: .run.lasting(120), seed: 4),
        ShippedTrace(name: "errands-wrist", scenario: .errands, seed: 5),
        ShippedTrace(name: "drive-pocket", scenario: .drive.lasting(360), seed: 6),
        ShippedTrace(name: "desk-wrist", scenario: .desk.lasting(240), seed: 7),
        ShippedTrace(name: "handling", scenario: .handling.lasting(120), seed: 8),
        ShippedTrace(name: "gaps", scenario: .walk.worn(.wrist).lasting(300), seed: 9, sensor: lossy),
        ShippedTrace(name: "poor-sensor", scenario: .errands.worn(.hip).lasting(180), seed: 10, sensor: poor),
    ]

    /// A slow walk with pauses.
    private static let stroll = Scenario(
        name: "stroll", placement: .hip,
        scenes: [
            Scene(.walking(.stroll), for: 60), Scene(.standing, for: 20), Scene(.walking(.stroll), for: 45),
            Scene(.standing, for: 10),
        ])

    /// A slow radio link: jitter, 5 % of the samples lost, two gaps.
    private static let lossy = SensorModel(
        sampleRate: 12.5, jitter: 0.012, lostShare: 0.05, gaps: [60..<75, 180..<183.5])

    /// A cheap sensor in an odd orientation: noise, bias, scale errors, coarse resolution, ±2 g.
    private static let poor = SensorModel(
        sampleRate: 50, jitter: 0.002, noise: 0.02, bias: SIMD3(0.04, -0.06, 0.03), scale: SIMD3(1.03, 0.97, 1.04),
        range: 2, resolution: 1 / 64, orientation: Orientation(roll: 130, pitch: -40, yaw: 75), wander: 6)
}
