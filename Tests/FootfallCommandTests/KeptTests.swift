import Footfall
import Foundation
import TestSupport
import Testing

@Suite("Results that a history does not keep")
struct KeptTests {
    private static let walk = RecordedHistory.trace("walk-wrist")
    private static let commute = RecordedHistory.trace("commute")

    private func analyze(_ history: RecordedHistory, _ arguments: String...) throws -> Run {
        try footfall(["analyze", "--history", history.path, "--tz", "UTC", "-o", "json"] + arguments)
    }

    /// A log at rest of one sample each 2 s, for some days until noon of 20 November 2026, with a walk on each day.
    private func days(_ count: Int, in folder: Folder) throws -> String {
        let samples = try String(contentsOfFile: Self.walk, encoding: .utf8).split(separator: "\n").dropFirst().prefix(
            3000
        )
        .map { $0.split(separator: ",", maxSplits: 1) }
        let end = 1_795_176_000.0
        let lines = (0..<count).flatMap { day in
            samples.map { cells in
                let time = end - Double(count - day) * 86400 + (Double(cells[0]) ?? 0)
                return "\(String(format: "%.3f", time)),\(cells[1])"
            }
        }
        return try folder.write("days.csv", (["time,x,y,z"] + lines).joined(separator: "\n"))
    }

    @Test("of 14 days the line at the end has the numbers and --keep, and the exit code is 4")
    func retention() throws {
        let history = try RecordedHistory()
        let log = try days(14, in: history.folder)
        let run = try analyze(history, log)
        let steps = try #require(try run.records().integers("steps").first)
        let kept = try history.records("steps").integers("steps")[0]
        #expect(run.status == 4 && kept > 0 && kept < steps, "\(run.errors)")
        #expect(
            run.errors.contains("\(steps - kept) of \(steps) steps") && run.errors.contains("--keep 14d"),
            "\(run.errors)")
        let longer = try RecordedHistory()
        #expect(try analyze(longer, log, "--keep", "14d").status == 0)
        #expect(try longer.records("steps").integers("steps") == [steps])
        // An import into a history of seven days states the same.
        let file = try longer.folder.write("copy.ndjson", longer.manage("export").output)
        try history.record("walk-wrist", start: "2026-11-20T20:00:00Z", source: "default")
        let imported = try history.manage("import", file)
        #expect(imported.status == 4 && imported.errors.contains("--keep"), "\(imported)")
    }

    @Test("of a replay of an old log the line states that nothing is recorded")
    func replay() throws {
        let history = try RecordedHistory.walk()
        let before = try history.query("activities", "-o", "json").output
        let run = try footfall(
            "live", "--replay", Self.walk, "--speed", "max", "--source", "wrist", "--history", history.path)
        #expect(run.status == 4 && run.errors.contains("218 of 218 steps"), "\(run)")
        #expect(run.errors.contains("--keep forever"))
        #expect(try history.query("activities", "-o", "json").output == before)
    }

    @Test("of several people in one source the line names --source-from, which keeps them apart")
    func people() throws {
        let history = try RecordedHistory()
        let anna = try history.folder.write("study/anna.csv", String(contentsOfFile: Self.walk, encoding: .utf8))
        let ben = try history.folder.write(
            "study/p2/ben.log.csv", String(contentsOfFile: Self.commute, encoding: .utf8))
        let start = ["--start", "2026-11-20T08:00:00Z"]
        let run = try footfall(["analyze", anna, ben, "--history", history.path, "-o", "json"] + start)
        let total = try run.records().integers("steps").reduce(0, +)
        let kept = try history.records("steps").integers("steps")[0]
        #expect(run.status == 4 && run.errors.contains("\(kept) of \(total) steps"), "\(run.errors)")
        #expect(run.errors.contains("--source-from name"))

        let apart = try RecordedHistory()
        let study = history.folder.path("study")
        let named = try footfall(
            ["analyze", study, "--history", apart.path, "--source-from", "name", "-o", "json"] + start)
        #expect(named.status == 0, "\(named.errors)")
        let sources = try #require(
            try apart.manage("info", "-o", "json").records().first?["sources"] as? [[String: Any]])
        #expect(sources.strings("source") == ["anna", "p2/ben.log"])
        #expect(sources.integers("steps").reduce(0, +) == total)
        let both = try footfall("analyze", study, "--source", "a", "--source-from", "name")
        #expect(both.status == 64 && both.errors.contains("--source-from"))
    }
}

@Suite("Traces without a date")
struct UndatedTests {
    @Test("A second one for the same source is refused, with the ways out, and the history is unchanged")
    func second() throws {
        let history = try RecordedHistory()
        let (walk, commute) = (RecordedHistory.trace("walk-wrist"), RecordedHistory.trace("commute"))
        let arguments = ["--history", history.path, "-o", "json"]
        let run = try footfall(["analyze", walk, commute] + arguments)
        #expect(run.status == 65, "\(run.errors)")
        for option in ["--start", "--after-last", "--source"] { #expect(run.errors.contains(option)) }
        #expect(try run.records().integers("steps") == [218])
        #expect(try history.records("steps").integers("steps") == [218])
        let before = try history.manage("export").output
        #expect(try footfall(["analyze", commute] + arguments).status == 65)
        let replay = try footfall("live", "--replay", commute, "--speed", "max", "--history", history.path)
        #expect(replay.status == 65 && replay.errors.contains("--after-last"), "\(replay)")
        #expect(try history.manage("export").output == before)
        // The same trace changes nothing.
        #expect(try footfall(["analyze", walk] + arguments).status == 0)
        #expect(try history.manage("export").output == before)
    }

    @Test("--after-last appends them")
    func afterLast() throws {
        let history = try RecordedHistory()
        let (walk, commute) = (RecordedHistory.trace("walk-wrist"), RecordedHistory.trace("commute"))
        let run = try footfall("analyze", walk, commute, "--history", history.path, "--after-last", "-o", "json")
        #expect(run.status == 0, "\(run.errors)")
        let steps = try run.records().integers("steps")
        #expect(steps.count == 2)
        #expect(try history.records("steps").integers("steps") == [steps.reduce(0, +)])
        let starts = try run.records().strings("start")
        #expect(starts == starts.sorted() && Set(starts).count == 2)
        let replay = try footfall(
            "live", "--replay", walk, "--speed", "max", "--history", history.path, "--after-last")
        #expect(replay.status == 0, "\(replay.errors)")
        #expect(try history.records("steps").integers("steps") == [steps.reduce(0, +) + steps[0]])
        #expect(try footfall("analyze", walk, "--after-last").status == 64)
        #expect(try footfall("analyze", walk, "--after-last", "--start", "2026-11-20", "--history", "h").status == 64)
    }
}
