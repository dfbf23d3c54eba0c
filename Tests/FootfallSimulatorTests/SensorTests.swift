import Footfall
import FootfallSimulator
import Testing

@Suite("Sensors have their properties")
struct SensorTests {
    @Test("the rate is exact", arguments: [12.5, 25, 31.25, 50, 100, 400, 800])
    func rates(rate: Double) throws {
        let simulation = try Simulation(Scenario.stand.lasting(20), seed: 1, sensor: .ideal(sampleRate: rate))
        let times = simulation.joinedSamples.times
        #expect(times.count == Int(20 * rate))
        #expect(times.first == .epoch)
        for (index, time) in times.enumerated() {
            #expect(abs(time.seconds(since: .epoch) - Double(index) / rate) < 1e-8)
        }
    }

    @Test("jitter has its size and never changes the order")
    func jitter() throws {
        let sensor = SensorModel(sampleRate: 50, jitter: 0.004)
        let times = try Simulation(Scenario.rest.lasting(200), seed: 1, sensor: sensor).joinedSamples.times
        let errors = times.enumerated().map { $1.seconds(since: .epoch) - Double($0) / 50 }
        let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(abs(rms / 0.004 - 1) < 0.05)

        let wild = SensorModel(sampleRate: 50, jitter: 0.5)
        let wildTimes = try Simulation(Scenario.rest.lasting(200), seed: 1, sensor: wild).joinedSamples.times
        #expect(zip(wildTimes, wildTimes.dropFirst()).allSatisfy(<))
    }

    @Test("samples are lost and gaps occur as specified")
    func losses() throws {
        let requested: [Range<Double>] = [30..<40, 35..<50, 100..<101]
        let sensor = SensorModel(sampleRate: 50, lostShare: 0.1, gaps: requested)
        let simulation = try Simulation(Scenario.rest.lasting(1800), seed: 4, sensor: sensor)
        let samples = simulation.joinedSamples
        let gaps = simulation.truth.gaps
        #expect(gaps.map(\.seconds) == [20, 1])
        for (gap, next) in zip(gaps, gaps.dropFirst()) { #expect(gap.upperBound < next.lowerBound) }
        for gap in gaps { #expect(!samples.times.contains { gap.contains($0) }) }
        for range in requested {
            let (start, end) = (Timestamp.epoch.advanced(bySeconds: range.lowerBound), range.upperBound)
            #expect(gaps.contains { $0.contains(start) && $0.upperBound.seconds(since: .epoch) >= end })
        }
        let covered = 1800 - gaps.reduce(0) { $0 + $1.seconds }
        #expect(abs(Double(samples.count) / (covered * 50) - 0.9) < 0.01)
    }

    @Test("a device at rest measures 1 g in every orientation")
    func gravity() throws {
        for roll in stride(from: Float(-180), to: 180, by: 45) {
            for pitch in stride(from: Float(-90), through: 90, by: 30) {
                var sensor = SensorModel.ideal(sampleRate: 25)
                sensor.orientation = Orientation(roll: roll, pitch: pitch, yaw: roll / 2)
                sensor.wander = 20
                for sample in try Simulation(Scenario.rest.lasting(2), seed: 1, sensor: sensor).joined() {
                    #expect(abs(sample.magnitude - 1) < 1e-4)
                }
            }
        }
        var turned = SensorModel.ideal()
        turned.orientation = Orientation(roll: 90)
        let sample = try #require(try Simulation(.rest, seed: 1, sensor: turned).joinedSamples.first)
        #expect(abs(sample.x) < 1e-4 && abs(sample.y + 1) < 1e-4 && abs(sample.z) < 1e-4)
    }

    @Test("noise, bias, scale, range and resolution have their sizes")
    func faults() throws {
        var sensor = SensorModel.ideal()
        sensor.noise = 0.01
        sensor.bias = SIMD3(0.1, -0.2, 0.3)
        sensor.scale = SIMD3(1, 1, 1.1)
        let noisy = try Simulation(Scenario.rest.lasting(100), seed: 1, sensor: sensor).joinedSamples
        #expect(abs(mean(noisy.x) - 0.1) < 1e-3 && abs(mean(noisy.y) + 0.2) < 1e-3 && abs(mean(noisy.z) - 1.4) < 1e-3)
        let variance = mean(noisy.x.map { ($0 - 0.1) * ($0 - 0.1) })
        #expect(abs(variance.squareRoot() - 0.01) < 5e-4)

        sensor.resolution = 1 / 64
        sensor.range = 1.25
        let coarse = try Simulation(Scenario.rest.lasting(10), seed: 1, sensor: sensor).joinedSamples
        #expect(coarse.count == 1000)
        #expect(coarse.z.allSatisfy { $0 == 1.25 })
        #expect(coarse.x.allSatisfy { $0 * 64 == ($0 * 64).rounded() })
    }

    @Test(
        "a sensor out of range is refused",
        arguments: [
            SensorModel(sampleRate: 0), SensorModel(sampleRate: .nan), SensorModel(jitter: -1),
            SensorModel(noise: .infinity), SensorModel(start: Timestamp(nanosecondsSince1970: .max)),
        ])
    func refusals(sensor: SensorModel) {
        #expect(throws: SimulationError.self) { try Simulation(.rest, seed: 1, sensor: sensor) }
    }

    @Test(
        "a scene out of range is refused",
        arguments: [
            Scene(.standing, for: -1), Scene(.standing, for: .infinity),
            Scene(.walking(Gait(cadence: -100)), for: 10), Scene(.running(Gait(cadence: .infinity)), for: 10),
            Scene(.walking(Gait(cadence: 100, asymmetry: -1e300)), for: 10),
            Scene(.driving(Ride(speeds: -1...15, cruises: 10...45, halts: 8...50, haltShare: 0.6)), for: 90),
            Scene(.driving(Ride(speeds: 7...15, cruises: -9...45, halts: 8...50, haltShare: 0.6)), for: 90),
            Scene(.driving(Ride(speeds: 7...15, cruises: 10...45, halts: -50 ... -8, haltShare: 0.6)), for: 90),
            Scene(.driving(Ride(speeds: 7...15, cruises: 10...45, halts: 8...50, haltShare: .nan)), for: 90),
        ])
    func refusedScenes(scene: Scene) {
        #expect(throws: SimulationError.self) { try Simulation(Scenario(name: "", scenes: [scene]), seed: 1) }
    }

    @Test("without scenes there are no samples")
    func nothing() throws {
        let nothing = try Simulation(Scenario(name: "nothing", scenes: []), seed: 1)
        #expect(nothing.joinedSamples.isEmpty)
        #expect(nothing.truth.steps.isEmpty && nothing.truth.segments.isEmpty && nothing.truth.gaps.isEmpty)
        let instant = try Simulation(Scenario(name: "", scenes: [Scene(.walking(), for: 0)]), seed: 1)
        #expect(instant.joinedSamples.isEmpty && instant.truth.segments.isEmpty)
    }

    private func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(values.count) }
}

extension SensorModel {
    /// A sensor without errors: no jitter, no noise, no quantization.
    static func ideal(sampleRate: Double = 100) -> SensorModel {
        SensorModel(sampleRate: sampleRate, jitter: 0, noise: 0, range: .infinity, resolution: 0, wander: 0)
    }
}
