import Footfall
import Foundation
import TestSupport
import Testing

/// A loose cable, a broken sensor or a wrong file gives noise. Noise does not walk.
@Suite("Noise")
struct NoiseTests {
    enum Noise: CustomTestStringConvertible, Sendable {
        /// Normal noise around 1 g, standard deviation in g.
        case normal(Double)
        /// Uniform noise between plus and minus a size in g.
        case uniform(Double)
        /// Single samples, with this share, that a resting sensor measures wrongly by about a size in g.
        case spikes(Double, size: Double = 1)
        /// The same on one axis.
        case axisSpikes(Double, size: Double)

        var testDescription: String {
            switch self {
            case .normal(let size): "normal, \(size) g"
            case .uniform(let size): "uniform, ±\(size) g"
            case .spikes(let share, let size): "spikes, \(share * 100) % of \(size) g"
            case .axisSpikes(let share, let size): "spikes on one axis, \(share * 100) % of \(size) g"
            }
        }

        func sample(_ random: inout SeededGenerator) -> SIMD3<Double> {
            func normal() -> Double { random.normal() }
            let gravity = SIMD3(0, 0, 1.0)
            switch self {
            case .normal(let size): return gravity + size * SIMD3(normal(), normal(), normal())
            case .uniform(let size):
                let range = -size...size
                return SIMD3(
                    .random(in: range, using: &random), .random(in: range, using: &random),
                    .random(in: range, using: &random))
            case .spikes(let share, let size):
                let isSpike = Double.random(in: 0..<1, using: &random) < share
                return gravity + (isSpike ? size : 0.002) * SIMD3(normal(), normal(), normal())
            case .axisSpikes(let share, let size):
                let isSpike = Double.random(in: 0..<1, using: &random) < share
                let sign = Bool.random(using: &random) ? size : -size
                return gravity + 0.002 * SIMD3(normal(), normal(), normal()) + SIMD3(isSpike ? sign : 0, 0, 0)
            }
        }

        /// The events of three minutes at a rate in Hz.
        func events(seed: UInt64, rate: Double = 50) -> [MotionEvent] {
            var random = SeededGenerator(seed: seed)
            let samples = (0..<Int64(180 * rate)).map { index in
                let value = SIMD3<Float>(sample(&random))
                let time = Timestamp(nanosecondsSince1970: Int64(Double(index) * 1e9 / rate))
                return AccelerationSample(time: time, x: value.x, y: value.y, z: value.z)
            }
            var analyzer = MotionAnalyzer()
            return analyzer.analyze(SampleBatch(samples)) + analyzer.finish()
        }
    }

    static let noises: [Noise] = [
        .normal(0.2), .normal(0.4), .normal(0.7), .normal(1), .uniform(1), .spikes(0.01), .spikes(0.05),
    ]

    @Test("noise has no steps", arguments: noises)
    func noSteps(noise: Noise) {
        for seed in 1...2 as ClosedRange<UInt64> {
            #expect(noise.events(seed: seed).steps.isEmpty)
        }
    }

    static let loudNoises: [Noise] = [
        .normal(0.05), .normal(0.1), .normal(0.2), .normal(0.3), .uniform(0.35), .uniform(1),
    ]

    @Test("noise is no activity", arguments: loudNoises, [12.5, 25, 50, 100])
    func noActivity(noise: Noise, rate: Double) {
        for seed in 1...2 as ClosedRange<UInt64> {
            let activities = Set(noise.events(seed: seed, rate: rate).segments.map(\.activity))
            #expect(activities == [.unknown])
        }
    }

    static let spikyNoises: [Noise] = [
        .spikes(0.01), .spikes(0.02, size: 2), .spikes(0.05), .spikes(0.1, size: 0.5), .axisSpikes(0.05, size: 1),
        .axisSpikes(0.1, size: 2),
    ]

    @Test("a sensor at rest with spikes is at rest or unknown", arguments: spikyNoises, [12.5, 25, 50, 100])
    func atRest(noise: Noise, rate: Double) {
        let events = noise.events(seed: 1, rate: rate)
        #expect(events.steps.isEmpty)
        #expect(Set(events.segments.map(\.activity)).isSubset(of: [.unknown, .stationary]))
    }

    @Test("a resting sensor is stationary although it is noisy", arguments: [12.5, 25, 50, 100])
    func resting(rate: Double) {
        let activities = Set(Noise.normal(0.01).events(seed: 1, rate: rate).segments.map(\.activity))
        #expect(activities == [.stationary])
    }

    @Test("noise of a narrow band does not walk", arguments: [1.2, 1.8, 2.4, 3], [0, 0.05, 0.2, 0.5])
    func narrowBand(frequency: Double, width: Double) {
        var steps = 0
        for (seed, rate) in [12.5, 25, 50, 100].enumerated() {
            var random = SeededGenerator(seed: UInt64(seed))
            let waves = (0..<20).map { _ in
                Wave(
                    hertz: frequency + .random(in: -width / 2...width / 2, using: &random),
                    phase: .random(in: 0...2 * .pi, using: &random))
            }
            let sums = (0..<Int(120 * rate)).map { index in
                waves.reduce(0) { $0 + $1.value(at: Double(index) / rate) }
            }
            for size in [0.1, 0.3, 1] {
                // All waves together have a standard deviation of `size`; a single one has this amplitude.
                let amplitude = size * (2 / Double(waves.count)).squareRoot()
                for direction in [SIMD3(0, 0, 1), SIMD3(0.6, 0, 0.8)] {
                    let events = Self.events(seconds: 120, rate: rate, noise: 0.003, &random) { time in
                        amplitude * sums[Int((time * rate).rounded())] * direction
                    }
                    steps += events.steps.count
                }
            }
        }
        // In 48 minutes. Where the noise nearly vanishes, the sensor's own noise beside it is not small.
        #expect(steps <= 20)
    }

    private struct Wave {
        let hertz: Double
        let phase: Double

        func value(at time: Double) -> Double { sin(2 * .pi * hertz * time + phase) }
    }

    /// The events of a sensor that a motion in g moves.
    private static func events(
        seconds: Double, rate: Double, noise: Double, _ random: inout SeededGenerator,
        _ motion: (Double) -> SIMD3<Double>
    ) -> [MotionEvent] {
        let samples = (0..<Int64(seconds * rate)).map { index in
            let time = Double(index) / rate
            let value = SIMD3<Float>(Noise.normal(noise).sample(&random) + motion(time))
            return AccelerationSample(
                time: Timestamp(nanosecondsSince1970: Int64(time * 1e9)), x: value.x, y: value.y, z: value.z)
        }
        var analyzer = MotionAnalyzer()
        return analyzer.analyze(SampleBatch(samples)) + analyzer.finish()
    }

    @Test("the most even walk on a treadmill walks", arguments: [12.5, 25, 50, 100])
    func treadmill(rate: Double) {
        var random = SeededGenerator(seed: 1)
        let (step, stride, double) = (
            Wave(hertz: 1.9, phase: 0), Wave(hertz: 0.95, phase: 1), Wave(hertz: 3.8, phase: 2)
        )
        // At a hip. Beside the line at the cadence, the stride and the double cadence have 0.13 of the power.
        let events = Self.events(seconds: 120, rate: rate, noise: 0.003, &random) { time in
            SIMD3(0.08 * stride.value(at: time), 0, 0.3 * step.value(at: time) + 0.08 * double.value(at: time))
        }
        #expect((226...230).contains(events.steps.count))
    }

    @Test("a shaker does not walk", arguments: [1.5, 2, 2.5, 3], [12.5, 25, 50, 100])
    func tone(frequency: Double, rate: Double) {
        let samples = (0..<Int64(120 * rate)).map { index in
            let seconds = Double(index) / rate
            let motion = Float(0.3 * sin(2 * .pi * frequency * seconds))
            let time = Timestamp(nanosecondsSince1970: Int64(seconds * 1e9))
            return AccelerationSample(time: time, x: 0, y: 0, z: 1 + motion)
        }
        var analyzer = MotionAnalyzer()
        let events = analyzer.analyze(SampleBatch(samples)) + analyzer.finish()
        // The first and the last windows are filled in part.
        let start = Timestamp(nanosecondsSince1970: 10_000_000_000)
        let end = Timestamp(nanosecondsSince1970: 110_000_000_000)
        #expect(events.steps.allSatisfy { $0.time < start || $0.time >= end })
        let segments = events.segments.filter { $0.range.lowerBound < end && $0.range.upperBound > start }
        #expect(Set(segments.map(\.activity)) == [.unknown])
    }
}
