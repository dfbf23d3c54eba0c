import Footfall
import FootfallEvaluation
import FootfallReaders
import Foundation
import Synchronization
import TestSupport

/// Recordings of people, which are not part of the package. Each is analyzed once for all tests.
enum Corpus {
    struct Analyzed: Sendable {
        let recording: Manifest.Recording
        let truth: RecordingTruth
        let run: AnalyzerRun
    }

    /// The recordings of a manifest.
    static func recordings(_ name: String) throws -> [Manifest.Recording] {
        try Manifest(contentsOf: SharedRecordings.url("corpus/\(name)/manifest.csv")).recordings
    }

    /// The recordings with known step counts.
    static func stepRecordings() throws -> [Manifest.Recording] { try recordings("steps") }

    static let steps = Result { try stepRecordings().concurrentMap { try analyze($0) } }

    /// Every second labeled recording of 8 Hz and more, a third of them compared live; and all of these and of
    /// sp-sw-har.
    static let activities = Result {
        let labeled = try recordings("activity").filter { ($0.sampleRate ?? 0) >= 8 }
        let half = try labeled.enumerated().filter { $0.offset % 2 == 0 }
            .concurrentMap { try analyze($0.element, comparesLive: $0.offset % 6 == 0) }
        let rest = try labeled.enumerated().filter { $0.offset % 2 == 1 && $0.element.dataset == "sp-sw-har" }
            .concurrentMap { try analyze($0.element) }
        return (half: half, all: half + rest)
    }

    /// Analyzes a recording.
    static func analyze(_ recording: Manifest.Recording, comparesLive: Bool = false) throws -> Analyzed {
        let truth = try recording.truth()
        var labels: ActivityLabels?
        if comparesLive, case .activities(let known) = truth { labels = known }
        var trace = try Trace(contentsOf: recording.url)
        var analyzer = RecordingAnalyzer(comparingLiveWith: labels)
        while let batch = try trace.nextBatch() { analyzer.analyze(batch) }
        return Analyzed(recording: recording, truth: truth, run: analyzer.finish())
    }
}

extension Evaluation {
    init(_ results: some Sequence<Corpus.Analyzed>) {
        self.init()
        for result in results { add(result.run, of: result.recording, truth: result.truth) }
    }
}

extension Array where Element: Sendable {
    /// Transforms the elements on all processors; the results keep their order.
    func concurrentMap<Transformed: Sendable>(
        _ transform: @Sendable (Element) throws -> Transformed
    ) throws -> [Transformed] {
        let results = Mutex([Int: Result<Transformed, any Error>]())
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { results in try indices.compactMap { try results[$0]?.get() } }
    }
}
