import Footfall
import FootfallHistory
import FootfallSimulator
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FootfallLive

/// A host whose clocks the test sets.
private final class Host: Sendable {
    /// The steady time and the correction of the wall clock, in nanoseconds.
    private let state: Mutex<(steady: Int64, correction: Int64)>

    init(start: Int64) { state = Mutex((start * 1_000_000_000, 0)) }

    var clock: HostClock {
        HostClock { self.state.withLock { (Timestamp(nanosecondsSince1970: $0.steady), $0.correction) } }
    }

    var wall: Timestamp {
        state.withLock { Timestamp(nanosecondsSince1970: $0.steady + $0.correction) }
    }

    /// Passes some time, in which the wall clock drifts by 50 ppm.
    func pass(seconds: Double) {
        state.withLock {
            $0.steady += Int64(seconds * 1e9)
            $0.correction += Int64(seconds * 5e4)
        }
    }

    /// Sets the wall clock ahead, or back.
    func set(bySeconds seconds: Double) { state.withLock { $0.correction += Int64(seconds * 1e9) } }

    /// Sets the wall clock right.
    func synchronize() { state.withLock { $0.correction = 0 } }
}

@Suite("A month of live recording")
struct MonthTests {
    private static let start: Int64 = 1_788_220_800
    private static let day: Int64 = 86400
    /// 73 years: a clock without a battery, or a wrong answer of a time server.
    private static let leap = 73 * 365 * 86400.0

    /// The walk of a day: a minute of samples at 25 Hz, with seconds from its start.
    private let walk: (seconds: [[AccelerationSample]], steps: Int)

    init() throws {
        let simulation = try Simulation(
            Scenario.walk.lasting(60), seed: 5, sensor: SensorModel(sampleRate: 25))
        let samples = simulation.flatMap { Array($0) }
        let seconds = stride(from: 0, to: samples.count, by: 25).map {
            Array(samples[$0..<min($0 + 25, samples.count)])
        }
        walk = (seconds, simulation.truth.steps.count)
    }

    @Test("through a clock that drifts, is set daily and leaps keeps every day")
    func month() throws {
        let host = Host(start: Self.start + 8 * 3600)
        let history = try MotionHistory.inMemory(clock: { host.wall })
        var instant = ContinuousClock.now
        var analysis = LiveAnalysis(clock: host.clock, at: instant)
        var outcome = RecordingOutcome()
        func record(_ batches: [SampleBatch], after pause: Duration) throws {
            instant = instant.advanced(by: pause)
            let events = analysis.add(batches, at: instant)?.events ?? []
            outcome += try history.record(events, from: "wrist", timeZone: .gmt)
        }
        func play(_ samples: [AccelerationSample]) throws {
            let start = host.wall
            let batch = samples.map { sample in
                var sample = sample
                sample.time = start.advanced(bySeconds: sample.time.seconds(since: samples[0].time))
                return sample
            }
            try record([SampleBatch(batch)], after: .milliseconds(100))
            host.pass(seconds: 1)
        }
        func steps(on day: Int64) throws -> Int {
            let start = Self.start + day * Self.day
            return try history.steps(in: Range.seconds(start..<start + Self.day), from: "wrist").count
        }

        for day in Int64(0)..<30 {
            host.synchronize()
            if day == 12 { host.set(bySeconds: -3600) }
            for (second, samples) in walk.seconds.enumerated() {
                // On day 5 the clock leaps for five seconds, on day 20 for the rest of the walk and two more.
                if [5, 20].contains(day), second == 30 { host.set(bySeconds: Self.leap) }
                if day == 5, second == 35 { host.set(bySeconds: -Self.leap) }
                try play(samples)
            }
            if day == 20 { try (walk.seconds + walk.seconds).forEach(play) }
            // A minute of silence settles all events.
            try record([], after: .seconds(61))
            if day < 20 {
                // The walk in pieces of half a minute and less loses its first and last steps.
                let least = walk.steps * (day == 5 ? 5 : 9) / 10
                let found = try steps(on: day)
                #expect((least...walk.steps * 11 / 10).contains(found), "day \(day): \(found) of \(walk.steps)")
                #expect(outcome.expired == 0 && outcome.setAside == 0)
            }
            host.pass(seconds: Double(Self.day - (day == 20 ? 180 : 60)))
        }
        // The leap of day 20 made everything old. Deleting it brings back the last seven days.
        #expect(try outcome.expired > 0 && steps(on: 29) == 0)
        try history.delete(
            in: Range.seconds(Self.start + 100 * Self.day..<Self.start + 80 * 365 * Self.day), from: "wrist")
        for day in Int64(23)..<30 {
            let found = try steps(on: day)
            #expect((walk.steps * 9 / 10...walk.steps * 11 / 10).contains(found), "day \(day): \(found)")
        }
        #expect(try history.check().problem == nil)
    }
}
