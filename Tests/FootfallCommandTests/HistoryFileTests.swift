import Foundation
import TestSupport
import Testing

/// The file of a history, as the commands leave it.
@Suite("The file of a history", .timeLimit(.minutes(60)))
struct HistoryFileTests {
    private func names(_ folder: Folder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    /// The steps in a copy of the file alone.
    private func stepsOfFileAlone(_ path: String) throws -> Int? {
        let folder = try Folder()
        try FileManager.default.copyItem(atPath: path, toPath: folder.path("copy.sqlite"))
        let run = try footfall("query", "steps", "--history", folder.path("copy.sqlite"), "-o", "json")
        return try run.records().integers("steps").first
    }

    @Test("is complete and alone after each command that writes, and after a query")
    func alone() throws {
        let history = try RecordedHistory("walk-wrist", start: "2026-11-20T08:00:00Z")
        let steps = try #require(try stepsOfFileAlone(history.path))
        #expect(steps > 200)
        #expect(try names(history.folder) == ["history.sqlite"])
        let export = try history.folder.write("export", history.manage("export").output)
        for arguments in [
            ["query", "steps"], ["history", "info"], ["report"], ["history", "import", export],
            ["live", "--replay", RecordedHistory.trace("run-pocket"), "--speed", "max", "--source", "pocket"],
            ["history", "delete", "--source", "pocket"], ["analyze", RecordedHistory.trace("gaps"), "--source", "hip"],
        ] {
            #expect(try footfall(arguments + ["--history", history.path]).status == 0, "\(arguments)")
            #expect(try names(history.folder) == ["export", "history.sqlite"], "\(arguments)")
        }
    }

    @Test(
        "is complete after a signal to a live session, also while a query follows",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) async throws {
        let history = try RecordedHistory.walk()
        let follower = try Follower(["query", "steps", "-f", "-o", "ndjson", "--history", history.path])
        #expect(follower.wait { $0.records.count == 1 })
        let walk = RecordedHistory.trace("walk-wrist")
        let live = try Follower([
            "live", "--replay", walk, "--start", "2026-11-20T09:00:00Z", "--speed", "20", "--history", history.path,
            "-o",
            "ndjson", "--source", "wrist",
        ])
        #expect(live.wait { $0.records.strings("event").count { $0 == "step" } >= 100 })
        #expect(live.end(signal) == 0)
        let steps = live.records.strings("event").count { $0 == "step" }
        let before = try #require(follower.records.integers("steps").first)
        #expect(try stepsOfFileAlone(history.path) == before + steps)
        #expect(follower.end(SIGTERM) == 0)
        #expect(try names(history.folder) == ["history.sqlite"])
    }

    @Test("gets no message of a command whose standard streams are closed")
    func closedStreams() throws {
        let history = try RecordedHistory.walk()
        let before = try Data(contentsOf: URL(filePath: history.path))
        let device = "udp://127.0.0.1:\(try LoopbackPort.unused())"
        let live = "'\(executable.path)' live \(device) --history '\(history.path)' --source wrist --duration 1s"
        #expect(try shell("\(live) <&- >&- 2>&-").status == 1)
        #expect(try names(history.folder) == ["history.sqlite"])
        #expect(try Data(contentsOf: URL(filePath: history.path)).prefix(16) == before.prefix(16))
        #expect(try history.manage("check").status == 0)
        // Results that cannot be written are an error, though they are recorded.
        let analyze = "'\(executable.path)' analyze '\(RecordedHistory.trace("gaps"))' --history '\(history.path)'"
        #expect(try shell("\(analyze) --source hip >&- 2>&-").status == 1)
    }

    @Test("gets few transactions from a live session, and all events of a killed one from the next")
    func journal() throws {
        let history = try RecordedHistory()
        let trace = RecordedHistory.trace("commute")
        let live = ["live", "--replay", trace, "--history", history.path, "--source", "wrist", "-o", "ndjson"]
        let killed = try Follower(live + ["--speed", "20", "--tz", "Asia/Tokyo"])
        #expect(killed.wait { $0.records.strings("event").count { $0 == "step" } >= 150 })
        #expect(killed.end(SIGKILL) == -SIGKILL)
        // Each step that the killed session has printed is in the history after the next session.
        let next = try shell("'\(executable.path)' live - --history '\(history.path)' < /dev/null")
        #expect(next.status == 65)
        let answer = try history.records("steps").integers("steps").first ?? 0
        let printed = killed.records.strings("event").count { $0 == "step" }
        #expect((printed...printed + 3).contains(answer), "\(printed) \(answer)")
        #expect(try names(history.folder) == ["history.sqlite"])
        #expect(try history.manage("info", "-o", "json").output.contains("Asia/Tokyo"))
    }

    @Test("has what a recorder holds back for its next transaction in every answer, also after a kill")
    func waiting() throws {
        let history = try RecordedHistory()
        // A transaction has 20 s, which this replay takes two seconds for.
        let recorder = try Follower([
            "live", "--replay", RecordedHistory.trace("commute"), "--start", "2026-11-20T08:00:00Z", "--speed", "10",
            "--history", history.path, "-o", "ndjson",
        ])
        func answers() throws -> [Int] {
            let copy = history.folder.path("copy.sqlite")
            unlink(copy)
            #expect(try history.manage("copy", copy).status == 0)
            let export = try history.manage("export").output
            return try [
                history.records("steps").integers("steps").first ?? 0,
                footfall("query", "steps", "--history", copy, "-o", "json").records().integers("steps").first ?? 0,
                history.manage("info", "-o", "json").output.split(separator: "\"steps\":").dropFirst().first
                    .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0,
                export.split(separator: "\n").reduce(0) { sum, line in
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    return sum + ((object?["steps"] as? [Any])?.count ?? 0)
                },
            ]
        }
        func printed() -> Int { recorder.records.strings("event").count { $0 == "step" } }
        for least in [3, 40] {
            #expect(recorder.wait { _ in printed() >= least })
            let before = printed()
            #expect(try answers().allSatisfy { $0 >= before }, "\(before)")
        }
        #expect(recorder.end(SIGKILL) == -SIGKILL)
        let last = printed()
        let after = try answers()
        #expect(after.allSatisfy { $0 >= last }, "\(last) \(after)")
        // The next recorder changes nothing.
        #expect(try shell("'\(executable.path)' live - --history '\(history.path)' < /dev/null").status == 65)
        #expect(try answers() == after)
        let names = try FileManager.default.contentsOfDirectory(atPath: history.folder.path("")).sorted()
        #expect(names == ["copy.sqlite", "history.sqlite"])
    }

    @Test("admits no second writer through another link, or after the note of the first one was removed")
    func secondWriter() throws {
        let history = try RecordedHistory.walk()
        let pipe = history.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = try Follower(["analyze", pipe, "--history", history.path, "--source", "pocket"])
        #expect(writer.wait { _ in FileManager.default.fileExists(atPath: history.path + "-lock") })
        let (hard, soft) = (history.folder.path("hard.sqlite"), history.folder.path("soft.sqlite"))
        #expect(link(history.path, hard) == 0 && symlink(history.path, soft) == 0)
        for path in [history.path, hard, soft] {
            let run = try footfall("history", "delete", "--source", "wrist", "--history", path)
            #expect(run.status == 1 && run.errors.contains("another writer"), "\(run)")
            unlink(history.path + "-lock")
        }
        kill(writer.identifier, SIGKILL)
        #expect(try history.records("steps").count == 1)
    }

    @Test("and its log are read in a folder that cannot be written")
    func readOnlyFolder() throws {
        let history = try RecordedHistory.walk()
        let before = try #require(try history.records("steps").integers("steps").first)
        let live = try Follower([
            "live", "--replay", RecordedHistory.trace("walk-wrist"), "--start", "2026-11-20T09:00:00Z", "--speed", "40",
            "--history", history.path, "--source", "wrist", "-o", "ndjson",
        ])
        #expect(live.wait { _ in (try? history.records("steps").integers("steps").first).flatMap { $0 } ?? 0 > before })
        #expect(live.end(SIGKILL) == -SIGKILL)
        // A copy to a read-only medium has no index of the log.
        unlink(history.path + "-shm")
        let files = (["", "/history.sqlite", "/history.sqlite-wal"]).map { "'\(history.folder.url.path)\($0)'" }
            .joined(separator: " ")
        guard try shell("chattr +i \(files)").status == 0 else {
            return withKnownIssue("this file system has no immutable folders, and the user may be root") {
                Issue.record("not tested")
            }
        }
        defer { _ = try? shell("chattr -i \(files)") }
        let listing = try names(history.folder)
        let run = try history.query("steps", "-o", "json")
        #expect(run.status == 0, "\(run)")
        #expect(try run.records().integers("steps").first ?? 0 > before)
        #expect(try names(history.folder) == listing)
    }

    @Test("is copied as a whole while another process records")
    func copy() throws {
        let history = try RecordedHistory.walk()
        let pipe = history.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let live = try Follower([
            "live", "--replay", RecordedHistory.trace("commute"), "--speed", "40", "--history", history.path,
            "--source",
            "pocket", "--quiet",
        ])
        #expect(live.wait { _ in (try? history.query("steps", "--source", "pocket").status) == 0 })
        let folder = try Folder()
        let copy = folder.path("copy.sqlite")
        #expect(try history.manage("copy", copy).status == 0)
        #expect(try names(folder) == ["copy.sqlite"])
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let answers = try [copy, history.path].map {
            try footfall("query", "steps", "--source", "wrist", "--history", $0, "-o", "json").output
        }
        #expect(answers[0] == answers[1])
        let pocket = try footfall("query", "steps", "--source", "pocket", "--history", copy, "-o", "json")
        #expect(pocket.status == 0)
        for path in [copy, history.path] {
            let again = try history.manage("copy", path)
            #expect(again.status == 73, "\(again)")
        }
        #expect(live.end(SIGTERM) == 0)
    }

    @Test("is unchanged or missing after an import that fails")
    func failedImport() throws {
        let history = try RecordedHistory.walk()
        let lines = try history.manage("export").output.split(separator: "\n")
        let bad = try history.folder.write("bad", lines.prefix(3).joined(separator: "\n") + "\nnonsense\n")
        let before = try history.manage("export").output
        let listing = try names(history.folder)
        for keep in ["1s", "forever"] {
            #expect(try history.manage("import", bad, "--keep", keep).status == 65)
            #expect(try history.manage("export").output == before)
            let new = history.folder.path("new.sqlite")
            let run = try footfall("history", "import", bad, "--keep", keep, "--history", new)
            #expect(run.status == 65 && run.errors.contains(bad))
        }
        #expect(try names(history.folder) == listing)
    }
}
