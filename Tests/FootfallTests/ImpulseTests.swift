import Footfall
import FootfallSimulator
import TestSupport
import Testing

/// A broken wire or a flipped bit gives single samples that no motion makes.
@Suite("Impulses")
struct ImpulseTests {
    /// Which axes of a sample are false.
    enum Axes: CaseIterable, Sendable { case one, all }

    /// The samples of a scenario, in which every `every`th sample on average is uniform between ±16 g.
    private func samples(
        _ scenario: Scenario, rate: Double, _ axes: Axes = .all, oneIn every: Int = 20, seconds: Double = 600
    ) throws -> (whole: SampleBatch, broken: SampleBatch) {
        var random = SeededGenerator(seed: UInt64(rate))
        var (whole, broken) = (SampleBatch(), SampleBatch())
        for sample in try Simulation(scenario.lasting(seconds), seed: 4, sensor: SensorModel(sampleRate: rate)).joined()
        {
            whole.append(sample)
            var sample = sample
            if Int.random(in: 0..<every, using: &random) == 0 {
                func value() -> Float { .random(in: -16...16, using: &random) }
                switch axes {
                case .one: sample.y = value()
                case .all: (sample.x, sample.y, sample.z) = (value(), value(), value())
                }
            }
            broken.append(sample)
        }
        return (whole, broken)
    }

    private func analysis(of batch: SampleBatch, batchesOf size: Int = .max) -> ([MotionEvent], SignalQuality) {
        var analyzer = MotionAnalyzer()
        var events: [MotionEvent] = []
        for start in stride(from: 0, to: batch.count, by: min(size, batch.count)) {
            events += analyzer.analyze(SampleBatch(batch[start..<min(start + min(size, batch.count), batch.count)]))
        }
        events += analyzer.finish()
        return (events, analyzer.quality)
    }

    @Test("at rest give no step", arguments: [25.0, 50, 100], Axes.allCases)
    func rest(rate: Double, axes: Axes) throws {
        for scenario in [Scenario.rest, .stand, .desk] {
            let (events, quality) = analysis(of: try samples(scenario, rate: rate, axes).broken)
            #expect(events.steps.isEmpty, "\(scenario.name)")
            // Smaller ones than 2 g stay.
            #expect(quality.impulses > quality.samples / 30)
        }
    }

    @Test("hardly change the steps of a walk", arguments: [25.0, 50, 100], Axes.allCases)
    func walk(rate: Double, axes: Axes) throws {
        for placement in Placement.allCases {
            let (whole, broken) = try samples(.walk.worn(placement), rate: rate, axes)
            let (steps, found) = (analysis(of: whole), analysis(of: broken).0.steps.count)
            #expect(steps.0.steps.count > 1000 && steps.1.impulses == 0)
            #expect(abs(found - steps.0.steps.count) * 100 <= 3 * steps.0.steps.count, "\(placement)")
        }
    }

    @Test("are counted, and the other samples keep their rate and times")
    func count() {
        let samples = SampleBatch(
            (0..<3000).map { index in
                let time = Timestamp(nanosecondsSince1970: Int64(index) * 20_000_000)
                let noise = Float(index % 7) * 0.0005
                return AccelerationSample(time: time, x: noise, y: 0, z: index % 20 == 10 ? -16 : 1)
            })
        let (_, quality) = analysis(of: samples)
        #expect(quality.impulses == 150 && quality.dropped == 150 && quality.samples == 3000)
        #expect(quality.sampleRate.map { abs($0 - 50) < 0.01 } ?? false)
        #expect(quality.coverage > 59.9 && quality.gaps == 0)
    }

    @Test("a knock, a clap and a fall of a few samples stay")
    func genuine() {
        // In g. The knock rings for four samples; the others last three and five.
        let pulses: [[Float]] = [[5, -3, 1.5, -0.7], [2.5, 8, 3], [-1, -1, 6, 4, 0.5]]
        let samples = SampleBatch(
            (0..<3000).map { index in
                let time = Timestamp(nanosecondsSince1970: Int64(index) * 20_000_000)
                let pulse = pulses[index / 100 % pulses.count]
                let value = index % 100 < pulse.count ? pulse[index % 100] : Float(index % 7) * 0.0005
                return AccelerationSample(time: time, x: value, y: 0, z: 1)
            })
        #expect(analysis(of: samples).1.impulses == 0)
    }

    @Test("the cuts into batches change nothing", arguments: [1, 2, 5, 13, 100])
    func batches(size: Int) throws {
        let broken = try samples(.commute, rate: 25, oneIn: 15, seconds: 400).broken
        let (whole, pieces) = (analysis(of: broken), analysis(of: broken, batchesOf: size))
        #expect(whole.1.impulses > 300)
        #expect(pieces.0 == whole.0 && pieces.1 == whole.1)
    }
}
