import Footfall
import FootfallSimulator
import TestSupport
import Testing

/// What a person would call the activity, on simulated motion whose truth is known.
@Suite("Activities")
struct ActivityTests {
    private func events(
        _ scenario: Scenario, seed: UInt64 = 7, rate: Double = 50, from start: Timestamp = .epoch
    ) throws -> [MotionEvent] {
        let sensor = SensorModel(sampleRate: rate, start: start)
        return try Simulation(scenario, seed: seed, sensor: sensor).events
    }

    private func seconds(_ activity: Activity, in segments: [Segment]) -> Double {
        segments.filter { $0.activity == activity }.reduce(0) { $0 + $1.range.seconds }
    }

    @Test("a red light does not end a drive", arguments: [Placement.pocket, .wrist], [1, 2, 3] as [UInt64])
    func redLight(placement: Placement, seed: UInt64) throws {
        let drive = Scenario.drive.worn(placement)
        let driven = try events(drive, seed: seed).segments.filter { $0.activity == .automotive }
        for light in try lights(of: drive, seed: seed) {
            let told = driven.reduce(0) { $0 + $1.range.clamped(to: light).seconds }
            #expect(told > 0.99 * light.seconds)
        }
        // Where the device is turned about in a pocket for a few seconds it is handled, drive or not.
        #expect(seconds(.automotive, in: driven) > 0.95 * drive.duration)
    }

    private func lights(of drive: Scenario, seed: UInt64) throws -> [Range<Timestamp>] {
        let truth = try Simulation(drive, seed: seed, sensor: SensorModel(sampleRate: 50)).truth
        return truth.segments.filter { $0.flags == [.automotive, .stationary] }.map(\.range)
    }

    @Test("a car at a red light is stationary as well", arguments: [1, 2, 3] as [UInt64])
    func halts(seed: UInt64) throws {
        let truth = try Simulation(.drive, seed: seed, sensor: SensorModel(sampleRate: 50)).truth
        let halts = try events(.drive, seed: seed).segments.flatMap(\.halts)
        // What a person would notice as a halt; and a car that creeps may well look like one.
        for light in try lights(of: .drive, seed: seed) where light.seconds >= 15 {
            #expect(halts.contains { $0.clamped(to: light).seconds > 0.6 * light.seconds })
        }
        let moving = truth.segments.filter { $0.flags == .automotive }.map(\.range)
        let wrong = halts.reduce(0) { sum, halt in moving.reduce(sum) { $0 + $1.clamped(to: halt).seconds } }
        #expect(wrong < 0.2 * halts.reduce(0) { $0 + $1.seconds })
    }

    @Test("a phone on a table is stationary", arguments: [12.5, 50, 100])
    func table(rate: Double) throws {
        let segments = try events(.rest, rate: rate).segments
        #expect(segments.map(\.flags) == [.stationary])
        #expect(segments.allSatisfy { $0.confidence == .high })
    }

    @Test("sitting and desk work are neither a drive nor a walk", arguments: [1, 2, 3] as [UInt64])
    func desk(seed: UInt64) throws {
        let sitting = Scenario(name: "sitting", scenes: [Scene(.sitting, for: 300)])
        for scenario in [sitting, Scenario.desk] {
            let segments = try events(scenario, seed: seed).segments
            #expect(seconds(.automotive, in: segments) == 0)
            #expect(seconds(.walking, in: segments) == 0)
            #expect(seconds(.running, in: segments) == 0)
        }
    }

    @Test("a device that is turned about in the hand is handled, not driven", arguments: [1, 2, 3] as [UInt64])
    func handling(seed: UInt64) throws {
        let segments = try events(.handling, seed: seed).segments
        #expect(seconds(.unknown, in: segments) > 150)
        #expect(segments.contains { $0.reason == .handled })
    }

    @Test("below 8 Hz nothing is claimed")
    func lowRate() throws {
        var analyzer = MotionAnalyzer()
        var events: [MotionEvent] = []
        for batch in try Simulation(.drive, seed: 7, sensor: SensorModel(sampleRate: 50)) {
            // Every eighth sample: a phone that logs at 6.25 Hz.
            events += analyzer.analyze(SampleBatch(batch.enumerated().filter { $0.offset % 8 == 0 }.map(\.element)))
        }
        events += analyzer.finish()
        #expect(events.segments.map(\.reason) == [.lowRate])
    }

    @Test("five seconds are not enough to tell")
    func tooShort() throws {
        let segments = try events(Scenario.rest.lasting(4)).segments
        #expect(segments.map(\.reason) == [.tooShort])
    }

    @Test("a walk to the car, the drive and the walk home are told apart")
    func commute() throws {
        let scenario = Scenario(
            name: "errand",
            scenes: [Scene(.walking(), for: 120), Scene(.driving(.city), for: 400), Scene(.walking(), for: 90)])
        let segments = try events(scenario, seed: 1).segments
        #expect(segments.map(\.activity) == [.walking, .automotive, .walking])
        let truth = [120.0, 520]
        for (segment, boundary) in zip(segments, truth) {
            #expect(abs(segment.range.upperBound.seconds(since: .epoch) - boundary) < 20)
        }
    }

    /// Seconds are settled at certain times of the clock, and of what has just begun then there is little to see yet.
    @Test("standing still after a walk is sure from the first second, whatever the clock says", arguments: 50..<75)
    func standingAfterWalk(start: Int) throws {
        let scenario = Scenario(
            name: "errand", scenes: [Scene(.standing, for: 60), Scene(.walking(), for: 60), Scene(.standing, for: 60)])
        let begin = Timestamp.epoch.advanced(bySeconds: 1_790_000_400 + Double(start) * 7.0137)
        let segments = try events(scenario, seed: 4, rate: 25, from: begin).segments
        #expect(segments.map(\.activity) == [.stationary, .walking, .stationary])
    }

    @Test("whatever happens, an answer is there within a minute", arguments: [Scenario.drive, .errands])
    func latency(scenario: Scenario) throws {
        var analyzer = MotionAnalyzer()
        var settled = Timestamp.epoch
        for batch in try Simulation(scenario, seed: 3, sensor: SensorModel(sampleRate: 50), samplesPerBatch: 50) {
            for case .segment(let segment) in analyzer.analyze(batch) { settled = segment.range.upperBound }
            guard let now = batch.times.last else { continue }
            #expect(now.seconds(since: settled) < 61)
        }
    }
}
