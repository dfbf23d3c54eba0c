import Footfall
import FootfallEvaluation
import FootfallTraces
import TestSupport
import Testing

@Suite("Impulses in recordings of people", .needsShared("corpus/steps/manifest.csv"))
struct ImpulseTests {
    @Test("there is none", arguments: ["steps", "steps-more", "activity", "activity-more", "activity-third", "hands"])
    func none(folder: String) throws {
        let found = try Corpus.recordings(folder).concurrentMap { recording -> String? in
            guard var trace = try? Trace(contentsOf: recording.url) else { return nil }
            var analyzer = MotionAnalyzer()
            while let batch = try trace.nextBatch() { _ = analyzer.analyze(batch) }
            return analyzer.quality.impulses > 0 ? "\(recording.name): \(analyzer.quality.impulses)" : nil
        }
        #expect(found.count > 5 && found.compactMap(\.self).isEmpty)
    }
}
