import Footfall
import FootfallSimulator
import Testing

@Suite("The motion resembles that of people")
struct MotionTests {
    @Test("the magnitude peaks after an initial contact with the documented delay", arguments: Placement.allCases)
    func contactDelay(placement: Placement) throws {
        let scenario = Scenario.walk.worn(placement).lasting(60)
        let simulation = try Simulation(scenario, seed: 8, sensor: SensorModel(sampleRate: 200))
        var samples = simulation.joinedSamples[...]
        var delays: [Double] = []
        for step in simulation.truth.steps.dropFirst(3).dropLast(3) {
            samples = samples.drop { $0.time.seconds(since: step.time) < -0.2 }
            let around = samples.prefix { $0.time.seconds(since: step.time) < 0.2 }
            guard let peak = around.max(by: { $0.magnitude < $1.magnitude }) else { continue }
            delays.append(peak.time.seconds(since: step.time))
        }
        #expect(delays.count > 90)
        delays.sort()
        #expect(abs(delays[delays.count / 2] - placement.delayAfterContact) < 0.01)
        #expect(delays[delays.count * 9 / 10] - delays[delays.count / 10] < 0.05)
    }

    @Test(
        "the magnitude varies as on people",
        arguments: [
            // Standard deviation of the magnitude in g: a little more than the 10th to 90th percentile of recordings of
            // each kind.
            ("walk", Placement.wrist, Float(0.12)...0.4), ("walk", .pocket, 0.15...0.5), ("walk", .hip, 0.12...0.45),
            ("run", .wrist, 0.5...1.4), ("run", .pocket, 0.5...1.2), ("run", .hip, 0.5...1.1),
            ("drive", .wrist, 0.02...0.12), ("drive", .pocket, 0.01...0.1), ("desk", .wrist, 0.005...0.07),
            ("stand", .pocket, 0.001...0.03), ("handling", .pocket, 0.04...0.25), ("rest", .hip, 0.001...0.006),
        ])
    func level(name: String, placement: Placement, expected: ClosedRange<Float>) throws {
        let scenario = try Scenario.named(name).worn(placement).lasting(60)
        for seed in 0..<2 {
            let simulation = try Simulation(scenario, seed: UInt64(seed), sensor: SensorModel(sampleRate: 50))
            let magnitudes = simulation.joined().map(\.magnitude)
            let mean = magnitudes.reduce(0, +) / Float(magnitudes.count)
            let variance = magnitudes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(magnitudes.count)
            #expect(expected.contains(variance.squareRoot()))
        }
    }

    @Test("a runner flies: the magnitude drops below 0.5 g in every step")
    func flight() throws {
        let scenario = Scenario.run.worn(.hip).lasting(30)
        let simulation = try Simulation(scenario, seed: 2, sensor: SensorModel(sampleRate: 100))
        var samples = simulation.joinedSamples[...]
        let times = simulation.truth.steps.map(\.time)
        #expect(times.count > 70)
        for (step, next) in zip(times, times.dropFirst()).dropFirst(3).dropLast(3) {
            samples = samples.drop { $0.time < step }
            let lowest = samples.prefix { $0.time < next }.map(\.magnitude).min()
            #expect(try #require(lowest) < 0.5)
        }
    }

    @Test("the acceleration is continuous, also between scenes", arguments: Placement.allCases)
    func continuity(placement: Placement) throws {
        let scenario = Scenario.errands.worn(placement).lasting(240)
        let samples = try Simulation(scenario, seed: 5, sensor: .ideal(sampleRate: 200)).joinedSamples
        #expect(samples.count == 48_000)
        for (sample, next) in zip(samples, samples.dropFirst()) {
            let change = max(abs(next.x - sample.x), abs(next.y - sample.y), abs(next.z - sample.z))
            if change > 0.25 { Issue.record("\(change) g in 5 ms at \(sample.time)") }
        }
    }

    @Test("the rate hardly changes the acceleration")
    func rates() throws {
        func level(_ rate: Double) throws -> Float {
            let simulation = try Simulation(Scenario.walk.lasting(60), seed: 1, sensor: .ideal(sampleRate: rate))
            let magnitudes = simulation.joined().map(\.magnitude)
            let mean = magnitudes.reduce(0, +) / Float(magnitudes.count)
            return (magnitudes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(magnitudes.count)).squareRoot()
        }
        let fine = try level(400)
        #expect(abs(try level(50) / fine - 1) < 0.05)
        #expect(abs(try level(12.5) / fine - 1) < 0.25)
    }
}
