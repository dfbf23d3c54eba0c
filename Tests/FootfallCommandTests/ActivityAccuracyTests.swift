import Footfall
import FootfallTraces
import Foundation
import Testing

@testable import FootfallCommand

/// The figures of ActivityModel.md, held on half of the recordings of 8 Hz and more that they were measured on.
@Suite(
    "Activities of real people",
    .enabled(if: ActivityCorpus.isThere, "needs the labelled recordings (corpus in the folder FOOTFALL_SHARED)"))
struct ActivityAccuracyTests {
    /// This half reaches 0.972; no class is below 0.94.
    @Test("are told, with few fragments and grades that can be believed")
    func pooled() throws {
        var evaluation = Evaluation()
        for (index, entry) in try ActivityCorpus.entries("activity", minimumHertz: 8).enumerated() where index % 2 == 0
        {
            evaluation.add(entry)
        }
        #expect(evaluation.failures.isEmpty)
        let measures = try #require(evaluation.groups.first).group.activities
        #expect(try #require(measures.macroF1) >= 0.955)
        for activity in [Activity.stationary, .walking, .running, .automotive, .cycling] {
            #expect(try #require(measures.recall(activity)) >= 0.92, "\(activity)")
        }
        #expect(try #require(measures.fragmentation) <= 1.2)
        #expect(try #require(measures.accuracy(at: .high)) >= 0.97)
        #expect(try #require(measures.accuracy(at: .medium)) >= 0.85)
    }

    @Test("at the wheel, with the device at the wrist, are a drive")
    func driving() throws {
        var seconds: [Activity: Double] = [:]
        for entry in try ActivityCorpus.entries("steps") where entry.activity == "driving" {
            let analysis = try TraceAnalysis(entry.file, options: TraceOptions())
            for segment in analysis.segments { seconds[segment.activity, default: 0] += segment.range.seconds }
        }
        let all = seconds.values.reduce(0, +)
        let onFoot = seconds[.walking, default: 0] + seconds[.running, default: 0]
        #expect(seconds[.automotive, default: 0] >= 0.9 * all)
        #expect(onFoot <= 0.01 * all)
    }
}

/// The labelled recordings, which are not part of the package.
private enum ActivityCorpus {
    private static let folder: URL = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["FOOTFALL_SHARED"] ?? package.appending(path: "../shared").path
        return URL(filePath: path).appending(path: "corpus").standardizedFileURL
    }()

    static var isThere: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "activity/manifest.csv").path)
    }

    static func entries(_ kind: String, minimumHertz: Double = 0) throws -> [Manifest.Entry] {
        let url = folder.appending(path: kind).appending(path: "manifest.csv")
        let rates = try CSVTable(contentsOf: url).rows.map { $0["sample_rate_hz"].flatMap(Double.init) ?? 0 }
        return try zip(Manifest(contentsOf: url).entries, rates).filter { $0.1 >= minimumHertz }.map(\.0)
    }
}
