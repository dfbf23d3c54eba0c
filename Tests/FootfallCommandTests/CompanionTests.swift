import Footfall
import Foundation
import TestSupport
import Testing

/// Files and moments in which a recording could be lost or mixed with another.
@Suite("A recording", .timeLimit(.minutes(60)))
struct CompanionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func export(_ history: String) throws -> String {
        try footfall("history", "export", "--history", history).output
    }

    @Test("of a log that is refused at its end changes nothing")
    func refusedLog() throws {
        let history = try RecordedHistory("commute", start: "2026-11-20T08:00:00Z")
        let before = try history.manage("export").output
        let lines = try String(contentsOfFile: RecordedHistory.trace("commute"), encoding: .utf8).split(separator: "\n")
        let start = lines.count * 4 / 5
        let rows = lines.prefix(start) + lines.dropFirst(start).map { _ in "x,y,z,?" }
        let log = try folder.write("log.csv", rows.joined(separator: "\n"))
        for offset in ["08:00:00", "07:59:50"] {
            let run = try footfall(
                "analyze", log, "--start", "2026-11-20T\(offset)Z", "--tz", "UTC", "--source", "wrist", "--history",
                history.path)
            #expect(run.status == 65 && run.errors.contains("--lenient"), "\(run)")
            #expect(try history.manage("export").output == before)
        }
    }

    @Test("that was interrupted does not change the history")
    func interruptedLog() throws {
        let history = try RecordedHistory.walk()
        let before = try history.manage("export").output
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let run = try Follower(["analyze", pipe, "--start", "2026-11-20T07:00:00Z", "--history", history.path])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: Data(contentsOf: URL(filePath: RecordedHistory.trace("commute"))))
        #expect(run.waitUntilIdle() && FileManager.default.fileExists(atPath: history.path + "-lock"))
        #expect(run.end(SIGKILL) == -SIGKILL)
        try writer.close()
        #expect(try history.manage("export").output == before)
    }

    @Test("of an import into too little space leaves no file")
    func fullDisk() throws {
        let history = try RecordedHistory("commute", start: "2026-11-20T08:00:00Z")
        for start in ["2026-11-21", "2026-11-22"] { try history.record("commute", start: start) }
        let lines = try folder.write("export", history.manage("export").output)
        let new = folder.path("new.sqlite")
        var codes: Set<Int32> = []
        // The units of a shell's limit are 512 or 1024 bytes.
        for limit in stride(from: 8, to: 400, by: 16) {
            let run = try shell(
                "ulimit -f \(limit); '\(executable.path)' history import '\(lines)' --history '\(new)'")
            codes.insert(run.status)
            if run.status == 0 {
                #expect(try export(new) == String(contentsOfFile: lines, encoding: .utf8), "\(limit)")
                unlink(new)
            }
            #expect(try names() == ["export"], "\(limit)")
        }
        #expect(codes.count > 1 && codes.contains(0))
    }

    @Test("of an export that was cut, of a folder and of nothing is refused")
    func cutExport() throws {
        let lines = try RecordedHistory.walk().manage("export").output.split(separator: "\n").map(String.init)
        let new = folder.path("new.sqlite")
        for count in [0, 1, 2, 5, lines.count - 1] {
            let cut = try folder.write("cut", lines.prefix(count).map { $0 + "\n" }.joined())
            let run = try footfall("history", "import", cut, "--history", new)
            #expect(run.status == 65 && run.errors.contains("cut"), "\(run)")
        }
        let run = try footfall("history", "import", folder.url.path, "--history", new)
        #expect(run.status == 66 && run.output.isEmpty, "\(run)")
        #expect(try names() == ["cut"])
    }

    /// A history whose live session was killed, with the number of its steps.
    private func killedSession() throws -> (RecordedHistory, steps: Int) {
        let history = try RecordedHistory()
        let live = try Follower([
            "live", "--replay", RecordedHistory.trace("commute"), "--start", "2026-11-20T08:00:00Z", "--tz", "UTC",
            "--speed",
            "20", "--history", history.path, "--source", "wrist", "-o", "ndjson",
        ])
        #expect(live.wait { $0.records.strings("event").count { $0 == "step" } >= 60 })
        #expect(live.end(SIGKILL) == -SIGKILL)
        return (history, live.records.strings("event").count { $0 == "step" })
    }

    private func steps(_ path: String) throws -> Int {
        try footfall("query", "steps", "--source", "wrist", "--history", path, "-o", "json").records().integers("steps")
            .first ?? 0
    }

    @Test("of a killed live session is taken over by any writer, and only by its own history")
    func waitingEvents() throws {
        let (history, printed) = try killedSession()
        let waiting = history.path + "-live"
        let lines = try String(contentsOfFile: waiting, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 3)
        // Another history takes the place.
        let moved = folder.path("moved.sqlite")
        #expect(rename(history.path, moved) == 0)
        let other = try history.record("walk-wrist", start: "2026-11-20T12:00:00Z", source: "pocket")
        #expect(other.status == 0 && other.errors.contains("another history"), "\(other)")
        #expect(try history.manage("info", "-o", "json").output.contains("wrist") == false)
        let next = try footfall("history", "delete", "--source", "wrist", "--since", "2027-01-01", "--history", moved)
        #expect(next.status == 0, "\(next)")
        #expect((printed...printed + 3).contains(try steps(moved)))

        // Damage costs one record, which is kept and reported.
        let (second, all) = try killedSession()
        var rows = try String(contentsOfFile: second.path + "-live", encoding: .utf8).split(separator: "\n").map(
            String.init)
        rows[0] = "#" + rows[0].dropFirst()
        try (rows.joined(separator: "\n") + "\n").write(
            toFile: second.path + "-live", atomically: false, encoding: .utf8)
        let delete = try second.manage("delete", "--source", "wrist", "--since", "2027-01-01")
        #expect(delete.status == 0 && delete.errors.contains("damaged"), "\(delete)")
        #expect((all...all + 3).contains(try steps(second.path)))
        // Deleted steps do not come back.
        #expect(try second.manage("delete", "--source", "wrist").status == 0)
        _ = try shell("'\(executable.path)' live - --history '\(second.path)' < /dev/null")
        #expect(try second.manage("info", "-o", "json").output.contains("wrist") == false)
    }
}
