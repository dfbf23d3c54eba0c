import Foundation
import TestSupport
import Testing

/// The analysis of a folder of logs: in parallel, with tables, and resumed after an interruption.
@Suite("Many traces")
struct ManyTracesTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "logs/b"), withIntermediateDirectories: true)
        for (name, trace) in [("logs/a.csv", "walk-wrist"), ("logs/b/run.csv", "run-pocket"), ("logs/c.csv", "gaps")] {
            try FileManager.default.copyItem(
                at: URL(filePath: RecordedHistory.trace(trace)), to: folder.url.appending(path: name))
        }
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test("a folder gives all logs in it and its subfolders, in the order of their names")
    func wholeFolder() throws {
        let run = try footfall("analyze", folder.path("logs"), "--output", "json")
        #expect(run.status == 0)
        #expect(try run.records().map { $0["trace"] as? String } == ["a.csv", "b/run.csv", "c.csv"])
    }

    @Test("a log on standard input has the results of its file")
    func standardInput() throws {
        let log = folder.path("logs/a.csv")
        let file = try footfall("analyze", log, "-o", "json").records()
        for input in [
            "'\(executable.path)' analyze - -o json <'\(log)'", "cat '\(log)' | '\(executable.path)' analyze - -o json",
        ] {
            let run = try shell(input)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            #expect(try run.records().integers("steps") == file.integers("steps"))
        }
    }

    @Test("one log whose tables cannot be written costs the others nothing, nor do samples that share one time")
    func otherFailures() throws {
        let results = folder.path("results")
        // A file is where the tables of one log should be.
        try folder.write("results/a", "")
        let run = try footfall("analyze", folder.path("logs"), "--tables", results)
        #expect(run.status == 73 && run.errors.contains("results/a"), "\(run)")
        for other in ["b/run", "c"] {
            #expect(FileManager.default.fileExists(atPath: "\(results)/\(other)/days.csv"), "\(run)")
        }
        // Seconds that are read as nanoseconds: the rate is infinite.
        let wrong = try footfall(
            "analyze", folder.path("logs"), "--time-unit", "ns", "--tables", folder.path("others"))
        #expect(
            wrong.status == 0 && FileManager.default.fileExists(atPath: folder.path("others/a/days.csv")), "\(wrong)")
    }

    @Test("ground truth beside its log and manifests are left out, in one line that names them")
    func groundTruth() throws {
        let walk = try Data(contentsOf: URL(filePath: RecordedHistory.trace("walk-wrist")))
        let truth = ["manifest.csv", "a.truth.json", "a.labels.csv", "a.steps.csv", "b/run.counts.csv"]
        for name in truth { try folder.write("logs/" + name, walk) }
        // The ending alone is none: there is no log d.
        try folder.write("logs/d.steps.csv", walk)
        let run = try footfall("analyze", folder.path("logs"), "--output", "json")
        #expect(run.status == 0)
        #expect(try run.records().map { $0["trace"] as? String } == ["a.csv", "b/run.csv", "c.csv", "d.steps.csv"])
        let lines = run.errors.split(separator: "\n").filter { $0.contains("ground truth or a manifest") }
        #expect(lines.count == 1, "\(run.errors)")
        for name in truth { #expect(lines.first?.contains("logs/" + name) == true) }
        let named = try footfall("analyze", folder.path("logs/a.steps.csv"), "--output", "json")
        #expect(named.status == 0 && named.errors.isEmpty, "\(named.errors)")
    }

    @Test("the number of parallel jobs does not change the output")
    func jobs() throws {
        let outputs = try ["1", "2", "7"].map { count in
            try footfall("analyze", folder.path("logs"), "--output", "ndjson", "--step-times", "--jobs", count).output
        }
        #expect(outputs[0].split(separator: "\n").count == 3)
        #expect(Set(outputs).count == 1)
    }

    @Test("unreadable files are listed at the end, and the others are analyzed")
    func failures() throws {
        _ = try folder.write("logs/0.txt", "no numbers here\n")
        _ = try folder.write("logs/d.csv", "time,x,y,z\n")
        let run = try footfall("analyze", folder.path("logs"), "--output", "json")
        #expect(run.status == 65)
        #expect(try run.records().count == 3)
        #expect(run.errors.contains("2 traces could not be analyzed"))
        #expect(run.errors.contains("0.txt") && run.errors.contains("d.csv"))
    }

    @Test("an empty folder is missing input")
    func emptyFolder() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "none"), withIntermediateDirectories: true)
        let run = try footfall("analyze", folder.path("none"))
        #expect(run.status == 66)
        #expect(run.errors.contains("holds no file"))
    }

    @Test("the tables of a trace agree with its summary and with each other")
    func tables() throws {
        let run = try footfall(
            "analyze", folder.path("logs"), "--tables", folder.path("results"), "--output", "json", "--tz", "Asia/Tokyo"
        )
        #expect(run.status == 0)
        for record in try run.records() {
            let steps = try #require(record["steps"] as? Int)
            let name = try #require(record["trace"] as? String).replacing(".csv", with: "")
            #expect(try lines("results/\(name)/steps.csv").count == steps + 1)
            for table in ["minutes", "hours", "days"] {
                let rows = try lines("results/\(name)/\(table).csv").dropFirst().map { $0.split(separator: ",") }
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
            let bouts = try lines("results/\(name)/bouts.csv").dropFirst().map { $0.split(separator: ",") }
            #expect(bouts.reduce(0) { $0 + (Int($1[3]) ?? 0) } == steps)
            let epochs = try lines("results/\(name)/epochs.csv")
            #expect(epochs.first == "start,enmoMg,madMg,angleZDeg,clipped,worn,countsX,countsY,countsZ,startLocal")
            #expect(abs(Double(epochs.count - 1) * 5 - (record["coverage"] as? Double ?? 0)) < 5)
        }
        // A day starts at midnight in Tokyo, 15:00 UTC.
        #expect(try lines("results/a/days.csv").count == 2)
        #expect(try lines("results/traces.ndjson").count == 3)
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
        let offsets = try lines("results/run/steps.csv").dropFirst().map { $0.split(separator: ",")[1] }
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
            let rows = try lines("results/leap/\(table).csv").dropFirst().map { $0.split(separator: ",") }
            #expect(rows.count <= 2 * rowsADay)
            #expect(rows.reduce(0) { $0 + (Int($1[2]) ?? 0) } == steps)
        }
    }

    @Test("the result has a note for each assumption")
    func notes() throws {
        let rows = (0..<600).map { "2026-01-02 03:04:\(String(format: "%05.2f", Double($0) / 50)),0.0\($0 % 10),0,1" }
        let log = try folder.write("local.csv", "time,x,y,z\n" + rows.joined(separator: "\n") + "\n")
        let run = try footfall("analyze", log, "--output", "json")
        #expect(
            try run.records().first?["notes"] as? [String] == ["date-times state no zone; they were read as UTC"])
    }

    @Test("--resume continues an interrupted analysis and completes its table")
    func resume() throws {
        let arguments = ["analyze", folder.path("logs"), "--tables", folder.path("results"), "--output", "ndjson"]
        let first = try footfall("analyze", folder.path("logs/a.csv"), "--tables", folder.path("results"))
        try #require(first.status == 0)
        let run = try footfall(arguments + ["--resume"])
        #expect(run.status == 0)
        #expect(run.errors.contains("1 trace is done already"))
        // The list also has the identity of each file.
        let whole = try lines("results/traces.ndjson")
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

    @Test("a log that cannot be read any more loses its rows and is named")
    func unreadable() throws {
        let results = folder.path("results")
        #expect(try footfall("analyze", folder.path("logs"), "--tables", results).status == 0)
        try folder.write("logs/c.csv", "no numbers here\n")
        let run = try footfall("analyze", folder.path("logs"), "--tables", results, "--resume")
        #expect(run.status == 65 && run.errors.contains("c.csv"), "\(run)")
        #expect(try rows(of: results + "/days.csv").map { $0["person"] } == ["a", "b/run"])
        #expect(try rows(of: results + "/persons.csv").map { $0["logsUnreadable"] } == ["0", "0", "1"])
        #expect(try lines("results/traces.ndjson").count == 2)
        #expect(!FileManager.default.fileExists(atPath: results + "/c"))
        let summary = try footfall("summarize", results)
        #expect(summary.status == 0 && summary.errors.contains("c, of c, cannot be read any more"), "\(summary)")
        // A log that is not there keeps its rows: its disk may be elsewhere.
        try FileManager.default.removeItem(atPath: folder.path("logs/a.csv"))
        #expect(try footfall("analyze", folder.path("logs/a.csv"), "--tables", results, "--resume").status == 66)
        #expect(try rows(of: results + "/days.csv").map { $0["person"] } == ["a", "b/run"])
    }

    @Test("any number of commands write one study at once", .timeLimit(.minutes(10)))
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
        #expect(try lines("results/traces.ndjson").count == 12)
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
        #expect(try changed.records().count == 1 && lines("results/traces.ndjson").count == 2)
    }

    @Test("a total states which traces it covers")
    func totals() throws {
        let results = folder.path("results")
        #expect(try footfall("analyze", folder.path("logs/a.csv"), "--tables", results).status == 0)
        let run = try footfall("analyze", folder.path("logs"), "--tables", results, "--resume")
        let all = try footfall("analyze", folder.path("logs")).output
        let steps = try #require(all.firstMatch(of: /(\d+) steps in 3 traces\n/)?.output.1)
        #expect(run.output.contains("in 2 traces; \(steps) steps with the 1 done already, in all 3 traces\n"), "\(run)")
    }

    @Test("a log whose name is dots gets a folder of its own, not the parent", arguments: ["...csv", "..gz", ".gz"])
    func dots(name: String) throws {
        try FileManager.default.copyItem(atPath: folder.path("logs/a.csv"), toPath: folder.path(name))
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(try footfall("analyze", folder.path(name), "--tables", folder.path("results")).status == 0)
        let after = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(after).subtracting(before) == ["results"])
        #expect(try lines("results/\(name)/days.csv").count == 2)
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
        let records = try? lines("results/traces.ndjson")
        #expect(records?.isEmpty ?? true)
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.copyItem(atPath: RecordedHistory.trace("walk-wrist"), toPath: log)
        #expect(try footfall("analyze", log, "--tables", results, "--resume").status == 0)
        #expect(try lines("results/traces.ndjson").count == 1)
    }

    @Test("results in the folder of logs are not analyzed")
    func resultsAmongLogs() throws {
        let arguments = ["analyze", folder.path("logs"), "--tables", folder.path("logs/b/results")]
        for more in [[], ["--resume"]] { #expect(try footfall(arguments + more).status == 0) }
        #expect(try lines("logs/b/results/traces.ndjson").count == 3)
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
            at: folder.url.appending(path: "logs/a.csv"), to: folder.url.appending(path: "logs/a.txt"))
        let run = try footfall("analyze", folder.path("logs"), "--tables", folder.path("results"), "-o", "json")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(try run.records().count == 4)
        for name in ["a.csv", "a.txt", "b/run", "c"] {
            #expect(try lines("results/\(name)/days.csv").count == 2, "\(name)")
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
        #expect(try lines("results/more/a/days.csv").count == 2)
    }

    @Test("loops of links, second names and pipes are left out in a line each, and the rest is analyzed")
    func links() throws {
        let logs = folder.path("logs")
        let setup = "cd '\(logs)' && ln -s . loop && ln -s ../../logs b/up && ln c.csv hard.csv && mkfifo pipe.csv"
        try #require(try shell(setup).status == 0)
        let run = try footfall("analyze", logs, "--output", "json")
        #expect(run.status == 0)
        #expect(try run.records().map { $0["trace"] as? String } == ["a.csv", "b/run.csv", "c.csv"])
        let remarks = run.errors.split(separator: "\n")
        #expect(remarks.count == 2, "\(run.errors)")
        #expect(["b/up", "hard.csv (as", "loop"].allSatisfy { remarks.first?.contains($0) ?? false })
        #expect(remarks.last?.hasSuffix("no regular files: \(logs)/pipe.csv") ?? false)
    }

    @Test("names that are not UTF-8 are read as Latin-1")
    func latinNames() throws {
        let logs = folder.path("logs")
        let command = "cd '\(logs)' && e=$(printf '\\351') && mkdir $e && mv a.csv $e/ && cp c.csv $e.csv"
        try #require(try shell(command).status == 0)
        let run = try footfall("analyze", logs, "--tables", folder.path("results"), "--output", "json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try run.records().map { $0["trace"] as? String } == ["b/run.csv", "c.csv", "é/a.csv", "é.csv"])
        #expect(try lines("results/é/a/days.csv").count == 2)
        let alone = try shell("'\(executable.path)' analyze '\(logs)'/$(printf '\\351').csv --output json")
        #expect(try alone.records().map { $0["trace"] as? String } == ["é.csv"])
    }

    @Test("a name that is not UTF-8 means that file, also beside one in UTF-8, and is no name for results")
    func latinAndUTF8() throws {
        let start = "cd '\(folder.path("logs"))' && e=$(printf '\\351') && "
        try #require(try shell(start + "cp c.csv $e.csv && head -n 400 c.csv > é.csv").status == 0)
        func analyze(_ options: String) throws -> Run {
            try shell(start + "'\(executable.path)' analyze -o json \(options)")
        }
        let whole = try #require(try footfall("analyze", folder.path("logs/c.csv"), "-o", "json").records().first)
        let both = try analyze("$e.csv é.csv").records()
        #expect(both.map { $0["trace"] as? String } == ["é.csv", "é.csv"])
        #expect(both.first?["samples"] as? Int == whole["samples"] as? Int)
        #expect(both.last?["samples"] as? Int != whole["samples"] as? Int)
        let one = try analyze("$e.csv é.csv --tables ../results").records()
        #expect(one.map { $0["trace"] as? String } == ["é.csv", "logs/é.csv"])
        for options in ["--tables $e", "--history=$e", "--plot $e.svg", "--tables $e.csv"] {
            let refused = try analyze("$e.csv \(options)")
            #expect(refused.status == 64 && refused.errors.contains("é"), "\(options): \(refused.errors)")
            #expect(refused.errors.contains("the name is not UTF-8"))
        }
        #expect(try shell(start + "ls | LC_ALL=C grep -c $e").output == "1\n")
    }
}
