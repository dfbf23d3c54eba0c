import Footfall
import FootfallTraces
import Foundation
import TestSupport
import Testing

@testable import FootfallCommand

/// Measures, on phones with known strikes, how soon a step is shown and settled; the analyzer is asked five times a second.
@Suite("Latency of steps", .needsShared("corpus/steps/manifest.csv"))
struct LatencyTests {
    /// In seconds of signal.
    private struct Latencies {
        /// From a strike in a confirmed bout until it is shown, and until it is settled.
        var shown: [Double] = []
        var settled: [Double] = []
        /// From the first true strike of a recording until any step is shown.
        var begun: [Double] = []
    }

    /// Seconds of each recording, and how often the analyzer is asked in each of them.
    #if DEBUG
        private static let length = 15.0
    #else
        private static let length = 60.0
    #endif
    private static let inquiries = 5.0

    private static let measured: Latencies? = {
        var latencies = Latencies()
        guard let manifest = try? Manifest(contentsOf: Corpus.manifest) else { return nil }
        for entry in manifest.entries
        where ["oxford_opt", "weallwalk"].contains(entry.dataset) && Corpus.isPartOfTest(entry) {
            guard (try? measure(entry, &latencies)) != nil else { return nil }
        }
        latencies.shown.sort()
        latencies.settled.sort()
        latencies.begun.sort()
        return latencies
    }()

    private static func measure(_ entry: Manifest.Entry, _ latencies: inout Latencies) throws {
        let truth = try CSVTable(contentsOf: entry.stepsURL).rows.compactMap { $0["time"].flatMap(Double.init) }
        var trace = try Trace(contentsOf: entry.url)
        var analyzer = MotionAnalyzer()
        var batch = SampleBatch()
        var shown: [(strike: Double, at: Double)] = []
        var settled: [(strike: Double, at: Double)] = []
        var next = -Double.infinity
        var start: Double?
        reading: while let samples = try trace.nextBatch() {
            for sample in samples {
                let now = sample.time.seconds(since: .epoch)
                if now - (start ?? now) > length { break reading }
                start = start ?? now
                batch.append(sample)
                guard now >= next else { continue }
                next = now + 1 / inquiries
                settled += strikes(analyzer.analyze(batch)).map { ($0, now) }
                batch = SampleBatch()
                // What is not settled lies in the last ten seconds.
                let known = shown.suffix(60)
                shown += strikes(analyzer.provisional)
                    .filter { strike in !known.contains { abs($0.strike - strike) < 0.2 } }.map { ($0, now) }
            }
        }
        guard let first = truth.min(), let begun = shown.first?.at else { return }
        latencies.begun.append(begun - first)
        // A bout is known at a strike when a step of the last two seconds had been shown by then.
        func isInBout(_ strike: Double) -> Bool {
            shown.contains { $0.at <= strike && strike - $0.strike < Step.longestInterval }
        }
        // A step that was shown and never settled was none.
        latencies.shown += shown.filter { guess in
            isInBout(guess.strike) && settled.contains { abs($0.strike - guess.strike) < 0.25 }
        }.map { $0.at - $0.strike }
        latencies.settled += settled.filter { isInBout($0.strike) }.map { $0.at - $0.strike }
    }

    private static func strikes(_ events: [MotionEvent]) -> [Double] {
        events.steps.map { $0.time.seconds(since: .epoch) }
    }

    private func share(of latencies: [Double], within limit: Double) -> Double {
        Double(latencies.count { $0 <= limit }) / Double(max(latencies.count, 1))
    }

    /// Prints how long half, 95 % and all of them took, and the share within a limit.
    private func tell(_ what: String, _ latencies: [Double], _ limit: Double) {
        let quantiles = [0.5, 0.95, 1].compactMap { quantile in
            latencies.isEmpty ? nil : latencies[min(latencies.count - 1, Int(quantile * Double(latencies.count)))]
        }
        print(what, quantiles.map { ($0 * 100).rounded() / 100 }, "s,", share(of: latencies, within: limit), "in time")
    }

    @Test("a step in a confirmed bout is shown within a second and settled within ten")
    func inBouts() throws {
        let measured = try #require(Self.measured)
        tell("shown:", measured.shown, 1)
        tell("settled:", measured.settled, 10)
        #expect(share(of: measured.shown, within: 1) >= 0.99)
        #expect(share(of: measured.settled, within: 10) == 1)
    }

    @Test("a new bout is shown within five seconds of its first strike")
    func newBouts() throws {
        let measured = try #require(Self.measured)
        tell("begun:", measured.begun, 5)
        #expect(share(of: measured.begun, within: 5) >= 0.95)
    }
}
