import Footfall
import FootfallSimulator
import TestSupport
import Testing

/// What the stages compute for each second of a commute with a gap.
@Suite("Analyzed seconds")
struct AnalyzedSecondTests {
    private static let sensor = SensorModel(sampleRate: 40, jitter: 0.2, lostShare: 0.01, gaps: [100..<103, 300..<340])

    private static func analysis(
        batchesOf size: Int
    ) throws -> (events: [MotionEvent], seconds: [AnalyzedSecond]) {
        var analyzer = MotionAnalyzer(recordsSeconds: true)
        var (events, seconds): ([MotionEvent], [AnalyzedSecond]) = ([], [])
        for batch in try Simulation(.commute, seed: 7, sensor: sensor, samplesPerBatch: size) {
            events += analyzer.analyze(batch)
            seconds += analyzer.takeSeconds()
        }
        events += analyzer.finish()
        return (events, seconds + analyzer.takeSeconds())
    }

    private static let commute = Result { try analysis(batchesOf: 4096) }

    @Test("change no event, and do not depend on batches", arguments: [1, 1_000_000])
    func invariance(size: Int) throws {
        let (events, seconds) = try Self.commute.get()
        #expect(try Simulation(.commute, seed: 7, sensor: Self.sensor).events == events)
        let other = try Self.analysis(batchesOf: size)
        #expect(other.events == events && other.seconds == seconds)
    }

    @Test("are one for each second with samples, in order, with the steps and the activity of the events")
    func events() throws {
        let (events, seconds) = try Self.commute.get()
        #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0.start < $1.start })
        #expect(seconds.reduce(0) { $0 + $1.steps } == events.steps.count)
        let segments = events.segments
        #expect(Double(seconds.count) >= segments.reduce(0) { $0 + $1.range.seconds }.rounded(.down))
        for segment in segments where segment.range.seconds > 2 {
            for second in seconds where segment.range.contains(second.start.advanced(bySeconds: 0.5)) {
                #expect(second.activity == segment.activity && second.reason == segment.reason)
            }
        }
    }

    @Test("show why there are steps, and why there are none")
    func reasons() throws {
        let seconds = try Self.commute.get().seconds
        let walked = seconds.filter { $0.steps > 0 }
        #expect(walked.count > 200 && walked.allSatisfy { $0.bout == .confirmed })
        let scored = walked.filter { ($0.gateScore ?? -1) > 0 && ($0.checkSum ?? -1) >= 0 && $0.cadence != nil }
        #expect(Double(scored.count) > 0.9 * Double(walked.count))
        let drive = seconds.filter { $0.activity == .automotive && $0.bout == .none }
        #expect(drive.count > 100 && drive.allSatisfy { $0.steps == 0 && $0.states.count == 8 })
        #expect(walked.allSatisfy { $0.decision == .bout } && drive.allSatisfy { $0.decision != .bout })
        #expect(drive.contains { $0.decision == .noCadence })
        let followed = seconds.filter { $0.decision == .unconfirmed }
        #expect(followed.allSatisfy { $0.cadence != nil && $0.steps == 0 && $0.bout != .confirmed })
        #expect(drive.contains { $0.features.count == 16 && $0.classes.count == 6 })
        for probabilities in seconds.flatMap({ [$0.classes, $0.states] }) where !probabilities.isEmpty {
            let sum: Float = probabilities.reduce(0, +)
            #expect(abs(sum - 1) < 1e-3)
        }
    }

    @Test("are not there unless they are asked for, and are taken once")
    func taken() throws {
        var analyzer = MotionAnalyzer()
        for batch in try Simulation(.commute, seed: 7, sensor: Self.sensor) { _ = analyzer.analyze(batch) }
        #expect(analyzer.takeSeconds().isEmpty)
        #expect(AnalyzedSecond.featureNames.count == 16)
        #expect(AnalyzedSecond.classNames.count == 6 && AnalyzedSecond.stateNames.count == 8)
    }
}
