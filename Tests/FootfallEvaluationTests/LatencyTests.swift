import Footfall
import FootfallEvaluation
import FootfallReaders
import TestSupport
import Testing

/// How soon a step is shown and settled, on phones with known initial contacts. Provisional events are read five times
/// a second.
@Suite("Latency of steps", .needsShared("corpus/steps/manifest.csv"))
struct LatencyTests {
    /// In seconds of signal.
    private struct Latencies {
        /// From an initial contact in a confirmed bout until its step is shown, and until it is settled.
        var shown: [Double] = []
        var settled: [Double] = []
        /// From the first true initial contact of a recording until any step is shown.
        var begun: [Double] = []
    }

    /// Seconds read from each recording.
    private static let length = 60.0
    private static let readsPerSecond = 5.0

    private static let measured = Result {
        var latencies = Latencies()
        for recording in try Corpus.stepRecordings() where ["oxford_opt", "weallwalk"].contains(recording.dataset) {
            try measure(recording, &latencies)
        }
        latencies.shown.sort()
        latencies.settled.sort()
        latencies.begun.sort()
        return latencies
    }

    private static func measure(_ recording: Manifest.Recording, _ latencies: inout Latencies) throws {
        let truth = try recording.truth()
        let times = if case .steps(_, let times) = truth { times ?? [] } else { [Double]() }
        let firstContact = try #require(times.min(), "\(recording.name) has no step times")
        var trace = try Trace(contentsOf: recording.url)
        var analyzer = MotionAnalyzer()
        var batch = SampleBatch()
        var shown: [(contact: Double, at: Double)] = []
        var settled: [(contact: Double, at: Double)] = []
        var next = -Double.infinity
        var start: Double?
        reading: while let samples = try trace.nextBatch() {
            for sample in samples {
                let now = sample.time.seconds(since: .epoch)
                if now - (start ?? now) > length { break reading }
                start = start ?? now
                batch.append(sample)
                guard now >= next else { continue }
                next = now + 1 / readsPerSecond
                settled += contacts(analyzer.analyze(batch)).map { ($0, now) }
                batch = SampleBatch()
                // Provisional steps lie in the last ten seconds.
                let known = shown.suffix(60)
                shown += contacts(analyzer.provisional)
                    .filter { contact in !known.contains { abs($0.contact - contact) < 0.2 } }.map { ($0, now) }
            }
        }
        latencies.begun.append((shown.first?.at ?? .infinity) - firstContact)
        // A bout is confirmed at a contact if a step of the last two seconds had been shown by then.
        func isInBout(_ contact: Double) -> Bool {
            shown.contains { $0.at <= contact && contact - $0.contact < Step.longestInterval }
        }
        // A step that is shown but never settled is not one.
        latencies.shown += shown.filter { guess in
            isInBout(guess.contact) && settled.contains { abs($0.contact - guess.contact) < 0.25 }
        }.map { $0.at - $0.contact }
        latencies.settled += settled.filter { isInBout($0.contact) }.map { $0.at - $0.contact }
    }

    private static func contacts(_ events: [MotionEvent]) -> [Double] {
        events.compactMap { if case .step(let step) = $0 { step.time.seconds(since: .epoch) } else { nil } }
    }

    private func share(of latencies: [Double], within limit: Double) -> Double {
        Double(latencies.count { $0 <= limit }) / Double(max(latencies.count, 1))
    }

    /// Prints the median, the 95th percentile, the maximum, and the share within a limit.
    private func report(_ title: String, _ latencies: [Double], _ limit: Double) {
        let quantiles = [0.5, 0.95, 1].compactMap { quantile in
            latencies.isEmpty ? nil : latencies[min(latencies.count - 1, Int(quantile * Double(latencies.count)))]
        }
        print(title, quantiles.map { ($0 * 100).rounded() / 100 }, "s,", share(of: latencies, within: limit), "in time")
    }

    @Test("a step in a confirmed bout is shown within a second and settled within ten")
    func inBouts() throws {
        let measured = try Self.measured.get()
        report("shown:", measured.shown, 1)
        report("settled:", measured.settled, 10)
        #expect(share(of: measured.shown, within: 1) >= 0.99)
        #expect(share(of: measured.settled, within: 10) == 1)
    }

    @Test("a new bout is shown within five seconds of its first initial contact")
    func newBouts() throws {
        let measured = try Self.measured.get()
        report("begun:", measured.begun, 5)
        #expect(share(of: measured.begun, within: 5) >= 0.95)
    }
}
