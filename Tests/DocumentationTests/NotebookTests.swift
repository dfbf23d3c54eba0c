import Foundation
import TestSupport
import Testing

/// The stored output of the notebooks, and the README, have the figures of this version.
@Suite("Figures of the stored notebooks")
struct NotebookTests {
    private struct Notebook: Decodable {
        struct Cell: Decodable { var outputs: [Output]? }
        struct Output: Decodable { var data: [String: Text]? }
        /// A text, or its lines; a picture or another value is empty.
        struct Text: Decodable {
            var text: String
            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                text = (try? value.decode([String].self).joined()) ?? (try? value.decode(String.self)) ?? ""
            }
        }
        var cells: [Cell]

        /// The words of each line of the stored tables.
        static func lines(of name: String) throws -> [[String]] {
            let file = Document.root.appending(path: "Notebooks/\(name).ipynb")
            let outputs = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file)).cells
                .flatMap { $0.outputs ?? [] }
            return outputs.compactMap { $0.data?["text/plain"]?.text }
                .flatMap { $0.split(separator: "\n") }
                .map { $0.split(separator: " ").map(String.init) }
        }
    }

    private struct Trace: Decodable {
        struct Activity: Decodable {
            var offset, duration: Double
            var activity, confidence: String
            var steps: Int
        }
        var activities: [Activity]
    }

    @Test("of a trace are those of the command")
    func segments() throws {
        let run = try footfall(["analyze", "SensorTraces/commute.csv", "--output", "json"], in: Document.root)
        let activities = try JSONDecoder().decode([Trace].self, from: Data(run.output.utf8)).flatMap(\.activities)
        let lines = try Notebook.lines(of: "explore-a-trace")
        #expect(activities.count > 3)
        for (number, activity) in activities.enumerated() {
            // The columns: number, offset, duration, activity, confidence, probability, steps.
            let line = try #require(lines.first { $0.count == 7 && $0[0] == "\(number)" }, "no segment \(number)")
            #expect(Double(line[1]) == activity.offset && Double(line[2]) == activity.duration)
            #expect(Array(line[3...4]) == [activity.activity, activity.confidence] && line[6] == "\(activity.steps)")
        }
    }

    private struct Group: Decodable {
        var group: String
        var mape, macroF1: Double?

        static func evaluated(_ kind: String, _ group: String) throws -> Group {
            let manifest = SharedRecordings.url("corpus/\(kind)/manifest.csv").path
            let run = try footfall(["evaluate", manifest, "--output", "json"], in: Document.root)
            let groups = try JSONDecoder().decode([Group].self, from: Data(run.output.utf8))
            return try #require(groups.first { $0.group == group })
        }
    }

    @Test(
        "of recordings, and those of the README, are what evaluate prints", .needsShared("corpus/activity/manifest.csv")
    )
    func accuracy() throws {
        let error = try #require(Group.evaluated("steps", "all").mape)
        let f1 = try #require(Group.evaluated("activity", "8 Hz and more").macroF1)
        let line = try #require(Notebook.lines(of: "accuracy").first { $0.starts(with: ["all", "170"]) })
        #expect(Double(line[2]) == error)
        let readme = try String(contentsOf: Document.root.appending(path: "README.md"), encoding: .utf8)
        for (row, figure) in [
            ("| mean absolute error of the step count |", String(format: "| %.1f %% |", error)),
            ("| activities, macro-F1", String(format: "| %.3f |", f1)),
        ] {
            let found = try #require(readme.split(separator: "\n").first { $0.hasPrefix(row) })
            #expect(found.hasSuffix(figure), "\(found) does not end with \(figure)")
        }
    }
}
