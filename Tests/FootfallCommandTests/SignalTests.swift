import Foundation
import TestSupport
import Testing

/// A command that is stopped by a signal, or whose disk is full.
@Suite("After a signal", .timeLimit(.minutes(60)))
struct SignalTests {
    private let folder: Folder
    /// A named pipe. Its writer never closes it.
    private let pipe: String

    init() throws {
        folder = try Folder()
        pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
    }

    private func text(_ trace: String) throws -> Data {
        try Data(contentsOf: URL(filePath: RecordedHistory.trace(trace)))
    }

    @Test(
        "a command that waits for a pipe ends within a second",
        arguments: [["history", "import"], ["live", "--no-history", "--replay"]])
    func blocked(arguments: [String]) throws {
        let isImport = arguments.last == "import"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        // A busy machine may be late with one of them, but not with all.
        let isInTime = try (0..<20).contains { _ in
            let process = try Follower(arguments + [pipe] + (isImport ? ["--history", folder.path("new.sqlite")] : []))
            #expect(process.waitUntilIdle())
            let start = ContinuousClock.now
            #expect(process.end(SIGTERM) == 143)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == names)
            return seconds < 1
        }
        #expect(isInTime)
    }

    @Test("an analysis keeps the results that are complete, and names the others", arguments: [SIGINT, SIGTERM])
    func analysis(signal: Int32) throws {
        let silent = folder.path("silent.csv")
        try #require(mkfifo(silent, 0o600) == 0)
        let process = try Follower([
            "analyze", silent, RecordedHistory.trace("walk-wrist"), pipe, "--output", "ndjson", "--jobs", "3",
            "--tables", folder.path("results"),
        ])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: text("commute"))
        #expect(
            process.wait { _ in FileManager.default.fileExists(atPath: folder.path("results/walk-wrist/days.csv")) })
        #expect(process.waitUntilIdle())
        #expect(process.end(signal) == 128 + signal)
        #expect(process.records.strings("trace") == ["walk-wrist.csv"])
        #expect(
            process.errors
                == "footfall: interrupted; not analyzed to the end, and not in the tables: \(silent), \(pipe)\n")
        let whole = folder.path("whole")
        _ = try footfall("analyze", RecordedHistory.trace("walk-wrist"), "--tables", whole)
        let tables = self.tables(in: folder.path("results"))
        #expect(tables.count > 6 && tables == self.tables(in: whole))
        #expect(!files(in: folder.path("results")).contains { $0.contains(".footfall-") })
    }

    private func files(in folder: String) -> [String] {
        FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    }

    /// The tables of traces.
    private func tables(in folder: String) -> Set<String> {
        Set(files(in: folder).filter { $0.contains("/") && $0.hasSuffix(".csv") })
    }

    @Test("an analysis of a folder prints the total of what is done, and how much that is", arguments: [1, 2])
    func folderOfLogs(done: Int) throws {
        let logs = folder.path("study")
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: false)
        let names = ["commute", "walk-wrist"].prefix(done)
        for name in names { try text(name).write(to: URL(filePath: "\(logs)/\(name).csv")) }
        let process = try Follower(["analyze", logs, pipe, "--jobs", "2", "--tables", folder.path("results")])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        #expect(
            process.wait { _ in
                names.allSatisfy { FileManager.default.fileExists(atPath: folder.path("results/\($0)/days.csv")) }
            })
        #expect(process.waitUntilIdle())
        #expect(process.end(SIGINT) == 130)
        try writer.close()
        let lines = process.output.split(separator: "\n")
        #expect(lines.count == done + 2, "\(process.output)")
        #expect(lines.last?.hasSuffix("steps in \(done) of \(done + 1) traces") ?? false, "\(process.output)")
        #expect(process.errors == "footfall: interrupted; not analyzed to the end, and not in the tables: \(pipe)\n")
    }

    @Test("an analysis of one pipe prints and records what has arrived")
    func part() throws {
        let history = folder.path("steps.sqlite")
        let process = try Follower(["analyze", pipe, "-o", "ndjson", "--history", history, "--source", "wrist"])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: text("commute"))
        #expect(process.waitUntilIdle())
        #expect(process.end(SIGTERM) == 143 && process.errors.contains("not analyzed to the end: \(pipe)"))
        let steps = try #require(process.records.integers("steps").first)
        #expect(steps > 100)
        let query = try footfall("query", "steps", "--history", history, "-o", "json")
        #expect(try query.records().integers("steps") == [steps])
        try writer.close()
    }

    @Test(
        "a replay from a pipe records what has arrived, also when a shell and its terminal send a signal each",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func replay(signal: Int32) throws {
        let history = folder.path("steps.sqlite")
        let process = try Follower(["live", "--replay", pipe, "--speed", "max", "--history", history, "-o", "ndjson"])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: text("commute"))
        #expect(process.wait { $0.records.strings("event").count { $0 == "step" } > 400 })
        kill(process.identifier, SIGHUP)
        #expect(process.end(signal) == 0)
        let steps = process.records.strings("event").count { $0 == "step" }
        let query = try footfall("query", "steps", "--history", history, "-o", "json")
        #expect(try query.records().integers("steps") == [steps])
        try writer.close()
    }

    @Test("a query of a million buckets ends; until then it prints them in little memory")
    func buckets() throws {
        let history = try RecordedHistory.commute.get()
        for format in ["csv", "table"] {
            let (process, output) = (Process(), Pipe())
            process.executableURL = executable
            process.arguments = [
                "query", "steps", "--by", "1m", "--since", "2020-01-01", "--until", "2021-11-01", "-o", format,
                "--history", history.path,
            ]
            process.standardOutput = output
            try process.run()
            // The command cannot end before the test reads the rest.
            let reader = output.fileHandleForReading
            var bytes = 0
            while bytes < 1_000_000, let part = try reader.read(upToCount: 1_000_000) { bytes += part.count }
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let kilobytes = try #require(status.firstMatch(of: /VmHWM:\s+(\d+)/)?.output.1)
            #expect(Int(kilobytes) ?? .max < 200_000)
            kill(process.processIdentifier, SIGTERM)
            let rest = try reader.readToEnd()?.count ?? 0
            #expect(process.waitForEnd() == 143 && rest < 1_000_000)
        }
    }

    @Test("nohup keeps a live session running after SIGHUP")
    func ignored() throws {
        let input = try #require(FileHandle(forUpdatingAtPath: pipe))
        let process = try Follower(["live", "-", "--no-history", "-o", "ndjson"], through: "nohup", input: input)
        #expect(process.waitUntilIdle() && process.signals("SigIgn").contains(SIGHUP))
        kill(process.identifier, SIGHUP)
        try input.write(contentsOf: text("walk-wrist").prefix(20_000))
        #expect(process.wait { $0.records.strings("event").contains("state") }, "\(process.output) \(process.errors)")
        #expect(process.end(SIGTERM) == 0)
    }

    @Test("--record states a full disk, and the session goes on", arguments: [[], ["--quiet"]])
    func fullDisk(quiet: [String]) throws {
        let (bytes, history) = (folder.path("raw.bin"), folder.path("steps.sqlite"))
        let command = "'\(executable.path)' live - --record '\(bytes)' --history '\(history)' " + quiet.joined()
        let lines = try String(decoding: text("walk-wrist"), as: UTF8.self).split(separator: "\n").dropFirst()
        // The history needs less than 130 kB, the bytes more.
        let input = try folder.write("input", lines.joined(separator: "\n") + "\n")
        // As fast as a sensor: all lines at once would be a log.
        let sensor = "awk '{ print } NR % 600 == 0 { fflush(); system(\"sleep 0.2\") }' '\(input)'"
        let run = try shell("ulimit -f 130; \(sensor) | \(command)")
        #expect(run.status == 1, "\(run)")
        #expect(run.errors.contains("\(bytes): cannot be written: File too large"), "\(run)")
        let attributes = try FileManager.default.attributesOfItem(atPath: bytes)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try footfall("query", "steps", "--history", history, "-o", "json").status == 0)
    }

    @Test("--record follows no symbolic link, and takes no bytes into the history")
    func record() throws {
        let history = try RecordedHistory.walk()
        let victim = try folder.write("victim", "precious\n")
        symlink(victim, folder.path("link"))
        link(history.path, folder.path("same"))
        let beside = [history.path + "-wal", history.path + "-lock"]
        for path in [folder.path("link"), history.path, folder.path("same")] + beside {
            let run = try footfall("live", "-", "--record", path, "--history", history.path)
            #expect(run.status == 73 && run.errors.contains(path), "\(run)")
        }
        #expect(try folder.text("victim") == "precious\n")
        #expect(!beside.contains { FileManager.default.fileExists(atPath: $0) })
        #expect(try history.records("steps").count == 1)
    }
}
