import Foundation
import TestSupport
import Testing

/// The folder of tables of several logs.
@Suite("The tables of traces")
struct TraceTablesTests {
    private let folder: Folder

    init() throws { folder = try .withLogs() }

    @Test("the tables of a trace agree with its summary and with each other")
    func tables() throws {
        let run = try footfall(
            "analyze", folder.path("logs"), "--tables", folder.path("results"), "--output", "json", "--tz", "Asia/Tokyo"
        )
        #expect(run.status == 0)
        for record in try run.records() {
            let steps = try #require(record["steps"] as? Int)
            let name = try #require(record["trace"] as? String).replacing(".csv", with: "")
            #expect(try folder.lines("results/\(name)/steps.csv").count == steps + 1)
            for table in ["minutes", "hours", "days"] {
                let rows = try folder.lines("results/\(name)/\(table).csv").dropFirst().map { $0.split(separator: ",") }
                #expect(rows.reduce(0) { $0 + (Int($1[2]) ?? 0) } == steps)
                let covered = rows.reduce(0) { $0 + (Double($1[3]) ?? 0) }
                #expect(abs(covered - (record["coverage"] as? Double ?? 0)) < 0.05)
                // The activities of a row add up to its coverage.
                #expect(
                    rows.allSatisfy { row in
                        let activities = row[4...9].reduce(0) { $0 + (Double($1) ?? 0) }
                        return abs(activities - (Double(row[3]) ?? 0)) < 0.01
                    })
            }
            let bouts = try folder.lines("results/\(name)/bouts.csv").dropFirst().map { $0.split(separator: ",") }
            #expect(bouts.reduce(0) { $0 + (Int($1[3]) ?? 0) } == steps)
            let epochs = try folder.lines("results/\(name)/epochs.csv")
            #expect(epochs.first == "start,enmoMg,madMg,angleZDeg,clipped,worn,countsX,countsY,countsZ,startLocal")
            #expect(abs(Double(epochs.count - 1) * 5 - (record["coverage"] as? Double ?? 0)) < 5)
        }
        // A day starts at midnight in Tokyo, 15:00 UTC.
        #expect(try folder.lines("results/a/days.csv").count == 2)
        #expect(try folder.lines("results/traces.ndjson").count == 3)
    }

    @Test("a trace with many steps has all of them in every output and leaves no temporary file")
    func manySteps() throws {
        let log = folder.path("run.csv")
        let options = ["--rate", "12.5", "--duration", "1800", "--out", log, "--force"]
        #expect(try footfall(["simulate", "run"] + options).status == 0)
        for name in ["temporary", "history"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        let run = try footfall(
            "analyze", log, "--tables", folder.path("results"), "--step-times", "--output", "json", "--history",
            folder.path("history/steps.sqlite"), environment: ["TMPDIR": folder.path("temporary")])
        let record = try #require(run.records().first)
        let times = try #require(record["stepTimes"] as? [Double])
        #expect(times.count > 4500)
        #expect(record["steps"] as? Int == times.count)
        let offsets = try folder.lines("results/run/steps.csv").dropFirst().map { $0.split(separator: ",")[1] }
        #expect(offsets.map { Double($0) } == times)
        let steps = try footfall(
            "query", "steps", "--history", folder.path("history/steps.sqlite"), "--since", "1970-01-01", "--until",
            "1970-01-02", "--output", "json")
        #expect(try steps.records().first?["steps"] as? Int == times.count)
        let manager = FileManager.default
        #expect(try manager.contentsOfDirectory(atPath: folder.path("temporary")).isEmpty)
        #expect(
            try manager.contentsOfDirectory(atPath: folder.path("results/run")).sorted()
                == ["activities", "bouts", "days", "epochs", "gait", "gaitdays", "hours", "minutes", "steps"].map {
                    $0 + ".csv"
                })
    }

    @Test("step times need no temporary files")
    func noRoom() throws {
        let log = folder.path("logs/b/run.csv")
        let options = ["--rate", "12.5", "--duration", "1800", "--out", log, "--force"]
        #expect(try footfall(["simulate", "run"] + options).status == 0)
        try FileManager.default.removeItem(atPath: folder.path("logs/b/run.truth.json"))
        let run = try footfall(
            "analyze", folder.path("logs"), "--step-times", "--output", "json",
            environment: ["TMPDIR": folder.path("none")])
        #expect(run.status == 0)
        let records = try run.records()
        #expect(records.map { $0["trace"] as? String } == ["a.csv", "b/run.csv", "c.csv"])
        #expect(records.allSatisfy { ($0["stepTimes"] as? [Double])?.count == $0["steps"] as? Int })
    }

    @Test("the days of a gap of decades have no rows")
    func leap() throws {
        let walk = try String(contentsOfFile: RecordedHistory.trace("walk-wrist"), encoding: .utf8)
            .split(separator: "\n")
        let later = walk.dropFirst().map { line -> String in
            let fields = line.split(separator: ",")
            return "\((Double(fields[0]) ?? 0) + 1_577_836_800)," + fields.dropFirst().joined(separator: ",")
        }
        let log = try folder.write("leap.csv", (walk.map(String.init) + later).joined(separator: "\n") + "\n")
        let run = try footfall("analyze", log, "--tables", folder.path("results"), "--output", "json")
        let record = try #require(run.records().first)
        let steps = try #require(record["steps"] as? Int)
        #expect((record["gaps"] as? [Any])?.count == 1)
        for (table, rowsADay) in [("minutes", 1440), ("hours", 24), ("days", 1)] {
            let rows = try folder.lines("results/leap/\(table).csv").dropFirst().map { $0.split(separator: ",") }
            #expect(rows.count <= 2 * rowsADay)
            #expect(rows.reduce(0) { $0 + (Int($1[2]) ?? 0) } == steps)
        }
    }

    @Test("a log whose name is dots gets a folder of its own, not the parent", arguments: ["...csv", "..gz", ".gz"])
    func dots(name: String) throws {
        try FileManager.default.copyItem(atPath: folder.path("logs/a.csv"), toPath: folder.path(name))
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(try footfall("analyze", folder.path(name), "--tables", folder.path("results")).status == 0)
        let after = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(after).subtracting(before) == ["results"])
        #expect(try folder.lines("results/\(name)/days.csv").count == 2)
    }

    @Test("results in the folder of logs are not analyzed")
    func resultsAmongLogs() throws {
        let arguments = ["analyze", folder.path("logs"), "--tables", folder.path("logs/b/results")]
        for more in [[], ["--resume"]] { #expect(try footfall(arguments + more).status == 0) }
        #expect(try folder.lines("logs/b/results/traces.ndjson").count == 3)
    }

    @Test("a file with the name of the folder of tables is an error and stays unchanged")
    func noFolder() throws {
        let file = try folder.write("results", "mine\n")
        let run = try footfall("analyze", folder.path("logs"), "--tables", file)
        #expect(run.status == 73 && run.output.isEmpty)
        #expect(run.errors == "footfall: \(file): is a file, not a folder for tables; name another\n")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine\n")
    }

    @Test("traces that differ only in their extensions have tables of their own")
    func extensions() throws {
        try FileManager.default.copyItem(
            at: folder.url.appending(path: "logs/c.csv"), to: folder.url.appending(path: "logs/a.txt"))
        let run = try footfall("analyze", folder.path("logs"), "--tables", folder.path("results"), "-o", "json")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(try run.records().count == 4)
        for name in ["a.csv", "a.txt", "b/run", "c"] {
            #expect(try folder.lines("results/\(name)/days.csv").count == 2, "\(name)")
        }
    }

    @Test("traces of one name stay apart by their folders; one whose place is taken is left out with an error")
    func collision() throws {
        for name in ["other", "third", "more/other"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: folder.url.appending(path: "logs/c.csv"), to: folder.url.appending(path: name + "/a.csv"))
        }
        let run = try footfall(
            "analyze", folder.path("logs/a.csv"), folder.path("other/a.csv"), folder.path("logs/c.csv"),
            folder.path("third/a.csv"), folder.path("more/other/a.csv"), "--tables", folder.path("results"), "-o",
            "json")
        #expect(run.status == 66)
        #expect(run.errors.split(separator: "take the place").count == 2, "\(run.errors)")
        let names = ["a.csv", "other/a.csv", "c.csv", "third/a.csv"]
        #expect(try run.records().map { $0["trace"] as? String } == names)
    }

    @Test("the tables of several folders are in folders of their names")
    func severalFolders() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "more"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: folder.url.appending(path: "logs/c.csv"), to: folder.url.appending(path: "more/a.csv"))
        let run = try footfall(
            "analyze", folder.path("logs"), folder.path("more") + "/", "--tables", folder.path("results"), "-o", "json")
        #expect(run.status == 0)
        let names = ["logs/a.csv", "logs/b/run.csv", "logs/c.csv", "more/a.csv"]
        #expect(try run.records().map { $0["trace"] as? String } == names)
        #expect(try folder.lines("results/more/a/days.csv").count == 2)
    }
}
