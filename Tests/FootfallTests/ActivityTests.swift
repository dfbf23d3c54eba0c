import Footfall
import FootfallSimulator
import Foundation
import TestSupport
import Testing

/// The names that a person would give the activities, on simulated motion whose truth is known.
@Suite("Activities")
struct ActivityTests {
    private func seconds(_ activity: Activity, in segments: [Segment]) -> Double {
        segments.filter { $0.activity == activity }.reduce(0) { $0 + $1.range.seconds }
    }

    /// The red lights of a drive, of which there is at least one.
    private func lights(of drive: Scenario, seed: UInt64) throws -> [Range<Timestamp>] {
        let truth = try Simulation(drive, seed: seed, sensor: SensorModel(sampleRate: 50)).truth
        let lights = truth.segments.filter { $0.flags == [.automotive, .stationary] }.map(\.range)
        try #require(!lights.isEmpty)
        return lights
    }

    @Test("a red light does not end a drive", arguments: [Placement.pocket, .wrist], [1, 2, 3] as [UInt64])
    func redLight(placement: Placement, seed: UInt64) throws {
        let drive = Scenario.drive.worn(placement)
        let driven = try Analyses.events(drive, seed: seed).segments.filter { $0.activity == .automotive }
        for light in try lights(of: drive, seed: seed) {
            let detected = driven.reduce(0) { $0 + $1.range.clamped(to: light).seconds }
            #expect(detected > 0.99 * light.seconds)
        }
        // A device that turns in a pocket for a few seconds is handled, also during a drive.
        #expect(seconds(.automotive, in: driven) > 0.95 * drive.duration)
    }

    @Test("a car at a red light is stationary as well", arguments: [1, 2, 3] as [UInt64])
    func halts(seed: UInt64) throws {
        let drive = Scenario.drive.worn(.pocket)
        let truth = try Simulation(drive, seed: seed, sensor: SensorModel(sampleRate: 50)).truth
        let halts = try Analyses.events(drive, seed: seed).segments.flatMap(\.halts)
        // A person notices halts of this length. A creeping car may resemble a halt.
        let longLights = try lights(of: drive, seed: seed).filter { $0.seconds >= 15 }
        #expect(!longLights.isEmpty)
        for light in longLights {
            #expect(halts.contains { $0.clamped(to: light).seconds > 0.6 * light.seconds })
        }
        let moving = truth.segments.filter { $0.flags == .automotive }.map(\.range)
        let wrong = halts.reduce(0) { sum, halt in moving.reduce(sum) { $0 + $1.clamped(to: halt).seconds } }
        #expect(wrong < 0.2 * halts.reduce(0) { $0 + $1.seconds })
    }

    @Test("a run is running, and a walk is not", arguments: Placement.allCases)
    func run(placement: Placement) throws {
        let run = try Analyses.events(Scenario.run.worn(placement), seed: 6).segments
        #expect(seconds(.running, in: run) > 0.9 * Scenario.run.duration)
        let walk = try Analyses.events(Scenario.walk.worn(placement), seed: 6).segments
        #expect(seconds(.walking, in: walk) > 0.9 * Scenario.walk.duration && seconds(.running, in: walk) == 0)
    }

    /// The lines between samples at 12.5 Hz take 0.14 of a wave of 2.7 Hz, which leaves less than a run has.
    @Test("a soft run is running at any rate", arguments: [12.5, 16, 25, 100])
    func softRun(rate: Double) {
        let run = (0..<Int(60 * rate)).map { index in
            let time = Double(index) / rate
            let phase = 2 * Double.pi * 2.7 * time
            return AccelerationSample(
                time: Timestamp.epoch.advanced(bySeconds: time), x: Float(0.2 * cos(phase / 2)),
                y: Float(0.1 * sin(phase)), z: Float(1 + 0.63 * cos(phase) + 0.1 * cos(2 * phase)))
        }
        #expect(seconds(.running, in: [SampleBatch(run)].events.segments) > 55)
    }

    @Test("a phone on a table is stationary", arguments: [12.5, 50, 100])
    func table(rate: Double) throws {
        let segments = try Analyses.events(.rest, seed: 7, sensor: SensorModel(sampleRate: rate)).segments
        #expect(segments.map(\.flags) == [.stationary])
        #expect(segments.allSatisfy { $0.confidence == .high })
    }

    @Test("sitting and desk work are neither a drive nor a walk", arguments: [1, 2, 3] as [UInt64])
    func desk(seed: UInt64) throws {
        let sitting = Scenario(name: "sitting", scenes: [Scene(.sitting, for: 300)])
        for scenario in [sitting, Scenario.desk] {
            let segments = try Analyses.events(scenario, seed: seed).segments
            #expect(!segments.isEmpty)
            #expect(seconds(.automotive, in: segments) == 0)
            #expect(seconds(.walking, in: segments) == 0)
            #expect(seconds(.running, in: segments) == 0)
        }
    }

    @Test("a device that turns in the hand is handled, not driven", arguments: [1, 2, 3] as [UInt64])
    func handling(seed: UInt64) throws {
        let segments = try Analyses.events(.handling, seed: seed).segments
        #expect(seconds(.unknown, in: segments) > 150)
        #expect(segments.contains { $0.reason == .handled })
    }

    @Test("a busy hand is seldom in a car without a road", arguments: [5, 8, 9] as [UInt64])
    func busyHand(seed: UInt64) throws {
        let segments = try Analyses.events(.handling, seed: seed).segments
        #expect(segments.allSatisfy { $0.flags != .automotive || $0.confidence == .low })
        #expect(seconds(.automotive, in: segments) < 50)
        #expect(seconds(.unknown, in: segments) > 130)
    }

    @Test("from 4 to 8 Hz only rest is reported", arguments: [8, 11])
    func lowRate(interval: Int) throws {
        let expected: [(Scenario, UnknownReason?)] = [(.rest, nil), (.drive, .lowRate)]
        for (scenario, reason) in expected {
            var analyzer = MotionAnalyzer()
            var events: [MotionEvent] = []
            for batch in try Simulation(scenario, seed: 7, sensor: SensorModel(sampleRate: 50)) {
                // Single samples, as from a phone that logs slowly.
                let samples = batch.enumerated().filter { $0.offset % interval == 0 }.map(\.element)
                events += analyzer.analyze(SampleBatch(samples))
            }
            events += analyzer.finish()
            let segments = events.segments
            #expect(segments.allSatisfy { $0.reason == .lowRate || $0.flags == .stationary })
            #expect(segments.max { $0.range.seconds < $1.range.seconds }?.reason == reason)
        }
    }

    @Test("a signal of less than five seconds is too short")
    func tooShort() throws {
        let segments = try Analyses.events(Scenario.rest.lasting(4), seed: 7).segments
        #expect(segments.map(\.reason) == [.tooShort])
    }

    @Test("a walk to the car, the drive and the walk home are three segments")
    func commute() throws {
        let scenario = Scenario(
            name: "errand",
            scenes: [Scene(.walking(), for: 120), Scene(.driving(.city), for: 400), Scene(.walking(), for: 90)])
        let segments = try Analyses.events(scenario, seed: 1).segments
        #expect(segments.map(\.activity) == [.walking, .automotive, .walking])
        let truth = [120.0, 520]
        for (segment, boundary) in zip(segments, truth) {
            #expect(abs(segment.range.upperBound.seconds(since: .epoch) - boundary) < 20)
        }
    }

    /// Seconds are settled in groups at fixed clock times, so a new activity may have few seconds when it is settled.
    @Test("a walk begins with its first step and ends after its last one, at any clock time", arguments: 50..<75)
    func boundsOfWalk(start: Int) throws {
        let scenario = Scenario(
            name: "errand", scenes: [Scene(.standing, for: 60), Scene(.walking(), for: 60), Scene(.standing, for: 60)])
        let begin = Timestamp.epoch.advanced(bySeconds: 1_790_000_400 + Double(start) * 7.0137)
        let sensor = SensorModel(sampleRate: 25, start: begin)
        let events = try Simulation(scenario, seed: 4, sensor: sensor).events
        #expect(events.segments.map(\.activity) == [.stationary, .walking, .stationary])
        let walk = try #require(events.segments.dropFirst().first?.range)
        let (first, last) = (try #require(events.steps.first?.time), try #require(events.steps.last?.time))
        #expect(walk.lowerBound == first)
        #expect(walk.contains(last) && walk.upperBound.seconds(since: last) <= Step.shortestInterval)
    }

    @Test("every second is settled within a minute", arguments: [Scenario.drive, .errands])
    func latency(scenario: Scenario) throws {
        var analyzer = MotionAnalyzer()
        var settled = Timestamp.epoch
        for batch in try Simulation(scenario, seed: 3, sensor: SensorModel(sampleRate: 25), samplesPerBatch: 25) {
            for case .segment(let segment) in analyzer.analyze(batch) { settled = segment.range.upperBound }
            guard let now = batch.times.last else { continue }
            #expect(now.seconds(since: settled) < 61)
        }
        #expect(settled > .epoch)
    }
}
