import Foundation
import TestSupport
import Testing

/// The stored output of the notebooks has the figures of this version, and the README has those of the notebooks.
@Suite("Figures of the stored notebooks")
struct NotebookTests {
    private struct Notebook: Decodable {
        struct Cell: Decodable { var outputs: [Output]? }
        struct Output: Decodable {
            var data: [String: Text]?
            /// What a cell prints.
            var text: Text?
        }
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
            return outputs.compactMap { ($0.data?["text/plain"] ?? $0.text)?.text }
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
            #expect(line[3] == activity.activity && line[4] == activity.confidence)
            #expect(Int(line[6]) == activity.steps)
        }
    }

    private struct Group: Decodable {
        var group: String
        var mape: Double?
    }

    @Test("of recordings are what evaluate prints", .needsShared("corpus/steps/manifest.csv"))
    func accuracy() throws {
        let manifest = SharedRecordings.url("corpus/steps/manifest.csv").path
        let run = try footfall(["evaluate", manifest, "--output", "json"], in: Document.root)
        let groups = try JSONDecoder().decode([Group].self, from: Data(run.output.utf8))
        let all = try #require(groups.first { $0.group == "all" })
        let line = try #require(Notebook.lines(of: "accuracy").first { $0.starts(with: ["all", "170"]) })
        #expect(Double(line[2]) == all.mape)
    }

    @Test("that train models are those of the README for people and sets that are left out")
    func leftOut() throws {
        let readme = try String(contentsOf: Document.root.appending(path: "README.md"), encoding: .utf8)
        func figure(_ notebook: String, _ words: String...) throws -> Double {
            let line = try #require(Notebook.lines(of: notebook).first { $0.starts(with: words) })
            return try #require(Double(line[words.count]))
        }
        func percent(_ share: Double) -> String { String(format: "%.1f %%", share) }
        let gate = "train-walking-gate"
        let people = try percent(figure(gate, "all,", "people", "left", "out"))
        let sets = try percent(figure(gate, "all,", "sets", "left", "out"))
        let phones = try percent(figure(gate, "phone,", "people", "left", "out"))
        let activities = try figure("train-activity-model", "macro-F1", "of", "four")
        for quote in [
            "| mean absolute error of the step count | \(people) | \(sets) |", "| \(people) (phones \(phones)); 0 |",
            String(format: "people and sets left out together | | %.3f |", activities),
        ] {
            #expect(readme.contains(quote))
        }
        // The recordings with at least twenty steps.
        let pairs = try Int(figure("accuracy", "pairs"))
        #expect(readme.contains("over the \(pairs) recordings that have at least 20 steps"))
    }
}
