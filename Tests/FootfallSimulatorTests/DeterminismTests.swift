import Footfall
import FootfallSimulator
import Testing

@Suite("The same seed gives the same simulation")
struct DeterminismTests {
    private static let faulty = SensorModel(
        sampleRate: 50, jitter: 0.003, lostShare: 0.02, gaps: [20..<24])

    @Test("the same seed gives the same samples, another seed others", arguments: ["commute", "errands", "handling"])
    func seeds(name: String) throws {
        let scenario = try Scenario.named(name).lasting(120)
        let first = try Simulation(scenario, seed: 5, sensor: Self.faulty)
        let second = try Simulation(scenario, seed: 5, sensor: Self.faulty)
        let other = try Simulation(scenario, seed: 6, sensor: Self.faulty)
        #expect(Array(first) == Array(second))
        #expect(first.truth == second.truth)
        #expect(Array(first) != Array(other))
    }

    @Test("the size of batches does not change the samples", arguments: [1, 7, 255, 4096, 1_000_000])
    func batches(size: Int) throws {
        let scenario = Scenario.commute.lasting(100)
        let reference = try Simulation(scenario, seed: 1, sensor: Self.faulty, samplesPerBatch: 100)
        let cut = try Simulation(scenario, seed: 1, sensor: Self.faulty, samplesPerBatch: size)
        #expect(cut.joinedSamples == reference.joinedSamples)
        #expect(cut.dropLast().allSatisfy { $0.count == size })
    }

    @Test("the sensor does not change the steps")
    func sensorIndependence() throws {
        let coarse = try Simulation(.commute, seed: 9, sensor: SensorModel(sampleRate: 12.5, jitter: 0.01))
        let fine = try Simulation(.commute, seed: 9, sensor: .ideal(sampleRate: 800))
        #expect(coarse.truth == fine.truth)
    }

    @Test("each scenario has a name; an unknown name is refused with the list of names")
    func names() throws {
        for scenario in Scenario.named {
            #expect(try Scenario.named(scenario.name) == scenario)
            #expect(!scenario.summary.isEmpty)
        }
        #expect(throws: SimulationError.unknownScenario(name: "fly", known: Scenario.named.map(\.name))) {
            try Scenario.named("fly")
        }
    }
}

extension Simulation {
    /// All samples in one batch.
    var joinedSamples: SampleBatch { SampleBatch(self.joined()) }
}
