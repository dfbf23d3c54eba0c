import Foundation
import TestSupport
import Testing

/// The analysis of a folder of logs: which are found, and how they are named.
@Suite("Many traces")
struct ManyTracesTests {
    private let folder: Folder

    init() throws { folder = try .withLogs() }

    @Test("a folder gives all logs in it and its subfolders, in the order of their names")
    func wholeFolder() throws {
        let run = try footfall("analyze", folder.path("logs"), "--output", "json")
        #expect(run.status == 0)
        #expect(try run.records().map { $0["trace"] as? String } == ["a.csv", "b/run.csv", "c.csv"])
    }

    @Test("the table of several logs has the length of each, and the share that samples cover")
    func coverage() throws {
        let rows = (0..<300).map { "\(Double($0 < 100 ? $0 : $0 + 300) / 10),0,0,1" }
        let log = try folder.write("gap.csv", (["time,x,y,z"] + rows).joined(separator: "\n"))
        let run = try footfall("analyze", folder.path("logs/a.csv"), log)
        let line = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("gap") })
        #expect(line.contains("59.9 s") && line.contains("50 %"), "\(run)")
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

    @Test("the result has a note for each assumption")
    func notes() throws {
        let rows = (0..<600).map { "2026-01-02 03:04:\(String(format: "%05.2f", Double($0) / 50)),0.0\($0 % 10),0,1" }
        let log = try folder.write("local.csv", "time,x,y,z\n" + rows.joined(separator: "\n") + "\n")
        let run = try footfall("analyze", log, "--output", "json")
        #expect(
            try run.records().first?["notes"] as? [String] == ["date-times state no zone; they were read as UTC"])
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
        #expect(try folder.lines("results/é/a/days.csv").count == 2)
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

extension Folder {
    /// A folder with three logs: `logs/a.csv`, `logs/b/run.csv` and `logs/c.csv`.
    static func withLogs() throws -> Folder {
        let folder = try Folder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "logs/b"), withIntermediateDirectories: true)
        for (name, trace) in [("logs/a.csv", "walk-wrist"), ("logs/b/run.csv", "run-pocket"), ("logs/c.csv", "gaps")] {
            try FileManager.default.copyItem(
                at: URL(filePath: RecordedHistory.trace(trace)), to: folder.url.appending(path: name))
        }
        return folder
    }

    func lines(_ path: String) throws -> [String] { try text(path).split(separator: "\n").map(String.init) }
}
