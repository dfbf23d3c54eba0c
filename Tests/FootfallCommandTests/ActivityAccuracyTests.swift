import Footfall
import FootfallTraces
import Foundation
import TestSupport
import Testing

@testable import FootfallCommand

/// The figures of ActivityModel.md, held on half of the recordings of 8 Hz and more that they were measured on.
@Suite("Activities of real people", .needsShared("corpus/activity/manifest.csv"))
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

    @Test("are shown live before they are settled, nearly as well")
    func live() throws {
        var evaluation = Evaluation(live: true)
        for (index, entry) in try ActivityCorpus.entries("activity", minimumHertz: 8).enumerated() where index % 6 == 1
        {
            evaluation.add(entry)
        }
        let measures = try #require(evaluation.groups.first).group
        let settled = try #require(measures.activities.rightShare)
        for (answers, loss) in zip(measures.live.answers, [0.08, 0.04, 0.03, 0.02]) {
            #expect(try #require(answers.rightShare) >= settled - loss)
        }
        #expect(measures.live.longestWait <= 60)
    }

    @Test("on foot begin and end within three seconds")
    func walks() throws {
        var evaluation = Evaluation()
        for entry in try ActivityCorpus.entries("activity") where entry.dataset == "sp-sw-har" { evaluation.add(entry) }
        let measures = try #require(evaluation.groups.first).group.activities
        #expect(measures.changes(of: .walking) >= 50)
        #expect(try #require(measures.changeError(of: .walking)) <= 3)
    }

    @Test("at the wheel begin and end within twenty seconds, between two walks")
    func drives() throws {
        let folder = try Folder()
        let manifest = try ActivityCorpus.errands(in: folder)
        var evaluation = Evaluation()
        for entry in try Manifest(contentsOf: manifest).entries { evaluation.add(entry) }
        #expect(evaluation.failures.isEmpty)
        let measures = try #require(evaluation.groups.first).group.activities
        #expect(measures.changes(of: .automotive) >= 10)
        #expect(try #require(measures.changeError(of: .automotive)) <= 20)
        #expect(try #require(measures.changeError(of: .walking)) <= 3)
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
        #expect(seconds[.automotive, default: 0] >= 0.85 * all)
        #expect(seconds[.automotive, default: 0] + seconds[.unknown, default: 0] >= 0.98 * all)
        #expect(onFoot <= 0.01 * all)
    }
}

/// The labelled recordings, which are not part of the package.
private enum ActivityCorpus {
    /// Writes recordings that are spliced of a walk, a drive and a walk of different people, with their manifest.
    static func errands(in folder: Folder) throws -> URL {
        let all = try entries("activity", minimumHertz: 12)
        let drives = all.filter { $0.dataset == "qrowd-tr" && $0.recording.hasSuffix("vehicle") }
        let walks = all.filter { $0.dataset == "wisdm2019" && $0.recording.hasSuffix("phone-walking") }
        var manifest = "dataset,recording,labels\n"
        for (index, walk) in walks.prefix(8).enumerated() where !drives.isEmpty {
            let drive = drives[index % drives.count]
            var errand = ["time,x,y,z,label"]
            var end = try append(walk, from: 0, at: 0, to: &errand)
            end = try append(drive, from: Double(index / drives.count) * 300, at: end, to: &errand)
            _ = try append(walks[walks.count - 1 - index], from: 0, at: end, to: &errand)
            _ = try folder.write("errand\(index).csv", errand.joined(separator: "\n"))
            manifest += ",errand\(index),spliced\n"
        }
        return URL(filePath: try folder.write("manifest.csv", manifest))
    }

    /// Appends two minutes of a recording, or what there is, from some seconds on. Returns when they end.
    private static func append(
        _ entry: Manifest.Entry, from skipped: Double, at start: Double, to rows: inout [String]
    ) throws -> Double {
        var end = start
        for line in try String(contentsOf: entry.url, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 4, let time = Double(fields[0]), time >= skipped else { continue }
            guard time < skipped + 120 else { break }
            end = start + time - skipped
            rows.append(([String(end)] + fields[1...4].map(String.init)).joined(separator: ","))
        }
        return end + 0.05
    }

    static func entries(_ kind: String, minimumHertz: Double = 0) throws -> [Manifest.Entry] {
        let url = SharedRecordings.url("corpus/\(kind)/manifest.csv")
        let rates = try CSVTable(contentsOf: url).rows.map { $0["sample_rate_hz"].flatMap(Double.init) ?? 0 }
        return try zip(Manifest(contentsOf: url).entries, rates).filter { $0.1 >= minimumHertz }.map(\.0)
    }
}
