import FootfallStudy
import Foundation
import TestSupport
import Testing

@Suite("A study by the library")
struct StudyTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// The bytes of each table below a folder, by its path. The list of traces states when a log was changed, so it is
    /// left out.
    private func tables(in name: String) throws -> [String: Data] {
        let root = folder.url.appending(path: name)
        let paths = try #require(FileManager.default.subpaths(atPath: root.path)).filter { $0.hasSuffix("s.csv") }
        return Dictionary(
            uniqueKeysWithValues: try paths.map { ($0, try Data(contentsOf: root.appending(path: $0))) })
    }

    @Test("has the tables of the command, byte by byte")
    func tables() throws {
        let logs = ["errands-wrist", "stroll-hip"].map { URL(filePath: RecordedHistory.trace($0)) }
        let run = try footfall(["analyze"] + logs.map(\.path) + ["--tables", folder.path("command")])
        try #require(run.status == 0, "\(run.errors)")
        #expect(try Study(in: folder.url.appending(path: "library")).analyze(logs).isEmpty)
        let expected = try tables(in: "command")
        #expect(expected["days.csv"] != nil && expected["persons.csv"] != nil && expected.count > 12)
        #expect(try tables(in: "library") == expected)
    }

    @Test("joins the logs of a person as summarize does")
    func persons() throws {
        let logs = ["errands-wrist", "stroll-hip"].map { URL(filePath: RecordedHistory.trace($0)) }
        let who = try folder.write("who.csv", "trace,person\nerrands-wrist,anna\nstroll-hip,anna\n")
        for name in ["command", "library"] {
            #expect(try Study(in: folder.url.appending(path: name)).analyze(logs).isEmpty)
        }
        let run = try footfall("summarize", folder.path("command"), "--persons", who, "--valid-day", "1min")
        try #require(run.status == 0, "\(run.errors)")
        let study = Study(in: folder.url.appending(path: "library"), rules: DayRules(leastWear: 60))
        let persons = try study.summarize(persons: URL(filePath: who))
        #expect(persons.map(\.person) == ["anna"] && persons.first?.logs == 2)
        #expect(persons.first?.median(of: "steps") == persons.first?.days.first.map { Double($0.steps) })
        #expect(try tables(in: "library") == tables(in: "command"))
    }

    @Test("names the log that cannot be read, and has the tables of the others")
    func failures() throws {
        let broken = try folder.write("broken.csv", "no,numbers\nhere,there\n")
        let logs = [URL(filePath: broken), URL(filePath: RecordedHistory.trace("stroll-hip"))]
        let results = folder.url.appending(path: "results")
        let study = Study(in: results, rules: DayRules(leastWear: 16 * 3600))
        let failures = try study.analyze(logs)
        for person in try study.summarize() {
            for day in person.days where day.isValid { print(person.person, day.date ?? "", day.steps) }
        }
        #expect(failures.count == 1 && "\(failures)".contains("broken.csv"))
        #expect(try study.summarize().map(\.person) == ["stroll-hip"])
    }
}
