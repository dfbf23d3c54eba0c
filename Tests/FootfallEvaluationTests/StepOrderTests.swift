import Footfall
import FootfallEvaluation
import FootfallReaders
import TestSupport
import Testing

@Suite("The steps of recordings", .needsShared("corpus/steps/manifest.csv"))
struct StepOrderTests {
    private static let folders = ["steps", "steps-more", "activity", "activity-more", "activity-third", "hands"]

    /// The check of the sensor refuses two short recordings of a watch that waves or picks something up.
    private static let mostRefused = 2
    /// One recording in so many.
    private static let every = 3

    @Test("increase in time and keep the shortest interval, and no sample is an impulse", arguments: folders)
    func order(folder: String) throws {
        let recordings = try Corpus.recordings(folder).enumerated().filter { $0.offset % Self.every == 0 }
        let violations = try recordings.concurrentMap { _, recording -> (isRefused: Bool, text: String?) in
            guard var trace = try? Trace(contentsOf: recording.url) else { return (true, nil) }
            var (analyzer, events) = (MotionAnalyzer(), [MotionEvent]())
            while let batch = try trace.nextBatch() { events += analyzer.analyze(batch) }
            events += analyzer.finish()
            let impulses = analyzer.quality.impulses
            let text = Self.violation(events) ?? (impulses > 0 ? "\(impulses) impulses" : nil)
            return (false, text.map { "\(recording.name): \($0)" })
        }
        #expect(violations.count > 5 / Self.every && violations.count(where: \.isRefused) <= Self.mostRefused)
        #expect(violations.compactMap(\.text).isEmpty)
    }

    @Test("do so at other rates and between splices and gaps, and the cuts into batches change nothing")
    func variants() throws {
        let all = try Self.folders.flatMap { try Corpus.recordings($0) }
        let recordings = all.enumerated().filter { $0.offset % 9 == 4 }
        let violations = try recordings.concurrentMap { index, recording -> [String] in
            var seeded = SeededGenerator(seed: UInt64(index))
            guard var trace = try? Trace(contentsOf: recording.url) else { return [] }
            var samples = SampleBatch()
            while let batch = try trace.nextBatch() { for sample in batch { samples.append(sample) } }
            let every = Int.random(in: 1...3, using: &seeded)
            let varied = Self.spliced(samples.enumerated().filter { $0.offset % every == 0 }.map(\.element), &seeded)
            let events = [SampleBatch(varied)].events
            let size = Int.random(in: 1...500, using: &seeded)
            let pieces = stride(from: 0, to: varied.count, by: size).map {
                SampleBatch(varied[$0..<min($0 + size, varied.count)])
            }
            let isEqual = pieces.events == events
            return [Self.violation(events), isEqual ? nil : "batches of \(size) differ"].compactMap(\.self).map {
                "\(recording.name), every \(every): \($0)"
            }
        }
        #expect(recordings.count > 50 && violations.flatMap(\.self).isEmpty)
    }

    /// Takes pieces of 0.3 to 6 s out of samples. Half of them leave a gap, the others a splice.
    private static func spliced(
        _ samples: [AccelerationSample], _ seeded: inout SeededGenerator
    ) -> [AccelerationSample] {
        guard var start = samples.first?.time else { return [] }
        var (end, shift, isSplice) = (start, 0.0, false)
        var left: [AccelerationSample] = []
        for sample in samples {
            if sample.time >= end {
                if isSplice { shift -= end.seconds(since: start) }
                start = sample.time.advanced(bySeconds: Double.random(in: 3...25, using: &seeded))
                end = start.advanced(bySeconds: Double.random(in: 0.3...6, using: &seeded))
                isSplice = Bool.random(using: &seeded)
            }
            guard sample.time < start else { continue }
            left.append(
                AccelerationSample(time: sample.time.advanced(bySeconds: shift), x: sample.x, y: sample.y, z: sample.z))
        }
        return left
    }

    /// The first pair of steps that are too close or out of order; nil if there is none.
    private static func violation(_ events: [MotionEvent]) -> String? {
        let times = events.steps.map(\.time)
        return zip(times, times.dropFirst()).first { $1.seconds(since: $0) < Step.shortestInterval }
            .map { "a step at \($1) after one at \($0)" }
    }
}
