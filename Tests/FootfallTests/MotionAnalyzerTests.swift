import Footfall
import FootfallSimulator
import TestSupport
import Testing

/// The pipeline as a whole, on simulated people whose every step is known.
@Suite("Motion analyzer")
struct MotionAnalyzerTests {
    @Test("batches of 1, 7, 4096 and everything at once give the same events")
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

    @Test("samples up to two seconds apart, with gaps among them, may come in one batch as well as one by one")
    func sparseSamples() {
        var milliseconds: Int64 = 0
        let samples = (0..<4000).map { index in
            // Two seconds are the most that samples of one stretch can be apart.
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

    @Test(
        "counts a walk", arguments: [12.5, 25, 50, 100, 400, 800],
        Placement.allCases)
    func countsWalks(rate: Double, placement: Placement) throws {
        let simulation = try Simulation(
            Scenario.walk.worn(placement).lasting(120), seed: 3, sensor: SensorModel(sampleRate: rate))
        let truth = simulation.truth.steps.count
        let counted = simulation.events.steps.count
        #expect(abs(counted - truth) * 20 <= truth, "\(counted) of \(truth) steps")
    }

    @Test("finds each strike in time")
    func strikeTimes() throws {
        let simulation = try Simulation(Scenario.walk.lasting(120), seed: 5, sensor: SensorModel(sampleRate: 100))
        let found = simulation.events.steps
        let truth = simulation.truth.steps
        let hits = truth.filter { strike in
            found.contains { abs($0.time.seconds(since: strike.time)) <= 0.25 }
        }
        #expect(hits.count * 100 >= truth.count * 95)
    }

    @Test("nobody walks who stands, works at a desk or drives", arguments: [Scenario.stand, .desk, .drive])
    func noSteps(scenario: Scenario) throws {
        for placement in Placement.allCases {
            let simulation = try Simulation(scenario.worn(placement), seed: 11, sensor: SensorModel(sampleRate: 50))
            #expect(simulation.events.steps.isEmpty, "\(scenario.name), \(placement)")
        }
    }

    @Test("every step lies in a segment on foot, and segments count their own steps", arguments: [1, 2, 3] as [UInt64])
    func coherence(seed: UInt64) throws {
        let events = try Simulation(.commute, seed: seed, sensor: SensorModel(sampleRate: 50)).events
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
            case .gap:
                break
            }
        }
        #expect(steps.isEmpty)
    }

    @Test("the state of an hour is no larger than that of ten minutes")
    func boundedState() throws {
        let sensor = SensorModel(sampleRate: 12.5)
        var analyzer = MotionAnalyzer()
        var largest: [Int] = []
        for batch in try Simulation(Scenario.commute.lasting(3600), seed: 6, sensor: sensor, samplesPerBatch: 125) {
            _ = analyzer.analyze(batch)
            largest.append(Self.elements(in: analyzer))
        }
        let tenMinutes = largest.prefix(60).max() ?? 0
        #expect(tenMinutes > 1000)
        #expect(largest.max() ?? 0 <= tenMinutes + tenMinutes / 10)
    }

    /// How many elements the collections within a value hold in all, as far as reflection reaches.
    private static func elements(in value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .collection, mirror.children.count > 16 { return mirror.children.count }
        return mirror.children.reduce(0) { $0 + elements(in: $1.value) }
    }

    @Test("what is settled stays: provisional events only ever extend it")
    func provisional() throws {
        var analyzer = MotionAnalyzer()
        var settled: [MotionEvent] = []
        for (index, batch) in try Simulation(.commute, seed: 2, samplesPerBatch: 500).enumerated() {
            settled += analyzer.analyze(batch)
            guard index % 5 == 4 else { continue }
            let before = analyzer.quality
            let guess = analyzer.provisional
            #expect(analyzer.quality == before)
            // The guess begins where the settled events end and reaches the last sample.
            if case .segment(let last)? = settled.last, let first = guess.segments.first {
                #expect(first.range.lowerBound == last.range.upperBound)
            }
            #expect(guess.segments.last?.range.upperBound == batch.times.last)
        }
        #expect(!settled.isEmpty)
    }

    @Test("a step is settled within ten seconds of its strike, any second within a minute")
    func latency() throws {
        var analyzer = MotionAnalyzer()
        let simulation = try Simulation(.commute, seed: 4, sensor: SensorModel(sampleRate: 50), samplesPerBatch: 10)
        var settledEnd: Timestamp?
        var lastBout: Timestamp?
        for batch in simulation {
            let now = batch.times[batch.count - 1]
            for event in analyzer.analyze(batch) {
                guard case .segment(let segment) = event else {
                    if case .step(let step) = event {
                        // The first steps of a bout wait until it is confirmed.
                        if let bout = lastBout, step.time.seconds(since: bout) < 2 {
                            #expect(now.seconds(since: step.time) <= 10)
                        }
                        lastBout = step.time
                    }
                    continue
                }
                settledEnd = segment.range.upperBound
            }
            if let settledEnd { #expect(now.seconds(since: settledEnd) <= 61) }
        }
    }
}
