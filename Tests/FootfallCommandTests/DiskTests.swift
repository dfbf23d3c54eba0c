import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

/// What commands do when the disk fails or is full, and what killed commands leave on it.
@Suite("A disk", .timeLimit(.minutes(60)))
struct DiskTests {
    private let folder: Folder
    private let walk: RecordedHistory

    init() throws { (folder, walk) = (try Folder(), try RecordedHistory.walk()) }

    private func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
    }

    private func export(_ history: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: history) else { return nil }
        #expect(try footfall("history", "check", "--history", history).status == 0)
        return try footfall("history", "export", "--history", history).output
    }

    @Test(
        "that fails to synchronize is reported, damages no history, and no draft is left",
        .enabled(if: PreloadedLibrary.canBeBuilt, "there is no C compiler"),
        arguments: [["import", "../export"], ["copy", "c"], ["delete", "--source", "wrist"]])
    func failure(command: [String]) throws {
        let library = try PreloadedLibrary.build("kill_at_call", in: folder)
        try folder.write("export", walk.manage("export").output)
        let here = folder.path("here")
        func attempt(_ environment: [String: String]) throws -> (run: Run, content: [String?]) {
            try? FileManager.default.removeItem(atPath: here)
            try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
            if command[0] != "import" {
                try FileManager.default.copyItem(atPath: walk.path, toPath: here + "/h")
            }
            let run = try footfall(
                ["history"] + command + ["--history", "h"], environment: environment, in: URL(filePath: here))
            let left = try names("here").filter { $0.hasPrefix(".footfall-") }
            #expect(left.isEmpty, "\(environment): \(left)")
            return (run, try ["h", "c"].map { try export(here + "/" + $0) })
        }
        let counted = folder.path("calls")
        var environment = [
            "LD_PRELOAD": library, "FOOTFALL_KILL_FILE": here, "FOOTFALL_KILL_COUNT": counted,
            "FOOTFALL_FAIL_SYNC": "1", "FOOTFALL_FAIL": "all",
        ]
        let after = try attempt(environment)
        #expect(after.run.status == 0)
        let before: [String?] = try [command[0] == "import" ? nil : export(walk.path), nil]
        let calls = try #require(Int(folder.text("calls").trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(calls >= 2)
        for call in 1...calls {
            environment["FOOTFALL_KILL_AT"] = String(call)
            let (run, content) = try attempt(environment)
            #expect(run.status == 1 && !run.errors.isEmpty, "call \(call) of \(calls): \(run)")
            #expect(content == before || content == after.content, "call \(call) of \(calls)")
        }
    }

    /// The calls of a command that change or synchronize files below a folder, and their paths below it.
    private func calls(of arguments: [String], in here: String) throws -> [String] {
        let library = try PreloadedLibrary.build("kill_at_call", in: folder)
        let environment = [
            "LD_PRELOAD": library, "FOOTFALL_KILL_FILE": here, "FOOTFALL_KILL_CALLS": folder.path("calls"),
        ]
        let run = try footfall(arguments, environment: environment, in: URL(filePath: here))
        #expect(run.status == 0, "\(run)")
        return try folder.text("calls").split(separator: "\n").map { String($0).replacing(here, with: ".") }
    }

    /// After a power failure, the disk has what was synchronized. The rest may be there or not.
    @Test(
        "has a copy before its name, and the name before the command ends",
        .enabled(if: PreloadedLibrary.canBeBuilt, "there is no C compiler"))
    func orderOfCopy() throws {
        let here = folder.path("here")
        try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: walk.path, toPath: here + "/h")
        let calls = try calls(of: ["history", "copy", "c", "--history", "h"], in: here)
        let named = try #require(calls.firstIndex(of: "rename ./c"), "\(calls)")
        let safe = try #require(calls[..<named].lastIndex { $0.hasPrefix("fsync ./.footfall-") }, "\(calls)")
        let draft = calls[safe].dropFirst("fsync ".count)
        #expect(!calls[safe..<named].contains { $0.contains("write") && $0.hasSuffix(draft) }, "\(calls)")
        #expect(calls[named...].contains("fsync ."), "\(calls)")
    }

    @Test(
        "has the events of a killed session before their file is removed",
        .enabled(if: PreloadedLibrary.canBeBuilt, "there is no C compiler"))
    func orderOfRecovery() throws {
        let here = folder.path("here")
        try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
        let history = try MotionHistory(at: URL(filePath: here + "/h"), acceptsFuture: true)
        let waiting = try #require(try WaitingEvents(of: history, from: "wrist", timeZone: .gmt))
        waiting.add(ShiftingWalks.events(of: 0, from: .epoch))
        history.close()
        let log = PackageFolder.trace("gaps").path
        let calls = try calls(
            of: ["analyze", log, "--start", "1970-01-03", "--history", "h", "--source", "wrist"], in: here)
        let removed = try #require(calls.firstIndex { $0 == "unlink ./h-live" }, "\(calls)")
        let written = try #require(calls[..<removed].lastIndex { $0.contains("write") && $0.hasSuffix("./h-wal") })
        #expect(calls[written..<removed].contains { $0.contains("sync") && $0.hasSuffix("./h-wal") }, "\(calls)")
        let kept = try footfall("query", "steps", "--history", here + "/h", "-o", "json").records()
        #expect(kept.integers("steps").first.map { $0 > ShiftingWalks.steps } == true, "\(kept)")
    }

    @Test("that is full while a history is read or created is named, and a failed creation leaves nothing")
    func full() throws {
        // The units of a shell's limit are 512 or 1024 bytes. The index of SQLite's log has 32 kB.
        let read = try shell("ulimit -f 16; '\(executable.path)' query steps --history '\(walk.path)'")
        #expect(read.status == 1 && read.errors.contains("no space is left. Free some"), "\(read)")
        #expect(try footfall("query", "steps", "--history", walk.path).status == 0)
        let new = folder.path("new")
        for limit in stride(from: 8, through: 32, by: 8) {
            let run = try shell(
                "ulimit -f \(limit); '\(executable.path)' analyze '\(RecordedHistory.trace("walk-wrist"))' "
                    + "--start 2026-11-20 --history '\(new)'")
            let isFull = run.status == 1 && run.errors.contains("no space is left")
            #expect(run.status == 0 || isFull, "\(limit): \(run)")
            let left = try names()
            // An empty history of a few pages has room where its recording has none.
            #expect(left == ["new"] || left.isEmpty && isFull, "\(limit): \(left)")
            if limit == 8 { #expect(isFull && left.isEmpty) }
            unlink(new)
        }
    }

    @Test("keeps drafts of running commands, and those of killed ones until the next command")
    func drafts() throws {
        let name = ".footfall-3ab9"
        func write(_ names: [String], minutesAgo minutes: Double) throws {
            for name in names {
                let path = try folder.write(name, "draft")
                let date = Date(timeIntervalSinceNow: -60 * minutes)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
        }
        func report() throws {
            let run = try footfall("report", "--history", walk.path, "--out", folder.path("page"), "--force")
            #expect(run.status == 0, "\(run)")
        }
        // Files of other names are those of the user.
        let others = [".footfall-notes.txt", ".footfall-", ".footfall-3AB9", "footfall-3ab9"]
        try write(others, minutesAgo: 600)
        try write([name, name + "-wal", name + "-shm"], minutesAgo: 20)
        try report()
        #expect(try Set(names()) == Set(others + ["page"]))
        // A young draft may not have its lock yet.
        // An owner is without its lock for a moment after it has created the draft.
        try write([name, name + "-wal"], minutesAgo: -5)
        try report()
        #expect(try names().contains(name) && names().contains(name + "-wal"))
        try write([name], minutesAgo: 20)
        let descriptor = open(folder.path(name), O_RDONLY | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX) == 0)
        try report()
        #expect(try names().contains(name) && names().contains(name + "-wal"))
        close(descriptor)
        // Recording tidies the folder of its history, too.
        try FileManager.default.moveItem(atPath: walk.path, toPath: folder.path("h"))
        let log = RecordedHistory.trace("gaps")
        #expect(try footfall("analyze", log, "--start", "2026-11-21", "--history", folder.path("h")).status == 0)
        #expect(try Set(names()) == Set(others + ["page", "h"]))
    }

    @Test("has the draft of a killed command only until the next one")
    func killed() throws {
        let week = try Follower(["simulate", "week", "--out", folder.path("week.csv")])
        func drafts() -> [String] { ((try? names()) ?? []).filter { $0.hasPrefix(".footfall-") } }
        func age() throws {
            for name in drafts() {
                let date = Date(timeIntervalSinceNow: -3600)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path(name))
            }
        }
        // A draft with bytes has its lock.
        func size(_ name: String) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path(name))
            return attributes?[.size] as? Int ?? 0
        }
        #expect(week.wait { _ in drafts().contains { size($0) > 0 } })
        func simulate() throws {
            #expect(try footfall("simulate", "rest", "--duration", "60", "--out", folder.path("rest.csv")).status == 0)
        }
        kill(week.identifier, SIGSTOP)
        try age()
        let running = drafts()
        try simulate()
        #expect(drafts() == running)
        kill(week.identifier, SIGCONT)
        #expect(week.end(SIGKILL) == -SIGKILL)
        try age()
        for name in ["rest.csv", "rest.truth.json"] { unlink(folder.path(name)) }
        try simulate()
        #expect(try names() == ["rest.csv", "rest.truth.json"])
    }
}
