import Foundation
import TestSupport
import Testing

@Suite("footfall history")
struct HistoryTests {
    private static func walks() throws -> RecordedHistory {
        let history = try RecordedHistory.walk()
        try history.record("walk-wrist", start: "2026-11-20T09:00:00Z", source: "pocket", tz: "Europe/Berlin")
        return history
    }

    @Test("info has the path, the size, the retention and the sources")
    func info() throws {
        let history = try Self.walks()
        let info = try #require(try history.manage("info", "-o", "json").records().first)
        #expect(info["path"] as? String == history.path)
        #expect(info["size"] as? Int ?? 0 > 10_000)
        #expect(info["schema"] as? Int == 8)
        #expect(info["retention"] as? Double == 604_800)
        let sources = try #require(info["sources"] as? [[String: Any]])
        #expect(sources.strings("source") == ["pocket", "wrist"])
        #expect(sources.strings("timeZone") == ["Europe/Berlin", "UTC"])
        #expect(sources.strings("start") == ["2026-11-20T09:00:00.000Z", "2026-11-20T08:00:00.000Z"])
        #expect(sources.integers("steps").allSatisfy { $0 > 200 })
        let text = try history.manage("info").output
        #expect(text.contains(history.path) && text.contains("7 days") && text.contains("2026-11-20 10:00:00"))
        let link = history.folder.path("link")
        symlink(history.path, link)
        let linked = try #require(try footfall("history", "info", "--history", link, "-o", "json").records().first)
        #expect(linked["path"] as? String == link && linked["size"] as? Int == info["size"] as? Int)
        let csv = try history.manage("info", "-o", "csv").output.split(separator: "\n")
        #expect(csv.count == 2 && csv[0].split(separator: ",").map(String.init).sorted() == info.keys.sorted())
    }

    @Test("check is 0 for a sound history, and 65 with the repair for a damaged one")
    func check() throws {
        let history = try Self.walks()
        let sound = try history.manage("check")
        #expect(sound.status == 0 && sound.output.hasSuffix("sound, 2 sources, 436 steps\n"), "\(sound)")
        #expect(try history.manage("check", "-o", "json").records().first?["sound"] as? Bool == true)
        var bytes = try Data(contentsOf: URL(filePath: history.path))
        for index in bytes.count / 2..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try bytes.write(to: URL(filePath: history.path))
        let damaged = try history.manage("check")
        #expect(damaged.status == 65 && damaged.output.isEmpty && damaged.errors.contains("restore"), "\(damaged)")
        #expect(damaged.errors.split(separator: "\n").count == 1)
        #expect(try history.manage("check", "-o", "json").records().first?["sound"] as? Bool == false)
    }

    @Test("delete removes only the given range or source, and prints what it removed")
    func delete() throws {
        let history = try Self.walks()
        let before = try history.records("steps", "--source", "wrist").integers("steps")
        let range = ["--since", "2026-11-20T08:00:30Z", "--until", "2026-11-20T08:01:00Z"]
        let asked = try history.query(["steps", "--source", "wrist", "-o", "json"] + range).records()
        let run = try footfall(
            ["history", "delete", "--source", "wrist", "-o", "json", "--history", history.path] + range)
        let removed = try #require(run.records().first)
        #expect(removed["source"] as? String == "wrist")
        #expect(removed["steps"] as? Int == asked.integers("steps").first)
        #expect(removed["coverage"] as? Double == 30)
        let after = try history.records("steps", "--source", "wrist").integers("steps")
        #expect(after[0] + asked.integers("steps")[0] == before[0])
        let coverage = try history.records("coverage", "--source", "wrist")
        #expect((coverage.first?["gaps"] as? [Any])?.count == 1)

        let whole = try history.manage("delete", "--source", "wrist")
        #expect(whole.output.contains("\(after[0]) steps") && whole.output.contains("wrist"))
        #expect(try history.query("steps", "--source", "wrist").status == 64)
        #expect(try history.records("steps", "--source", "pocket").integers("steps") == before)
        let again = try history.manage("delete", "--since", "2020-01-01", "--until", "2021-01-01")
        #expect(again.status == 0 && again.output.contains("nothing"))
    }

    @Test("delete needs an unambiguous range and source")
    func caution() throws {
        let history = try Self.walks()
        for arguments in [["delete"], ["delete", "--since", "2026-11-20"], ["delete", "--source", "ankle"]] {
            let run = try footfall(["history"] + arguments + ["--history", history.path])
            #expect(run.status == 64 && run.output.isEmpty, "\(run)")
        }
        #expect(try history.records("steps", "--source", "wrist").integers("steps")[0] > 200)
    }

    @Test("a query does not create a missing history")
    func missing() throws {
        let folder = try Folder()
        let path = folder.path("history.sqlite")
        for arguments in [
            ["query", "steps"], ["query", "summary", "-o", "json"], ["query", "activities", "--follow"],
            ["history", "info"], ["history", "delete", "--source", "wrist"],
        ] {
            let run = try footfall(arguments, environment: ["FOOTFALL_HISTORY": path])
            #expect(run.status == 66 && run.output.isEmpty, "\(run)")
            #expect(run.errors.contains(path) && run.errors.split(separator: "\n").count == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("a file that is not a history or is damaged is rejected and stays unchanged")
    func foreign() throws {
        let history = try RecordedHistory.walk()
        var damaged = try Data(contentsOf: URL(filePath: history.path))
        for index in 4096..<damaged.count { damaged[index] = UInt8(truncatingIfNeeded: index &* 31) }
        let folder = try Folder()
        for (name, bytes) in [("letter", Data("Dear Anna,\n".utf8)), ("empty", Data()), ("damaged", damaged)] {
            let path = folder.path(name)
            try bytes.write(to: URL(filePath: path))
            for arguments in [
                ["query", "steps", "-o", "json"], ["history", "info"], ["history", "delete", "--since", "2020-01-01"],
                ["analyze", RecordedHistory.trace("walk-wrist")],
            ] {
                let run = try footfall(arguments + ["--history", path])
                #expect(run.status == 65 && run.output.isEmpty, "\(name): \(run)")
                #expect(run.errors.hasPrefix("footfall: ") && run.errors.contains(path))
                #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
            }
        }
    }

    @Test("a second writer fails with the name of the first, and queries continue")
    func locked() throws {
        let history = try RecordedHistory.walk()
        let pipe = history.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = try Follower(["analyze", pipe, "--history", history.path, "--source", "pocket"])
        // Before the writer has its lock, the source is what is refused.
        var run = try history.manage("delete", "--source", "unknown")
        _ = try blockUntil {
            run = try history.manage("delete", "--source", "unknown")
            return run.status != 64
        }
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errors.contains("another writer") && run.errors.contains("process"), "\(run.errors)")
        #expect(try history.records("steps").integers("steps").count == 1)
        kill(writer.identifier, SIGKILL)
    }
}
