import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("footfall mark")
struct MarkTests {
    private func mark(_ history: RecordedHistory, _ arguments: String...) throws -> Run {
        try footfall(["mark"] + arguments + ["--history", history.path])
    }

    @Test("marks a range, whose steps a query has")
    func range() throws {
        let history = try RecordedHistory.walk()
        let marked = try mark(history, "with the pram", "--since", "2026-11-20 08:00:30", "--until", "2026-11-20 08:01")
        #expect(marked.status == 0 && marked.errors.isEmpty, "\(marked)")
        #expect(marked.output == "Marked “with the pram” from 2026-11-20 08:00:30 to 2026-11-20 08:01:00.\n")
        let rows = try history.records("steps", "--by", "mark")
        let steps = try history.records("steps", "--since", "2026-11-20 08:00:30", "--until", "2026-11-20 08:01")
        #expect(rows.strings("mark") == ["with the pram"] && rows.integers("steps") == steps.integers("steps"))
        #expect(rows.integers("steps").first ?? 0 > 40 && rows.strings("end") == ["2026-11-20T08:01:00.000Z"])
        let text = try history.query("steps", "--by", "mark").output
        #expect(text.contains("with the pram") && text.contains("100 %"), "\(text)")
        // The range and the filter of the query hold for marks, too.
        let part = try history.records("steps", "--by", "mark", "--since", "2026-11-20 08:00:50")
        #expect(part.strings("start") == ["2026-11-20T08:00:50.000Z"])
        #expect(part.integers("steps").first ?? 0 < steps.integers("steps").first ?? 0)
        #expect(try history.records("steps", "--by", "mark", "--until", "2026-11-20 08:00:30").isEmpty)
        let ridden = try history.records("steps", "--by", "mark", "--activity", "cycling")
        #expect(ridden.integers("steps") == [0])
    }

    @Test("marks now without a time, and laps end with the next one")
    func laps() throws {
        let history = try RecordedHistory.walk()
        let before = Date()
        let now = try #require(try mark(history, "lap", "-o", "json").records().first)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let start = try style.parse(#require(now["start"] as? String))
        #expect(abs(start.timeIntervalSince(before)) < 60 && now["open"] as? Bool == true)
        for time in ["08:00:20", "08:01:00"] {
            #expect(try mark(history, "lap", "--since", "2026-11-20 \(time)").status == 0)
        }
        let rows = try history.records("steps", "--by", "mark")
        #expect(rows.strings("start") == ["2026-11-20T08:00:20.000Z", "2026-11-20T08:01:00.000Z"])
        #expect(rows.first?["end"] as? String == "2026-11-20T08:01:00.000Z")
        let all = try history.records("steps", "--since", "2026-11-20 08:00:20")
        #expect(rows.integers("steps").reduce(0, +) == all.integers("steps").first)
        let removed = try mark(history, "lap", "--remove", "--since", "2026-11-20 08:00:30")
        #expect(removed.status == 0 && removed.output == "Removed 2 marks.\n", "\(removed)")
        let again = try mark(history, "lap", "--remove", "--since", "2026-11-20 08:00:30")
        #expect(again.status == 64 && again.errors.contains("no mark “lap”"), "\(again)")
        #expect(try history.records("steps", "--by", "mark").strings("start") == ["2026-11-20T08:00:20.000Z"])
    }

    @Test("prints no control character, and keeps each")
    func controls() throws {
        let history = try RecordedHistory.walk()
        let text = "a\u{1B}[31m\n\u{202E}b"
        let marked = try mark(history, text, "--since", "2026-11-20 08:00:30")
        #expect(marked.output.contains(#"a\u{1B}[31m\n\u{202E}b"#), "\(marked)")
        #expect(try history.query("steps", "--by", "mark").output.contains(#"a\u{1B}[31m\n\u{202E}b"#))
        #expect(try history.records("steps", "--by", "mark").strings("mark") == [text])
    }

    @Test("is kept through an export, an import, a copy and a deletion of other times")
    func files() throws {
        let history = try RecordedHistory.walk()
        _ = try mark(history, "pram", "--since", "2026-11-20 08:00:30", "--until", "2026-11-20 08:01")
        let expected = try history.query("steps", "--by", "mark", "-o", "csv").output
        let export = try history.manage("export")
        #expect(export.output.contains(#"{"end":1795161660000000000,"mark":"pram","start":1795161630000000000}"#))
        let (imported, copied) = (try RecordedHistory(), try RecordedHistory())
        #expect(try imported.manage("import", history.folder.write("export.ndjson", export.output)).status == 0)
        #expect(try footfall("history", "copy", copied.path, "--history", history.path).status == 0)
        for other in [imported, copied] {
            #expect(try other.query("steps", "--by", "mark", "-o", "csv").output == expected)
            #expect(try other.manage("delete", "--until", "2026-11-20 08:00:10").status == 0)
            #expect(try other.records("steps", "--by", "mark").strings("mark") == ["pram"])
            #expect(try other.manage("delete", "--since", "2026-11-20 08:00:30").status == 0)
            #expect(try other.records("steps", "--by", "mark").isEmpty)
        }
    }

    @Test("does not wait for the recorder of the history, whose recording goes on")
    func recorder() throws {
        let history = try RecordedHistory.walk()
        let recorder = try MotionHistory(at: URL(filePath: history.path))
        let marked = try mark(history, "beside", "--since", "2026-11-20 08:00:30")
        #expect(marked.status == 0, "\(marked)")
        let start = try #require(Timestamp(secondsSince1970: 1_795_161_720))
        let rest = Segment(
            range: start..<start.advanced(bySeconds: 60), flags: .stationary, probability: 0.9, steps: 0)
        try recorder.record([.segment(rest)], from: "wrist")
        try recorder.finish()
        let rows = try history.records("steps", "--by", "mark")
        #expect(rows.strings("mark") == ["beside"] && rows.strings("end") == ["2026-11-20T08:03:00.000Z"])
        #expect(try history.manage("check").status == 0)
    }

    @Test("follows the marks while others are added")
    func follow() throws {
        let history = try RecordedHistory.walk()
        let follower = try Follower([
            "query", "steps", "--by", "mark", "--follow", "-o", "ndjson", "--history", history.path,
        ])
        for text in ["one", "two"] {
            #expect(
                try mark(history, text, "--since", "2026-11-20 08:00:30", "--until", "2026-11-20 08:01").status == 0)
            #expect(follower.wait { $0.output.contains("\"\(text)\"") || !$0.isRunning })
        }
        _ = follower.end(SIGINT)
        // Both start at the same time; each is printed once.
        #expect(follower.output.split(separator: "\n").count == 2, "\(follower.output)")
    }

    @Test(
        "is refused with the reason",
        arguments: [
            ([""], 64, "a text"), ([String(repeating: "a", count: 257)], 64, "256"),
            (["lap", "--since", "tomorow"], 64, "Cannot read the time"),
            (["lap", "--since", "2026-11-20 09:00", "--until", "2026-11-20 08:00"], 64, "--since is at or after"),
            (["lap", "--until", "2026-11-20 08:00"], 64, "--since is at or after"),
            (["lap", "--since", "1800-01-01"], 64, "1900 to 2150"), (["lap", "--source", "ankle"], 64, "no source"),
        ] as [([String], Int32, String)])
    func refused(arguments: [String], status: Int32, reason: String) throws {
        let history = try RecordedHistory.walk()
        let run = try footfall(["mark"] + arguments + ["--history", history.path])
        #expect(run.status == status && run.errors.contains(reason) && run.output.isEmpty, "\(run)")
        #expect(try history.records("steps", "--by", "mark").isEmpty)
    }

    @Test("is taken over HTTP only with a token")
    func token() throws {
        let run = try footfall("serve", "--marks", "--history", RecordedHistory.walk().path)
        #expect(run.status == 64 && run.errors.contains("--token-file"), "\(run)")
    }

    @Test("creates no history")
    func missing() throws {
        let history = try RecordedHistory()
        let run = try mark(history, "lap")
        #expect(run.status == 66 && !FileManager.default.fileExists(atPath: history.path), "\(run)")
    }
}
