import Footfall
import Foundation
import TestSupport
import Testing

/// A car on a rough road shakes as much as a bicycle. Its springs attenuate what is above 8 Hz, and it has no crank. A
/// phone in a rider's trousers has neither too, but the even rhythm of the legs. A body that sways has no road.
@Suite("Suspension")
struct SuspensionTests {
    /// Two minutes of a rough road. `fast` is the level above 8 Hz in g.
    private func road(fast: Double, pedals: [Double] = [], seed: UInt64, rate: Double) -> [Segment] {
        let bands = [
            (0.2..<1.2, 0.035), (1.2..<3, 0.09), (3..<4.5, 0.09), (4.5..<6.2, 0.12), (6.2..<8, 0.07), (8..<11, fast),
        ]
        return segments(bands, pedals: pedals, seed: seed, rate: rate)
    }

    /// Two minutes of slow motion, along a line or in all directions, and of some that is faster; the levels are in g.
    private func sway(slow: Double, alongLine: Bool = true, fast: Double, seed: UInt64) -> [Segment] {
        let bands = [(0.2..<0.6, slow), (0.6..<1.2, slow / 3)]
        let road = [(1.2..<11.0, fast)]
        return alongLine
            ? segments(road, line: bands, seed: seed, rate: 50) : segments(bands + road, seed: seed, rate: 50)
    }

    private typealias Wave = (size: Double, hertz: Double, phase: Double)

    /// Shaking without rhythm; each band has a level in g.
    private func waves(_ bands: [(Range<Double>, Double)], _ random: inout SeededGenerator) -> [Wave] {
        bands.flatMap { band, level in
            (0..<24).map { _ in
                let hertz = Double.random(in: band, using: &random)
                return (level * (2.0 / 24).squareRoot(), hertz, Double.random(in: 0..<1, using: &random))
            }
        }
    }

    /// Two minutes of shaking, in all directions in `bands` and along one in `line`. `pedals` is the size of a rhythm
    /// of 81 turns a minute and of its harmonics.
    private func segments(
        _ bands: [(Range<Double>, Double)], line: [(Range<Double>, Double)] = [], pedals: [Double] = [], seed: UInt64,
        rate: Double
    ) -> [Segment] {
        var random = SeededGenerator(seed: seed)
        let common =
            waves(line, &random)
            + pedals.enumerated().map { ($1, 1.35 * Double($0 + 1), 0.3 * Double($0)) }
        let axes = [0.5, 0.5, 0.7].map { share in
            (common + waves(bands, &random)).map { (size: share * $0.size, hertz: $0.hertz, phase: $0.phase) }
        }
        let samples = (0..<Int64(120 * rate)).map { index in
            let time = Double(index) / rate
            let values = axes.map { waves in
                waves.reduce(0) { $0 + $1.size * sin(2 * .pi * ($1.hertz * time + $1.phase)) }
            }
            return AccelerationSample(
                time: Timestamp(nanosecondsSince1970: Int64(time * 1e9)), x: Float(values[0]), y: Float(values[1]),
                z: Float(1 + values[2]))
        }
        var analyzer = MotionAnalyzer()
        return (analyzer.analyze(SampleBatch(samples)) + analyzer.finish()).segments
    }

    private func seconds(_ activity: Activity, in segments: [Segment]) -> Double {
        segments.filter { $0.activity == activity }.reduce(0) { $0 + $1.range.seconds }
    }

    @Test("a car on a rough road is no bicycle", arguments: [20, 25, 50, 100], [1, 2] as [UInt64])
    func car(rate: Double, seed: UInt64) {
        let segments = road(fast: 0.04, seed: seed, rate: rate)
        #expect(seconds(.cycling, in: segments) == 0)
        #expect(seconds(.automotive, in: segments) > 50)
    }

    @Test("the road above 8 Hz is that of a bicycle", arguments: [20, 25, 50, 100], [1, 2] as [UInt64])
    func bicycle(rate: Double, seed: UInt64) {
        let segments = road(fast: 0.25, seed: seed, rate: rate)
        #expect(seconds(.automotive, in: segments) == 0)
        #expect(seconds(.cycling, in: segments) > 100)
    }

    @Test("the pedals of a phone in trousers are no springs", arguments: [20, 25, 50, 100], [1, 2] as [UInt64])
    func pedals(rate: Double, seed: UInt64) {
        let segments = road(fast: 0.04, pedals: [0.12, 0.28, 0.14], seed: seed, rate: rate)
        #expect(seconds(.automotive, in: segments) == 0)
        #expect(seconds(.cycling, in: segments) > 60)
    }

    @Test("who sits and sways is in no car", arguments: [0.06, 0.1], [1, 2] as [UInt64])
    func sitter(slow: Double, seed: UInt64) {
        let segments = sway(slow: slow, fast: slow / 3, seed: seed)
        #expect(seconds(.automotive, in: segments) == 0)
        #expect(seconds(.stationary, in: segments) > 100)
    }

    @Test("the watch of a driver sways in all directions", arguments: [0.06, 0.1], [1, 2] as [UInt64])
    func steering(slow: Double, seed: UInt64) {
        let segments = sway(slow: slow, alongLine: false, fast: slow / 3, seed: seed)
        #expect(seconds(.stationary, in: segments) == 0)
        #expect(seconds(.automotive, in: segments) > 100)
    }

    @Test("a car that turns and brakes is no body", arguments: [(0.09, 0.08), (0.3, 0.1)], [1, 2] as [UInt64])
    func turns(levels: (slow: Double, fast: Double), seed: UInt64) {
        let segments = sway(slow: levels.slow, fast: levels.fast, seed: seed)
        #expect(seconds(.stationary, in: segments) == 0)
    }
}
