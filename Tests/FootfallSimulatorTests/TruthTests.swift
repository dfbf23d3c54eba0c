import Footfall
import Testing

@testable import FootfallSimulator

@Suite("Ground truth")
struct TruthTests {
    @Test("segments tile the scenario, and only walks and runs have steps", arguments: Scenario.named)
    func tiling(scenario: Scenario) throws {
        let truth = try Simulation(scenario, seed: 3).truth
        let first = try #require(truth.segments.first)
        let last = try #require(truth.segments.last)
        #expect(first.range.lowerBound == .epoch)
        #expect(abs(last.range.upperBound.seconds(since: .epoch) - scenario.duration) < 1e-6)
        for (segment, next) in zip(truth.segments, truth.segments.dropFirst()) {
            #expect(segment.range.upperBound == next.range.lowerBound)
            #expect(segment.flags != next.flags)
        }

        let times = truth.steps.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy(<))
        var rest = times[...]
        for segment in truth.segments {
            let inside = rest.prefix { segment.range.contains($0) }
            #expect(inside.count == segment.steps)
            #expect(inside.isEmpty || segment.activity == .walking || segment.activity == .running)
            rest = rest.dropFirst(inside.count)
        }
        #expect(rest.isEmpty)
    }

    @Test(
        "cadence and variation have their sizes",
        arguments: [(70, 0.04), (88, 0.035), (110, 0.025), (124, 0.02), (178, 0.02)]
    )
    func cadence(cadence: Double, variation: Double) throws {
        let gait = Gait(cadence: cadence, variation: variation, asymmetry: 0)
        let scenario = Scenario(name: "", scenes: [Scene(.walking(gait), for: 1800)])
        let times = try Simulation(scenario, seed: 11).truth.steps.map { $0.time.seconds(since: .epoch) }
        // The first steps are slower.
        let periods = zip(times, times.dropFirst()).map { $1 - $0 }.dropFirst(4)
        let mean = periods.reduce(0, +) / Double(periods.count)
        let variance = periods.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(periods.count)
        #expect(abs(60 / mean / cadence - 1) < 0.01)
        #expect(abs(variance.squareRoot() / mean / variation - 1) < 0.2)
    }

    @Test("an asymmetric gait alternates long and short steps")
    func asymmetry() throws {
        let gait = Gait(cadence: 100, variation: 0, asymmetry: 0.05)
        let scenario = Scenario(name: "", scenes: [Scene(.walking(gait), for: 60)])
        let times = try Simulation(scenario, seed: 1).truth.steps.map { $0.time.seconds(since: .epoch) }
        let periods = zip(times, times.dropFirst()).map { $1 - $0 }.dropFirst(3)
        #expect(periods.count > 80)
        for (period, next) in zip(periods, periods.dropFirst()) {
            #expect(abs(abs(period - next) - 0.06) < 1e-6)
        }
    }

    @Test("a red light is automotive and stationary")
    func redLights() throws {
        let simulation = try Simulation(.drive, seed: 2, sensor: .ideal(sampleRate: 50))
        let segments = simulation.truth.segments
        let halts = segments.filter { $0.flags == [.automotive, .stationary] }
        #expect(segments.allSatisfy { $0.activity == .automotive && $0.steps == 0 })
        #expect(halts.count >= 4)
        #expect(segments.first?.flags == [.automotive, .stationary])
        #expect(segments.last?.flags == [.automotive, .stationary])

        // A standing car vibrates less than a moving one.
        let samples = simulation.joinedSamples
        func vibration(_ flags: ActivityFlags) -> Float {
            var sum: Float = 0
            var count: Float = 0
            for segment in segments where segment.flags == flags {
                let inside = samples.filter { segment.range.contains($0.time) }
                for (sample, next) in zip(inside, inside.dropFirst()) {
                    sum += abs(next.magnitude - sample.magnitude)
                    count += 1
                }
            }
            return sum / count
        }
        #expect(vibration(.automotive) > 3 * vibration([.automotive, .stationary]))
    }

    @Test("rides of any length begin and end parked, within their speeds and accelerations")
    func rides() throws {
        for (seed, duration) in [20.0, 45, 90, 200, 600, 3600, 7200].enumerated() {
            for ride in [Ride.city, .motorway] {
                let random = SplitMix64(seed: UInt64(seed))
                let legs = Array(SpeedProfile(ride: ride, duration: duration, random: random))
                let last = try #require(legs.last)
                #expect(legs.count > (duration > 60 ? 4 : 0))
                #expect(legs[0].isHalt && last.isHalt)
                #expect(abs(last.end - duration) < 1e-9)
                for (leg, next) in zip(legs, legs.dropFirst()) {
                    #expect(leg.end == next.start && leg.to == next.from)
                    #expect((0...ride.speeds.upperBound).contains(leg.to))
                }
                for leg in legs where leg.from != leg.to {
                    let peak = abs(leg.state(at: leg.start + leg.duration / 2).acceleration)
                    #expect(peak <= SpeedProfile.accelerations.upperBound + 1e-9)
                    #expect(leg.duration == 0.5 || peak >= SpeedProfile.accelerations.lowerBound - 0.01)
                }
            }
        }
    }

    @Test("a tenth of a week is on foot")
    func week() throws {
        let truth = try Simulation(.week, seed: 1).truth
        func share(_ activity: Activity) -> Double {
            truth.segments.filter { $0.activity == activity }.reduce(0) { $0 + $1.range.seconds }
                / Scenario.week.duration
        }
        #expect(Scenario.week.duration == 7 * 86400)
        #expect(abs(share(.walking) - 0.1) < 0.002)
        #expect((0.002...0.01).contains(share(.running)))
        #expect((0.02...0.06).contains(share(.automotive)))
        #expect(share(.stationary) > 0.8)
    }
}

extension AccelerationSample {
    /// |a| in g.
    var magnitude: Float { (x * x + y * y + z * z).squareRoot() }
}
