import Footfall
import Foundation
import TestSupport
import Testing

/// A car on a rough road shakes as much as a bicycle. Its springs attenuate what is above 8 Hz, and it has no crank. A
/// phone in a rider's trousers has neither too, but the even rhythm of the legs.
@Suite("Suspension")
struct SuspensionTests {
    /// Two minutes of shaking without rhythm, as on a rough road. `fast` is the level above 8 Hz in g, and `pedals` the
    /// size of a rhythm of 81 turns a minute and of its harmonics.
    private func segments(fast: Double, pedals: [Double] = [], seed: UInt64, rate: Double) -> [Segment] {
        var random = SeededGenerator(seed: seed)
        let bands = [
            (0.2..<1.2, 0.035), (1.2..<3, 0.09), (3..<4.5, 0.09), (4.5..<6.2, 0.12), (6.2..<8, 0.07), (8..<11, fast),
        ]
        let axes = [0.5, 0.5, 0.7].map { share in
            let road = bands.flatMap { band, level in
                (0..<24).map { _ in
                    let hertz = Double.random(in: band, using: &random)
                    let phase = Double.random(in: 0..<1, using: &random)
                    return (size: share * level * (2.0 / 24).squareRoot(), hertz: hertz, phase: phase)
                }
            }
            return road
                + pedals.enumerated().map { index, size in
                    (size: share * size, hertz: 1.35 * Double(index + 1), phase: 0.3 * Double(index))
                }
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
        let segments = segments(fast: 0.04, seed: seed, rate: rate)
        #expect(seconds(.cycling, in: segments) == 0)
        #expect(seconds(.automotive, in: segments) > 50)
    }

    @Test("the road above 8 Hz is that of a bicycle", arguments: [20, 25, 50, 100], [1, 2] as [UInt64])
    func bicycle(rate: Double, seed: UInt64) {
        let segments = segments(fast: 0.25, seed: seed, rate: rate)
        #expect(seconds(.automotive, in: segments) == 0)
        #expect(seconds(.cycling, in: segments) > 100)
    }

    @Test("the pedals of a phone in trousers are no springs", arguments: [20, 25, 50, 100], [1, 2] as [UInt64])
    func pedals(rate: Double, seed: UInt64) {
        let segments = segments(fast: 0.04, pedals: [0.12, 0.28, 0.14], seed: seed, rate: rate)
        #expect(seconds(.automotive, in: segments) == 0)
        #expect(seconds(.cycling, in: segments) > 60)
    }
}
