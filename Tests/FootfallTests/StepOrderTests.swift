import Footfall
import FootfallSimulator
import TestSupport
import Testing

@Suite("Steps of ragged walking")
struct StepOrderTests {
    /// What happens to a walk for a second or so, again and again.
    enum Dropout: Int, CaseIterable {
        /// Samples are missing, and those behind follow at once.
        case splice
        /// The sensor holds its last value.
        case hold
        /// The device is shaken.
        case shake
        /// The motion nearly stops.
        case stop
    }

    /// At seams between bouts a resumed bout could begin before the end of the one before it, and a phase that leaps
    /// ahead could count a step twice. Unless the shortest interval is kept, four of these walks have such a step.
    @Test("increase in time and keep the shortest interval, whatever drops out of a walk", arguments: Dropout.allCases)
    func order(dropout: Dropout) throws {
        var steps = 0
        for seed in 1...600 as ClosedRange<UInt64> {
            guard let samples = try Self.walk(seed: seed, dropout) else { continue }
            let times = [SampleBatch(samples)].events.steps.map(\.time)
            steps += times.count
            for (first, second) in zip(times, times.dropFirst())
            where second.seconds(since: first) < Step.shortestInterval {
                Issue.record("seed \(seed): a step at \(second) after one at \(first)")
            }
        }
        #expect(steps > 1000)
    }

    /// An analyzer that has settled everything may get more samples, which begin a new signal at once. Here they repeat
    /// up to a second of the walk, so that a step comes soon after the last one.
    @Test("increase in time and keep the shortest interval where the analysis pauses")
    func pause() throws {
        for seed in 1...12 as ClosedRange<UInt64> {
            let simulation = try Simulation(.walk.lasting(40), seed: seed, sensor: SensorModel(sampleRate: 50))
            let samples = simulation.flatMap(Array.init)
            for pause in 1000..<1050 {
                let repeated = samples[pause].time.seconds(since: samples[1000].time)
                let rest = samples[1000...].map { sample in
                    AccelerationSample(
                        time: sample.time.advanced(bySeconds: repeated), x: sample.x, y: sample.y, z: sample.z)
                }
                var analyzer = MotionAnalyzer()
                var events = analyzer.analyze(SampleBatch(samples[..<pause])) + analyzer.finish()
                events += analyzer.analyze(SampleBatch(rest)) + analyzer.finish()
                let times = events.steps.map(\.time)
                #expect(times.count > 60)
                for (first, second) in zip(times, times.dropFirst())
                where second.seconds(since: first) < Step.shortestInterval {
                    Issue.record("seed \(seed), pause at \(pause): a step at \(second) after one at \(first)")
                }
            }
        }
    }

    /// A minute and a half of walking or running, in pieces of other strengths; nil for a seed of another dropout.
    private static func walk(seed: UInt64, _ dropout: Dropout) throws -> [AccelerationSample]? {
        var random = SeededGenerator(seed: seed)
        let placement = try #require(Placement.allCases.randomElement(using: &random))
        let scenario = (seed % 4 == 0 ? Scenario.run : .walk).worn(placement).lasting(90)
        let sensor = SensorModel(sampleRate: [25, 50, 100][Int(seed % 3)])
        let (shortest, longest) = (Double.random(in: 1...4, using: &random), Double.random(in: 4...12, using: &random))
        guard Int.random(in: 0..<4, using: &random) == dropout.rawValue else { return nil }
        let samples = try Simulation(scenario, seed: seed, sensor: sensor).flatMap(Array.init)
        guard var start = samples.first?.time else { return nil }
        var (end, shift, strength) = (start, 0.0, Float(1))
        var left: [AccelerationSample] = []
        for var sample in samples {
            if sample.time >= end {
                if dropout == .splice { shift -= end.seconds(since: start) }
                start = sample.time.advanced(bySeconds: Double.random(in: shortest...longest, using: &random))
                end = start.advanced(bySeconds: Double.random(in: 0.3...2.5, using: &random))
                strength = Float.random(in: 0.3...2.5, using: &random)
            }
            if sample.time >= start, let last = left.last {
                switch dropout {
                case .splice: continue
                case .hold: sample.vector = last.vector
                case .shake: sample.vector += SIMD3<Float>.random(in: -1...1, using: &random)
                case .stop: sample.vector = sample.vector * 0.2 + SIMD3(0, 0, 0.8)
                }
            } else if dropout == .shake || dropout == .stop {
                sample.vector *= strength
            }
            sample.time = sample.time.advanced(bySeconds: shift)
            left.append(sample)
        }
        return left
    }
}

extension AccelerationSample {
    fileprivate var vector: SIMD3<Float> {
        get { SIMD3(x, y, z) }
        set { (x, y, z) = (newValue.x, newValue.y, newValue.z) }
    }
}
