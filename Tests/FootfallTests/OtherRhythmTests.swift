import Footfall
import Foundation
import TestSupport
import Testing

/// Rhythms that are not gait. Each has the cadence of a walk and passes the walking gate, so that the check of gait
/// alone refuses it.
@Suite("Other rhythms than gait")
struct OtherRhythmTests {
    /// A motion in g, gravity included, at a phase in turns of its rhythm.
    typealias Motion = (_ turns: Double) -> SIMD3<Double>

    enum Rhythm: String, CaseIterable, Sendable {
        case brushing, clapping, pedaling, hopping, car

        /// The turns of the rhythm per second.
        var hertz: Double {
            switch self {
            case .brushing, .clapping: 2
            case .pedaling: 1.3
            case .hopping: 2.2
            case .car: 1
            }
        }

        func motion(_ turns: Double) -> SIMD3<Double> {
            let phase = 2 * Double.pi * turns
            let seconds = (turns - turns.rounded(.down)) / hertz
            switch self {
            case .brushing:
                // The hand of a toothbrush, to and fro along one axis.
                let tilt = 0.8 + 0.05 * cos(phase)
                return SIMD3(0.5 * cos(phase) + 0.15 * cos(3 * phase) + sin(tilt), 0.1 * cos(phase + 1), cos(tilt))
            case .clapping:
                // Two hands that meet: a blow of 2 g for 40 ms.
                let distance = min(seconds, 1 / hertz - seconds) / 0.04
                return SIMD3(
                    0.15 * cos(phase) + 0.2, 2 * exp(-distance * distance) + 0.15 * sin(2 * phase), 0.98)
            case .pedaling:
                // A thigh that a crank moves by 8 cm, tilts and pushes.
                let (tilt, turning) = (0.6 + 0.35 * sin(phase), 0.08 * pow(2 * .pi * hertz, 2) / 9.80665)
                let push = 0.3 * pow(max(0, cos(phase)), 3)
                return SIMD3(
                    turning * cos(phase) + push + sin(tilt), 0.1 * sin(2 * phase),
                    0.6 * turning * sin(phase) - 0.5 * push + cos(tilt))
            case .hopping:
                // Both feet push for three fifths of a hop; in flight only the arms move a little.
                let push = max(0, sin(2 * .pi * hertz * seconds / 1.2)) * .pi / 1.2
                let isInFlight = seconds * hertz > 0.6
                return SIMD3(0.03 * cos(phase), 0.03 * sin(phase), isInFlight ? 0 : push)
            case .car:
                // Slabs of a road, over which the body of the car sinks and rings.
                let sinking = 0.3 * exp(-6 * seconds) * sin(2 * .pi * 1.5 * seconds)
                let ringing = 0.12 * exp(-8 * seconds) * sin(2 * .pi * 6 * seconds)
                return SIMD3(0.3 * (sinking + ringing), 0, 1 + sinking + ringing)
            }
        }

        /// The noise of the sensor and, in a car, of the road, in g.
        var noise: Double { self == .car ? 0.03 : 0.01 }
    }

    /// The samples of a motion whose rhythm varies by some percent from second to second.
    private func samples(
        _ motion: Motion, hertz: Double, noise: Double, from start: Double = 0, seconds: Double, rate: Double,
        seed: UInt64
    ) -> [AccelerationSample] {
        var random = SeededGenerator(seed: seed)
        var (turns, pace, nextPace) = (0.0, 1.0, 1.0)
        return (0..<Int(clamping: seconds * rate)).map { index in
            let second = Double(index) / rate
            let share = second - second.rounded(.down)
            if share < 1 / rate { (pace, nextPace) = (nextPace, 1 + 0.03 * random.normal()) }
            turns += hertz * (pace + (nextPace - pace) * share) / rate
            let value = SIMD3<Float>(motion(turns) + noise * SIMD3(random.normal(), random.normal(), random.normal()))
            let time = Timestamp.epoch.advanced(bySeconds: start + second)
            return AccelerationSample(time: time, x: value.x, y: value.y, z: value.z)
        }
    }

    @Test("have no steps", arguments: Rhythm.allCases, [25, 50, 100.0])
    func none(rhythm: Rhythm, rate: Double) {
        for seed in 1...3 as ClosedRange<UInt64> {
            let samples = samples(
                rhythm.motion, hertz: rhythm.hertz, noise: rhythm.noise, seconds: 120, rate: rate, seed: seed)
            var analyzer = MotionAnalyzer(recordsSeconds: true)
            let events = analyzer.analyze(SampleBatch(samples)) + analyzer.finish()
            #expect(events.steps.isEmpty, "seed \(seed): \(events.steps.count) steps")
            // Without the check these would be steps.
            let passing = analyzer.takeSeconds().count { $0.gateScore ?? -1 > 0 }
            #expect(passing > 60, "seed \(seed): \(passing) seconds pass the gate")
        }
    }

    /// The cadence goes on, so that the bout would, too.
    @Test("end the walk before them", arguments: Rhythm.allCases, [25, 50, 100.0])
    func after(rhythm: Rhythm, rate: Double) {
        let parts: [(motion: Motion, hertz: Double, noise: Double, seconds: Double)] = [
            (walk, 1.8, 0.005, 30), (rhythm.motion, rhythm.hertz, rhythm.noise, 90),
        ]
        let steps = steps(of: parts, rate: rate, seed: 2).map { $0.time.seconds(since: .epoch) }
        #expect(steps.count { $0 < 30 } > 45)
        // A car over slabs resembles gait more than a hand or a pedal does.
        let latest = rhythm == .car ? 80.0 : 45
        #expect(steps.count { $0 > latest } == 0, "a step at \(steps.last ?? 0) s")
    }

    /// No signal with a rhythm of its own is one, and no walk before or after.
    @Test("are an exercise if they hop on one spot", arguments: Rhythm.allCases, [25, 50, 100.0])
    func exercise(rhythm: Rhythm, rate: Double) {
        let parts: [(motion: Motion, hertz: Double, noise: Double, seconds: Double)] = [
            (walk, 1.8, 0.005, 30), (rhythm.motion, rhythm.hertz, rhythm.noise, 60), (walk, 1.8, 0.005, 30),
        ]
        var analyzer = MotionAnalyzer(recordsSeconds: true)
        let events = analyzer.analyze(SampleBatch(samples(of: parts, rate: rate, seed: 5))) + analyzer.finish()
        let seconds = analyzer.takeSeconds().filter { $0.reason == .exercise }.map {
            $0.start.seconds(since: .epoch)
        }
        let exercises = events.segments.filter { $0.reason == .exercise }
        guard rhythm == .hopping else { return #expect(seconds.isEmpty && exercises.isEmpty) }
        #expect(seconds.count > 45 && seconds.allSatisfy { (28...92).contains($0) }, "\(seconds)")
        #expect(exercises.allSatisfy { $0.activity == .unknown && $0.flags == [] && $0.steps == 0 })
        #expect(events.segments.count { $0.activity == .walking } >= 2)
    }

    /// A jump every two seconds is too slow for the rhythm of hops; its landings remain.
    @Test("are an exercise if they land, and none if they are as strong without a flight", arguments: [0, 0.6])
    func landings(least: Double) {
        func jump(_ turns: Double) -> SIMD3<Double> {
            let seconds = 2 * (turns - turns.rounded(.down))
            let phase = 2 * Double.pi * turns
            let vertical =
                switch seconds {
                case ..<0.3: least
                case ..<0.5: 1 + 2.5 * sin(.pi * (seconds - 0.3) / 0.2)
                case ..<1.7: 1 + 0.3 * sin(4 * .pi * (seconds - 0.5))
                default: 1 + 1.2 * sin(.pi * (seconds - 1.7) / 0.3)
                }
            return SIMD3(0.3 * sin(phase), 0.1 * cos(phase), vertical)
        }
        let events = [SampleBatch(samples(of: [(jump, 0.5, 0.01, 60)], rate: 50, seed: 1))].events
        let exercise = events.segments.filter { $0.reason == .exercise }.reduce(0) { $0 + $1.range.seconds }
        #expect(least > 0 ? exercise == 0 : exercise > 45, "\(exercise) s")
        #expect(events.steps.isEmpty)
    }

    /// A few minutes after other rhythms, a walk counts from its first step on.
    @Test("cast no doubt on a short walk after a rest", arguments: Rhythm.allCases, [25, 50, 100.0])
    func forgotten(rhythm: Rhythm, rate: Double) {
        func rest(_ turns: Double) -> SIMD3<Double> { SIMD3(0, 0, 1) }
        func times(after motion: @escaping Motion) -> [Timestamp] {
            let parts: [(motion: Motion, hertz: Double, noise: Double, seconds: Double)] = [
                (motion, rhythm.hertz, 0.005, 60), (rest, 1, 0.005, 180), (walk, 1.8, 0.005, 6), (rest, 1, 0.005, 20),
            ]
            return steps(of: parts, rate: rate, seed: 3).map(\.time)
        }
        #expect((11...13).contains(times(after: rest).count))
        #expect(times(after: rhythm.motion) == times(after: rest))
    }

    /// The magnitude has little of a fast arm below 5 Hz: it varies twice for each step.
    @Test("are not an arm that runs at 210 steps a minute", arguments: [25, 50, 100.0])
    func runningArm(rate: Double) {
        func run(_ turns: Double) -> SIMD3<Double> {
            let phase = 2 * Double.pi * turns
            return SIMD3(
                2.2 * cos(phase) + 0.3, 0.5 * cos(phase / 2), 0.6 * cos(phase + 1) + 0.6 * cos(2 * phase) + 0.9)
        }
        let steps = steps(of: [(run, 3.5, 0.02, 60)], rate: rate, seed: 1)
        #expect((200...220).contains(steps.count), "\(steps.count) steps")
    }

    /// A hand that turns to and fro and shakes three times as fast. The check of the features alone has 360 steps.
    @Test("are not a hand that scrubs", arguments: [25, 50, 100.0])
    func scrubbing(rate: Double) {
        func scrub(_ turns: Double) -> SIMD3<Double> {
            let phase = 2 * Double.pi * turns
            let (tilt, shaking) = (0.27 * sin(phase), 0.25 * cos(3 * phase + 1.46))
            return SIMD3(
                0.14 * cos(phase) + shaking + sin(tilt), 0.03 * cos(phase + 1), 0.25 * sin(3 * phase) + cos(tilt))
        }
        #expect(steps(of: [(scrub, 1.35, 0.01, 90)], rate: rate, seed: 1).isEmpty)
    }

    private func walk(_ turns: Double) -> SIMD3<Double> {
        let phase = 2 * Double.pi * turns
        return SIMD3(0.1 * cos(phase / 2), 0.05 * sin(phase), 1 + 0.25 * cos(phase) + 0.1 * cos(2 * phase))
    }

    /// The steps of motions, one after the other.
    private func steps(
        of parts: [(motion: Motion, hertz: Double, noise: Double, seconds: Double)], rate: Double, seed: UInt64
    ) -> [Step] {
        [SampleBatch(samples(of: parts, rate: rate, seed: seed))].events.steps
    }

    private func samples(
        of parts: [(motion: Motion, hertz: Double, noise: Double, seconds: Double)], rate: Double, seed: UInt64
    ) -> [AccelerationSample] {
        var all: [AccelerationSample] = []
        for part in parts {
            all += samples(
                part.motion, hertz: part.hertz, noise: part.noise, from: Double(all.count) / rate,
                seconds: part.seconds, rate: rate, seed: seed)
        }
        return all
    }
}
