import Foundation
import TestSupport
import Testing

@Suite("footfall query --follow")
struct FollowTests {
    @Test("prints segments as soon as another process records them")
    func activities() throws {
        let history = try RecordedHistory.walk()
        let follower = try Follower(["query", "activities", "-f", "-o", "ndjson", "--history", history.path])
        #expect(follower.wait { $0.lines.count == 1 })
        try history.record("run-pocket", start: "2026-11-20T09:00:00Z")
        #expect(
            follower.wait { $0.records.strings("start").contains("2026-11-20T09:00:00.000Z") }, "\(follower.output)")
        // An older trace that is recorded later is printed, too.
        try history.record("walk-wrist", start: "2026-11-20T07:00:00Z")
        #expect(follower.wait { $0.records.strings("start").contains("2026-11-20T07:00:00.000Z") })
        #expect(follower.end(SIGINT) == 0)
        #expect(follower.errors.isEmpty)
        // The last line of each segment equals the answer of a query.
        let last = Dictionary(follower.records.map { ($0["start"] as? String ?? "", $0["end"] as? String) }) { $1 }
        let answer = try history.records("activities")
        #expect(last.count == answer.count)
        for segment in answer { #expect(last[segment["start"] as? String ?? ""] == segment["end"] as? String) }
    }

    @Test("prints the total after each change, and only changed buckets")
    func steps() throws {
        let history = try RecordedHistory.walk()
        let total = try Follower(["query", "steps", "-f", "-o", "csv", "--history", history.path])
        let hours = try Follower(["query", "steps", "--by", "hour", "-f", "-o", "ndjson", "--history", history.path])
        #expect(total.wait { $0.lines.count == 2 } && hours.wait { $0.records.count == 1 })
        try history.record("walk-wrist", start: "2026-11-20T09:58:30Z")
        #expect(total.wait { $0.lines.count == 3 } && hours.wait { $0.records.count == 4 }, "\(hours.output)")
        try history.record("walk-wrist", start: "2026-11-20T10:30:00Z")
        #expect(total.wait { $0.lines.count == 4 } && hours.wait { $0.records.count == 5 }, "\(hours.output)")
        #expect(total.end(SIGTERM) == 0 && hours.end(SIGTERM) == 0)
        let counts = total.lines.dropFirst().compactMap { Int($0.split(separator: ",")[2]) }
        #expect(counts == [counts[0], 2 * counts[0], 3 * counts[0]])
        #expect(
            hours.records.strings("start").map { String($0.dropFirst(11).prefix(2)) } == ["08", "08", "09", "10", "10"])
    }

    @Test("waits for the first recording, and ends properly after a signal", arguments: [SIGINT, SIGTERM])
    func quiet(signal: Int32) throws {
        let history = try RecordedHistory.walk()
        #expect(try history.manage("delete", "--source", "wrist").status == 0)
        let json = try Follower(["query", "activities", "-f", "-o", "json", "--history", history.path])
        let strict = try Follower(["query", "steps", "-f", "--require-data", "-o", "csv", "--history", history.path])
        let first = try Follower(["query", "activities", "-f", "-o", "ndjson", "--history", history.path])
        #expect(json.wait { $0.output == "[" } && strict.wait { $0.lines.count == 2 })
        #expect(json.end(signal) == 0 && json.output == "[]\n")
        #expect(strict.end(signal) == 3 && strict.errors.contains("empty"))
        #expect(first.isRunning && first.output.isEmpty)
        try history.record("walk-wrist", start: "1970-01-01T00:00:00Z")
        #expect(first.wait { $0.records.count == 1 })
        #expect(first.end(signal) == 0)
    }

    @Test("has the steps that a recorder holds back for its next transaction")
    func waiting() throws {
        let history = try RecordedHistory()
        // The first transaction has 20 s. Ten steps take less.
        let recorder = try Follower([
            "live", "--replay", RecordedHistory.trace("walk-wrist"), "--speed", "2", "--history", history.path, "-o",
            "ndjson",
        ])
        func isStep(_ event: String) -> Bool { event == "step" }
        #expect(recorder.wait { $0.records.strings("event").count(where: isStep) >= 10 })
        kill(recorder.identifier, SIGSTOP)
        let printed = recorder.records.strings("event").count(where: isStep)
        let follower = try Follower(["query", "steps", "-f", "-o", "ndjson", "--history", history.path])
        #expect(follower.wait { $0.records.integers("steps").last ?? 0 >= printed }, "\(printed) \(follower.output)")
        kill(recorder.identifier, SIGCONT)
        #expect(recorder.end(SIGINT) == 0 && follower.end(SIGINT) == 0)
    }

    @Test("ends when the reader of its output ends")
    func head() throws {
        let history = try RecordedHistory.walk()
        let run = try shell("'\(executable.path)' query activities -f -o ndjson --history '\(history.path)' | head -1")
        #expect(run.status == 0 && run.output.split(separator: "\n").count == 1)
    }

    @Test("a query during a recording has the events of whole recordings only")
    func concurrency() throws {
        let history = try RecordedHistory.walk()
        let walk = try #require(try history.records("steps").integers("steps").first)
        let recorder = try Follower(
            ["analyze", "--history", history.path, "--source", "wrist", "--start", "2026-11-20T08:05:00Z"]
                + Array(repeating: RecordedHistory.trace("walk-wrist"), count: 5))
        var seen: [Int] = []
        while recorder.isRunning {
            let run = try history.query("steps", "-o", "json")
            #expect(run.status == 0 && run.errors.isEmpty)
            seen += try run.records().integers("steps")
        }
        #expect(Set(seen).isSubset(of: [walk, 2 * walk]), "\(seen)")
        #expect(try history.records("steps").integers("steps") == [2 * walk])
    }
}
