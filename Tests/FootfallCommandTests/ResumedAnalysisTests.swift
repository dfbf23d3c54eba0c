import Foundation
import TestSupport
import Testing

/// An analysis of several logs that goes on where another one ended.
@Suite("A resumed analysis")
struct ResumedAnalysisTests {
    private let folder: Folder

    init() throws { folder = try .withLogs() }

    @Test("--resume continues an interrupted analysis and completes its table")
    func resume() throws {
        let arguments = ["analyze", folder.path("logs"), "--tables", folder.path("results"), "--output", "ndjson"]
        let first = try footfall("analyze", folder.path("logs/a.csv"), "--tables", folder.path("results"))
        try #require(first.status == 0)
        let run = try footfall(arguments + ["--resume"])
        #expect(run.status == 0)
        #expect(run.errors.contains("1 trace is done already"))
        // The list also has the identity of each file.
        let whole = try folder.lines("results/traces.ndjson")
        let printed = run.output.split(separator: "\n").map { String($0.dropLast()) }
        #expect(printed.count == 2 && zip(printed, whole.dropFirst()).allSatisfy { $1.hasPrefix($0 + ",\"log\":{") })
        #expect(whole.count == 3)
    }

    @Test("--resume writes a missing table again, and without it a run keeps what other logs gave")
    func missingTable() throws {
        let results = folder.path("results")
        #expect(try footfall("analyze", folder.path("logs"), "--tables", results).status == 0)
        let names = ["a/steps.csv", "a/gait.csv", "b/run/minutes.csv", "days.csv", "persons.csv", "traces.ndjson"]
        let before = try names.map { try folder.text("results/" + $0) }
        for name in names { try FileManager.default.removeItem(atPath: "\(results)/\(name)") }
        let run = try footfall("analyze", folder.path("logs"), "--tables", results, "--resume")
        #expect(run.status == 0 && run.errors.contains("3 traces are done already"), "\(run)")
        #expect(run.errors.contains("written again without an analysis: a, b/run\n"), "\(run)")
        #expect(try names.map { try folder.text("results/" + $0) } == before)
        #expect(try footfall("analyze", folder.path("logs/c.csv"), "--tables", results).status == 0)
        #expect(try names.map { try folder.text("results/" + $0) } == before)
        // Results of other options are others.
        let other = ["analyze", folder.path("logs/c.csv"), "--tables", results, "--resume", "--epoch", "15"]
        #expect(try footfall(other).errors.contains("read otherwise"))
        #expect(try footfall(other).errors.contains("1 trace is done already"))
    }

    @Test("--resume removes what a killed analysis has left beside tables, also that of a moment ago")
    func drafts() throws {
        let arguments = ["analyze", folder.path("logs"), "--tables", folder.path("results")]
        #expect(try footfall(arguments).status == 0)
        let draft = try folder.write("results/a/.footfall-3ab9", "draft")
        #expect(try footfall(arguments + ["--resume"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test("a log that cannot be read any more loses its rows and is named")
    func unreadable() throws {
        let results = folder.path("results")
        #expect(try footfall("analyze", folder.path("logs"), "--tables", results).status == 0)
        try folder.write("logs/c.csv", "no numbers here\n")
        let run = try footfall("analyze", folder.path("logs"), "--tables", results, "--resume")
        #expect(run.status == 65 && run.errors.contains("c.csv"), "\(run)")
        #expect(try rows(of: results + "/days.csv").map { $0["person"] } == ["a", "b/run"])
        #expect(try rows(of: results + "/persons.csv").map { $0["logsUnreadable"] } == ["0", "0", "1"])
        #expect(try folder.lines("results/traces.ndjson").count == 2)
        #expect(!FileManager.default.fileExists(atPath: results + "/c"))
        let summary = try footfall("summarize", results)
        #expect(summary.status == 0 && summary.errors.contains("c, of c, cannot be read any more"), "\(summary)")
        // A log that is not there keeps its rows: its disk may be elsewhere.
        try FileManager.default.removeItem(atPath: folder.path("logs/a.csv"))
        #expect(try footfall("analyze", folder.path("logs/a.csv"), "--tables", results, "--resume").status == 66)
        #expect(try rows(of: results + "/days.csv").map { $0["person"] } == ["a", "b/run"])
    }

    @Test("a log that was renamed or moved is the same log; a copy is another one")
    func renamed() throws {
        let (results, logs) = (folder.path("results"), folder.path("logs"))
        func persons() throws -> [String?] { try rows(of: results + "/persons.csv").map { $0["person"] } }
        let resume = ["analyze", logs, "--tables", results, "--resume"]
        #expect(try footfall(resume).status == 0)
        let before = try persons()
        try FileManager.default.createDirectory(atPath: logs + "/d", withIntermediateDirectories: true)
        for (old, new) in [("c.csv", "z.csv"), ("z.csv", "d/z.csv"), ("a.csv", "d/a.csv")] {
            try FileManager.default.moveItem(atPath: "\(logs)/\(old)", toPath: "\(logs)/\(new)")
            let run = try footfall(resume)
            #expect(run.errors.contains("\(before.count) traces are done already"), "\(run)")
            #expect(try persons() == before)
        }
        try FileManager.default.copyItem(atPath: logs + "/d/z.csv", toPath: logs + "/copy.csv")
        for _ in 0..<2 { #expect(try footfall(resume).status == 0) }
        #expect(try persons().count == before.count + 1)
    }

    @Test("any number of commands write one study at once", .timeLimit(.minutes(60)))
    func manyCommands() throws {
        let logs = folder.path("many")
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
        for number in 1...12 {
            try FileManager.default.copyItem(atPath: folder.path("logs/c.csv"), toPath: "\(logs)/\(number).csv")
        }
        let results = folder.path("results")
        let run = try shell(
            "ls '\(logs)'/*.csv | xargs -P4 -n1 '\(executable.path)' analyze --tables '\(results)' --resume -o ndjson")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try folder.lines("results/traces.ndjson").count == 12)
        #expect(try rows(of: results + "/persons.csv").count == 12 && rows(of: results + "/days.csv").count == 12)
    }

    @Test("--resume takes no other log of the same name for the one that is done")
    func otherLog() throws {
        let results = folder.path("results")
        #expect(try footfall("analyze", folder.path("logs/a.csv"), "--tables", results).status == 0)
        _ = try folder.write("other/a.csv", try Data(contentsOf: URL(filePath: folder.path("logs/c.csv"))))
        let other = try footfall("analyze", folder.path("other/a.csv"), "--tables", results, "--resume", "-o", "json")
        #expect(try other.records().map { $0["trace"] as? String } == ["other/a.csv"])
        #expect(try rows(of: results + "/persons.csv").map { $0["person"] } == ["a", "other/a"])
        // The same file with another content is analyzed again.
        _ = try folder.write("logs/a.csv", try Data(contentsOf: URL(filePath: folder.path("logs/c.csv"))))
        let changed = try footfall("analyze", folder.path("logs/a.csv"), "--tables", results, "--resume", "-o", "json")
        #expect(changed.status == 0 && changed.errors.contains("changed since"))
        #expect(try changed.records().count == 1 && folder.lines("results/traces.ndjson").count == 2)
    }

    @Test("--resume repeats an interrupted trace")
    func interrupted() throws {
        let (log, results) = (folder.path("walk.csv"), folder.path("results"))
        try #require(mkfifo(log, 0o600) == 0)
        let process = Process()
        process.executableURL = executable
        process.arguments = ["analyze", log, "--tables", results]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        // This call waits until the command opens the pipe. The command handles signals by then.
        let writer = try #require(FileHandle(forWritingAtPath: log))
        let rows = (0..<100_000).map { "\(Double($0) / 50),0.0\($0 % 10),0,1\n" }
        try writer.write(contentsOf: Data(("time,x,y,z\n" + rows.joined()).utf8))
        kill(process.processIdentifier, SIGINT)
        // The pipe stays open: at the end of the log a busy command might miss the signal.
        #expect(process.waitForEnd() == 130)
        try writer.close()
        let records = try? folder.lines("results/traces.ndjson")
        #expect(records?.isEmpty ?? true)
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.copyItem(atPath: RecordedHistory.trace("walk-wrist"), toPath: log)
        #expect(try footfall("analyze", log, "--tables", results, "--resume").status == 0)
        #expect(try folder.lines("results/traces.ndjson").count == 1)
    }
}
