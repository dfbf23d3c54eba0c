import Foundation
import TestSupport
import Testing

@Suite("The pictures and the figures of the README")
struct ReadmeFigureTests {
    private struct Truth: Decodable { var steps: Int }
    private struct Count: Decodable { var steps: Int }

    private static let readme = Document.pages.filter { $0.path == "README.md" }
    private let folder: Folder
    /// The text on one line.
    private let text = Self.readme.flatMap(\.lines).joined(separator: " ")

    init() throws { folder = try Folder() }

    /// The true steps of a simulation.
    private func truth(_ file: URL) throws -> Int {
        try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file)).steps
    }

    /// A picture of the documentation.
    private func picture(_ name: String) throws -> String {
        let resources = Document.root.appending(path: "Sources/FootfallReport/FootfallReport.docc")
        return try String(contentsOf: resources.appending(path: name), encoding: .utf8)
    }

    private func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }

    @Test("of a day are those of the three commands below it")
    func day() throws {
        let block = try #require(
            Self.readme.flatMap(\.blocks).first { $0.lines.first?.hasPrefix("footfall simulate day") ?? false })
        #expect(block.lines.count == 3)
        for line in block.lines {
            let run = try footfall(line.split(separator: " ").dropFirst().map(String.init), in: folder.url)
            #expect(run.status == 0, "\(line): \(run.errors)")
        }
        let query = try footfall("query", "steps", "--history", folder.path("day.sqlite"), "-o", "json")
        let steps = try #require(JSONDecoder().decode([Count].self, from: Data(query.output.utf8)).first?.steps)
        let truth = try truth(folder.url.appending(path: "day.truth.json"))
        let sentence = "It has \(grouped(truth)) steps; Footfall finds \(grouped(steps))."
        #expect(text.contains(sentence), "it should say: \(sentence)")
        #expect(try folder.text("day.svg") == picture("day.svg"), "make pictures draws another day")
    }

    @Test("of a log are those of the command", arguments: [("commute.svg", []), ("why.svg", ["--why"])])
    func log(name: String, options: [String]) throws {
        let drawn = folder.path(name)
        let run = try footfall(["analyze", "SensorTraces/commute.csv", "--plot", drawn] + options, in: Document.root)
        #expect(run.status == 0)
        #expect(try folder.text(name) == picture(name), "make pictures draws another \(name)")
    }

    @Test("of true steps are those of the simulation")
    func trueSteps() throws {
        let truth = try truth(Document.root.appending(path: "SensorTraces/walk-wrist.truth.json"))
        #expect(text.contains("This log is simulated, with \(truth) true steps."))
    }
}
