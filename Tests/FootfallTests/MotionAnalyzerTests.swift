import Footfall
import FootfallSimulator
import Foundation
import TestSupport
import Testing

/// The whole pipeline on simulated people whose every step is known.
@Suite("Motion analyzer")
struct MotionAnalyzerTests {
    @Test("batches of 1, 7, 4096 and all samples give the same events")
    func batchInvariance() throws {
        let sensor = SensorModel(sampleRate: 40, jitter: 0.2, lostShare: 0.01, gaps: [100..<103, 300..<340])
        func events(batchesOf size: Int) throws -> [MotionEvent] {
            try Simulation(.commute, seed: 7, sensor: sensor, samplesPerBatch: size).events
        }
        let whole = try events(batchesOf: 1_000_000)
        #expect(!whole.steps.isEmpty)
        #expect(!whole.gaps.isEmpty)
        for size in [1, 7, 4096] {
            #expect(try events(batchesOf: size) == whole)
        }
    }

    @Test("no activity of samples in an assumed unit has high confidence, settled or provisional")
    func assumedUnit() throws {
        func segments(isAssumed: Bool) throws -> [Segment] {
            var analyzer = MotionAnalyzer()
            var events: [MotionEvent] = []
            for var batch in try Simulation(.commute, seed: 7, samplesPerBatch: 4096) {
                batch.isUnitAssumed = isAssumed
                events += analyzer.analyze(batch)
                events += analyzer.provisional
            }
            return (events + analyzer.finish()).segments
        }
        let (sure, assumed) = (try segments(isAssumed: false), try segments(isAssumed: true))
        #expect(sure.contains { $0.confidence == .high })
        #expect(assumed.map(\.range) == sure.map(\.range) && assumed.map(\.steps) == sure.map(\.steps))
        #expect(assumed.allSatisfy { $0.confidence < .high })
        #expect(assumed.joined().allSatisfy { $0.confidence < .high })
    }

    @Test("the time of the clock at which a series begins does not matter", arguments: [20_000_001, 537_000_000])
    func clock(later: Int64) throws {
        let sensor = SensorModel(sampleRate: 40, jitter: 0.2, lostShare: 0.01, gaps: [100..<103, 300..<340])
        func analysis(later: Int64) throws -> (events: [MotionEvent], seconds: [AnalyzedSecond]) {
            var analyzer = MotionAnalyzer(recordsSeconds: true)
            var events: [MotionEvent] = []
            for batch in try Simulation(.commute, seed: 7, sensor: sensor) {
                let samples = batch.map { sample in
                    var sample = sample
                    sample.time = sample.time.later(by: later)
                    return sample
                }
                events += analyzer.analyze(SampleBatch(samples))
            }
            return (events + analyzer.finish(), analyzer.takeSeconds())
        }
        let (events, seconds) = try analysis(later: 0)
        let other = try analysis(later: later)
        #expect(!events.gaps.isEmpty && other.events.gaps.count == events.gaps.count)
        #expect(other.events.steps == events.steps.map { Step(time: $0.time.later(by: later), quality: $0.quality) })
        let segments = events.segments
        #expect(other.events.segments.map(\.probability) == segments.map(\.probability))
        #expect(
            other.events.segments.map(\.range)
                == segments.map { $0.range.lowerBound.later(by: later)..<$0.range.upperBound.later(by: later) })
        #expect(other.seconds.map(\.start) == seconds.map { $0.start.later(by: later) })
        #expect(seconds.first?.start == segments.first?.range.lowerBound)
    }

    @Test("samples up to two seconds apart, with gaps among them, give the same events in one batch as one by one")
    func sparseSamples() {
        var milliseconds: Int64 = 0
        let samples = (0..<4000).map { index in
            // Samples of one contiguous signal are at most two seconds apart.
            milliseconds += index.isMultiple(of: 97) ? 2001 : 1800 + Int64(index) * 37 % 201
            return AccelerationSample(
                time: Timestamp(nanosecondsSince1970: milliseconds * 1_000_000), x: 0, y: 0, z: 1)
        }
        func analysis(batchesOf size: Int) -> (events: [MotionEvent], quality: SignalQuality) {
            var analyzer = MotionAnalyzer()
            var events: [MotionEvent] = []
            for start in stride(from: 0, to: samples.count, by: size) {
                events += analyzer.analyze(SampleBatch(samples[start..<min(start + size, samples.count)]))
            }
            return (events + analyzer.finish(), analyzer.quality)
        }
        let whole = analysis(batchesOf: samples.count)
        #expect(whole.quality.gaps == samples.count / 97)
        for size in [1, 100] {
            let pieces = analysis(batchesOf: size)
            #expect(pieces.events == whole.events)
            #expect(pieces.quality == whole.quality)
        }
    }

    @Test("counts a walk", arguments: [12.5, 25, 50, 100, 400, 800], Placement.allCases)
    func countsWalks(rate: Double, placement: Placement) throws {
        let simulation = try Simulation(
            Scenario.walk.worn(placement).lasting(120), seed: 3, sensor: SensorModel(sampleRate: rate))
        let truth = simulation.truth.steps.count
        let counted = simulation.events.steps.count
        #expect(truth > 200)
        #expect(abs(counted - truth) * 20 <= truth, "\(counted) of \(truth) steps")
    }

    @Test("finds the time of each initial contact")
    func contactTimes() throws {
        let simulation = try Simulation(Scenario.walk.lasting(120), seed: 5, sensor: SensorModel(sampleRate: 100))
        let found = simulation.events.steps
        let truth = simulation.truth.steps
        #expect(truth.count > 200)
        let hits = truth.filter { contact in
            found.contains { abs($0.time.seconds(since: contact.time)) <= 0.25 }
        }
        #expect(hits.count * 100 >= truth.count * 95)
    }

    /// The crests of the magnitude are the initial contacts.
    @Test("the times of initial contacts are neither early nor late", arguments: [20, 25, 40, 50, 100, 200.0])
    func unbiasedTimes(rate: Double) throws {
        let cadence = 1.9
        let samples = (0..<Int64(clamping: 60 * rate)).map { index in
            let time = Double(index) / rate
            let phase = 2 * Double.pi * cadence * time
            return AccelerationSample(
                time: Timestamp(nanosecondsSince1970: Int64(clamping: (time * 1e9).rounded())),
                x: Float(0.08 * cos(phase / 2)),
                y: 0, z: Float(1 + 0.3 * cos(phase) + 0.08 * cos(2 * phase)))
        }
        let errors = [SampleBatch(samples)].events.steps.map { step in
            let steps = step.time.seconds(since: .epoch) * cadence
            return (steps - steps.rounded()) / cadence
        }
        #expect(errors.count > 100)
        let mean = errors.reduce(0, +) / Double(max(errors.count, 1))
        #expect(abs(mean) < 0.002, "\(1000 * mean) ms")
    }

    /// Neither half has enough evidence of its own.
    @Test("a few steps, a pause and a few more steps are counted", arguments: [1, 2, 3, 4] as [UInt64], [5.0, 6])
    func fewSteps(seed: UInt64, pause: Double) throws {
        let halves = [Scene(.walking(), for: 4), Scene(.standing, for: pause), Scene(.walking(), for: 4)]
        let scenes = [Scene(.standing, for: 8)] + halves + [Scene(.standing, for: 10)]
        let simulation = try Simulation(
            Scenario(name: "tasks", placement: .hip, scenes: scenes), seed: seed, sensor: SensorModel(sampleRate: 50))
        let truth = simulation.truth.steps.count
        let counted = simulation.events.steps.count
        #expect(truth >= 12)
        #expect((truth - 1...truth + 3).contains(counted), "\(counted) of \(truth) steps")
    }

    @Test("standing, desk work and driving have no steps", arguments: [Scenario.stand, .desk, .drive])
    func noSteps(scenario: Scenario) throws {
        for placement in Placement.allCases {
            let events = try Analyses.events(scenario.worn(placement), seed: 11)
            #expect(!events.segments.isEmpty)
            #expect(events.steps.isEmpty, "\(scenario.name), \(placement)")
        }
    }

    @Test("every step lies in a segment on foot, and segments count their own steps", arguments: [1, 2, 3] as [UInt64])
    func coherence(seed: UInt64) throws {
        let events = try Analyses.events(.commute, seed: seed)
        #expect(!events.steps.isEmpty)
        var steps: [Step] = []
        var previous: Timestamp?
        for event in events {
            switch event {
            case .step(let step):
                if let previous { #expect(previous <= step.time) }
                steps.append(step)
            case .segment(let segment):
                #expect(steps.count == segment.steps)
                #expect(steps.allSatisfy { segment.range.contains($0.time) })
                if segment.steps > 0 { #expect([.walking, .running].contains(segment.activity)) }
                steps = []
                previous = segment.range.upperBound
            case .gap, .nonWear:
                break
            }
        }
        #expect(steps.isEmpty)
    }

    #if os(Linux)
        /// In a process of its own, so that no other test takes memory.
        @Test("two hours of input take no more memory than twenty minutes")
        func boundedState() async {
            await #expect(processExitsWith: .success) {
                func residentBytes() throws -> Int {
                    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
                    return try #require(Int(pages[1])) * sysconf(Int32(_SC_PAGESIZE))
                }
                let round = try Simulation(.commute, seed: 6, sensor: SensorModel(sampleRate: 12.5)).flatMap { $0 }
                let length = Int64(Scenario.commute.duration) * 1_000_000_000
                var analyzer = MotionAnalyzer()
                var (samples, resident) = (0, [Int]())
                // Rounds of eleven minutes.
                for number in 0..<12 {
                    for start in stride(from: 0, to: round.count, by: 125) {
                        var batch = SampleBatch(capacity: 125)
                        for sample in round[start..<min(start + 125, round.count)] {
                            let shift = Int64(number) * length
                            let time = Timestamp(nanosecondsSince1970: sample.time.nanosecondsSince1970 + shift)
                            batch.append(time: time, x: sample.x, y: sample.y, z: sample.z)
                        }
                        _ = analyzer.analyze(batch)
                        samples += batch.count
                    }
                    try resident.append(residentBytes())
                }
                #expect(analyzer.quality.samples == samples && analyzer.quality.dropped == 0)
                #expect(analyzer.quality.gaps == 0)
                // The samples after the second round alone would take 1.6 MB, the resampled signal 5 MB.
                #expect(resident[11] - resident[1] < 500_000, "\(resident)")
            }
        }
    #endif

    @Test("provisional events extend the settled ones and reach the last sample")
    func provisional() throws {
        var analyzer = MotionAnalyzer()
        var settled: [MotionEvent] = []
        var continued = 0
        for (index, batch) in try Simulation(.commute, seed: 2, samplesPerBatch: 500).enumerated() {
            settled += analyzer.analyze(batch)
            guard index % 5 == 4 else { continue }
            let before = analyzer.quality
            let estimate = analyzer.provisional
            #expect(analyzer.quality == before)
            if case .segment(let last)? = settled.last, let first = estimate.segments.first {
                #expect(first.range.lowerBound == last.range.upperBound)
                continued += 1
            }
            #expect(estimate.segments.last?.range.upperBound == batch.times.last)
        }
        #expect(continued > 10)
    }

    @Test("provisional activities older than ten seconds and steps older than two agree with the settled ones")
    func provisionalAgreement() throws {
        let sensor = SensorModel(sampleRate: 25)
        var analyzer = MotionAnalyzer()
        var estimates: [(now: Timestamp, events: [MotionEvent])] = []
        var settled: [MotionEvent] = []
        for batch in try Simulation(.commute, seed: 2, sensor: sensor, samplesPerBatch: 50) {
            settled += analyzer.analyze(batch)
            estimates.append((try #require(batch.times.last), analyzer.provisional))
        }
        settled += analyzer.finish()

        var seconds = (compared: 0, equal: 0)
        var steps = (provisional: 0, confirmed: 0, settled: 0, shown: 0)
        for (now, estimate) in estimates {
            let segments = estimate.segments
            guard let start = segments.first?.range.lowerBound else { continue }
            for time in stride(from: start.advanced(bySeconds: 0.5), to: now.advanced(bySeconds: -10), by: 1) {
                seconds.compared += 1
                if segments.activity(at: time) == settled.segments.activity(at: time) { seconds.equal += 1 }
            }
            let end = now.advanced(bySeconds: -2)
            let shown = estimate.steps.map(\.time).filter { $0 < end }
            let later = settled.steps.map(\.time).filter { start <= $0 && $0 < end }
            func contains(_ times: [Timestamp], _ time: Timestamp) -> Bool {
                times.contains { abs($0.seconds(since: time)) <= 0.1 }
            }
            steps.provisional += shown.count
            steps.confirmed += shown.count { contains(later, $0) }
            steps.settled += later.count
            steps.shown += later.count { contains(shown, $0) }
        }
        #expect(seconds.compared > 3000)
        #expect(seconds.equal * 100 >= seconds.compared * 98, "\(seconds)")
        #expect(steps.settled > 100)
        #expect(steps.confirmed * 100 >= steps.provisional * 98, "\(steps)")
        #expect(steps.shown * 100 >= steps.settled * 98, "\(steps)")
    }

    @Test("a walk in progress is walking at any moment, also where it cuts a second")
    func walkInProgress() throws {
        var analyzer = MotionAnalyzer()
        var estimates: [(time: Timestamp, activity: Activity?)] = []
        for batch in try Simulation(.walk.worn(.pocket), seed: 6, samplesPerBatch: 13) {
            _ = analyzer.analyze(batch)
            let time = try #require(batch.times.last)
            estimates.append((time, analyzer.provisional.segments.last?.activity))
            if let first = estimates.first, time.seconds(since: first.time) > 90 { break }
        }
        let later = estimates.drop { $0.time.seconds(since: estimates[0].time) < 30 }
        #expect(later.count > 100)
        let others = later.filter { $0.activity != .walking }
        #expect(others.isEmpty, "\(others)")
    }

    @Test("a step is settled within ten seconds of its initial contact, any second within a minute")
    func latency() throws {
        var analyzer = MotionAnalyzer()
        let simulation = try Simulation(.commute, seed: 4, sensor: SensorModel(sampleRate: 25), samplesPerBatch: 5)
        var settledEnd: Timestamp?
        var lastStep: Timestamp?
        var stepsInBouts = 0
        for batch in simulation {
            let now = batch.times[batch.count - 1]
            for event in analyzer.analyze(batch) {
                switch event {
                case .step(let step):
                    // The first steps of a bout wait until it is confirmed.
                    if let lastStep, step.time.seconds(since: lastStep) < 2 {
                        #expect(now.seconds(since: step.time) <= 10)
                        stepsInBouts += 1
                    }
                    lastStep = step.time
                case .segment(let segment):
                    settledEnd = segment.range.upperBound
                case .gap, .nonWear:
                    break
                }
            }
            if let settledEnd { #expect(now.seconds(since: settledEnd) <= 61) }
        }
        #expect(stepsInBouts > 300)
        #expect(settledEnd != nil)
    }
}

extension [Segment] {
    fileprivate func activity(at time: Timestamp) -> Activity? {
        first { $0.range.contains(time) }?.activity
    }
}

/// The moments from `start` up to `end`, `step` seconds apart.
private func stride(from start: Timestamp, to end: Timestamp, by step: Double) -> [Timestamp] {
    stride(from: 0, to: end.seconds(since: start), by: step).map { start.advanced(bySeconds: $0) }
}

extension Timestamp {
    fileprivate func later(by nanoseconds: Int64) -> Timestamp {
        Timestamp(nanosecondsSince1970: nanosecondsSince1970 + nanoseconds)
    }
}
