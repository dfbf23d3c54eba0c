import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("The history over HTTP")
struct QueryAPITests {
    private static let kinds = ["steps", "activities", "coverage", "summary", "measures"]

    @Test("gives the bytes of `footfall query` for fifty random ranges, in all formats")
    func equality() throws {
        let served = try Served()
        var random = SeededGenerator(seed: 20)
        let start = try Date.ISO8601FormatStyle().parse("2026-11-20T07:55:00Z")
        let formats = [("json", "application/json"), ("csv", "text/csv"), ("ndjson", "application/x-ndjson")]
        for round in 0..<50 {
            let kind = Self.kinds[round % 5]
            let (format, type) = formats[round % 3]
            let since = start + Double.random(in: 0..<1200, using: &random)
            let until = since + Double.random(in: 1..<1200, using: &random)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            var options = [("since", since.formatted(style)), ("until", until.formatted(style))]
            if kind == "steps" {
                options.append(("by", ["hour", "1m", "7min", "day"].randomElement(using: &random) ?? "hour"))
            }
            if kind == "activities" || kind == "steps", Bool.random(using: &random) {
                options += [("activity", "walking"), ("activity", "running"), ("confidence", "medium")]
            }
            if Bool.random(using: &random) { options.append(("tz", "Asia/Kathmandu")) }
            let query = options.map { "\($0)=\($1)" }.joined(separator: "&")
            let reply = try served.get("/api/v1/\(kind)?\(query)", ["Accept": type])
            let run = try footfall(
                ["query", kind, "--history", served.path, "-o", format] + options.flatMap { ["--\($0)", $1] })
            #expect(reply.status == 200 && reply.body == run.output, "\(kind) \(query)")
            #expect(reply.headers["content-type"]?.hasPrefix(type) == true)
        }
    }

    @Test("reads relative times, spaces and plus signs, and reverses")
    func grammar() throws {
        let served = try Served()
        let reply = try served.get("/api/v1/steps?since=2026-11-20+08:00&until=2026-11-20%2008:05%20UTC")
        let rows = try #require(try reply.json() as? [[String: Any]])
        #expect(rows.first?["start"] as? String == "2026-11-20T08:00:00.000Z")
        #expect(rows.first?["end"] as? String == "2026-11-20T08:05:00.000Z")
        #expect(try served.get("/api/v1/steps?since=-2h&until=%2B1h").status == 200)
        let forward = try #require(try served.get("/api/v1/activities").json() as? [[String: Any]])
        let backward = try #require(
            try served.get("/api/v1/activities?reverse=true").json() as? [[String: Any]])
        #expect(forward.count > 3)
        #expect(
            forward.compactMap { $0["start"] as? String } == backward.reversed().compactMap { $0["start"] as? String })
    }

    @Test("takes an activity as often as it is written")
    func repetition() throws {
        let served = try Served()
        let once = try served.get("/api/v1/activities?activity=walking&activity=running")
        let often = String(repeating: "activity=walking&", count: 50) + "activity=running"
        #expect(once.status == 200 && once.body.contains("walking"))
        #expect(try served.get("/api/v1/activities?\(often)").body == once.body)
    }

    @Test("lists the sources like `footfall history info`, and needs a name if there are several")
    func sources() throws {
        let served = try Served()
        try served.record("pocket")
        let sources = try #require(try served.get("/api/v1/sources").json() as? [[String: Any]])
        let info = try footfall("history", "info", "-o", "json", "--history", served.path).records()
        #expect(NSArray(array: sources) == NSArray(array: info.first?["sources"] as? [[String: Any]] ?? []))
        let unclear = try served.get("/api/v1/steps")
        #expect(unclear.status == 400 && unclear.body.contains("pocket, wrist"))
        let unknown = try served.get("/api/v1/steps?source=ankle")
        #expect(unknown.status == 404 && unknown.body.contains("pocket, wrist"))
        #expect(!unknown.body.contains(served.path))
        #expect(try served.get("/api/v1/steps?source=pocket").body.contains("\"steps\":1000,"))
    }

    @Test("answers 304 until the history or the range changes")
    func tags() throws {
        let served = try Served()
        let path = "/api/v1/summary?source=wrist&since=2026-11-20&until=2026-11-21"
        let tag = try #require(try served.get(path).headers["etag"])
        let again = try served.get(path, ["If-None-Match": "\"other\", W/\(tag)"])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        #expect(try served.get(path + "&tz=Asia/Tokyo", ["If-None-Match": tag]).status == 200)
        #expect(try served.get(path, ["If-None-Match": tag, "Accept": "text/csv"]).status == 200)
        try served.record("pocket")
        #expect(try served.get(path, ["If-None-Match": tag]).status == 200)
        let moving = "/api/v1/steps?source=wrist&since=-2h&until=now"
        let first = try served.get(moving).headers["etag"]
        #expect(try blockUntil { try served.get(moving).headers["etag"] != first })
        // A shorter retention changes the answer without a recording.
        let now = try #require(try served.get(path).headers["etag"])
        try MotionHistory(at: URL(filePath: served.path), retention: .days(1)).close()
        let kept = try served.get("/api/v1/sources", ["If-None-Match": now])
        #expect(kept.status == 200)
        #expect(try served.get(path, ["If-None-Match": now]).status == 200)
    }

    @Test(
        "names the parameter and the remedy of an error",
        arguments: [
            ("/api/v1/steps?since=tomorow", 400, "since", "today"), ("/api/v1/steps?until=x", 400, "until", "today"),
            ("/api/v1/steps?by=0m", 400, "by", "15m"), ("/api/v1/steps?activity=flying", 400, "activity", "walking"),
            ("/api/v1/activities?min-duration=long", 400, "min-duration", "30s"),
            ("/api/v1/measures?valid-day=25h", 400, "valid-day", "24h at most"),
            ("/api/v1/activities?confidence=total", 400, "confidence", "medium"),
            ("/api/v1/coverage?tz=../../etc/passwd", 400, "tz", "time zone"),
            ("/api/v1/summary?tz=Mars", 400, "tz", "Europe/Berlin"), ("/api/v1/summary?by=hour", 400, "by", "since"),
            ("/api/v1/steps?since=2026-11-21&until=2026-11-20", 400, "since", "earlier"),
            ("/api/v1/steps?since=today&since=now", 400, "since", "once"),
            ("/api/v1/steps?reverse=1", 400, "reverse", "true"),
            ("/api/v1/sources?source=wrist", 400, "source", "none"),
            ("/api/v1/steps?since=1980-01-01&until=2030-01-01&by=1m", 400, "since", "shorter"),
            ("/api/v1/steps?since=1901-01-01&until=2149-01-01&by=hour&reverse=true", 400, "since", "shorter"),
            ("/api/v1/steps?since=2026-01-01&until=2026-02-01&by=1m", 400, "since", "shorter"),
            ("/api/v1/summary?since=2000-01-01&until=2026-01-01&reverse=true", 400, "since", "3660"),
            ("/api/v1/steps?source=\(String(repeating: "a", count: 257))", 400, "source", "256"),
            ("/api/v1/steps?source=\(String(repeating: "%F0%9F%90%BE", count: 256))", 404, "source", "wrist"),
        ])
    func problems(path: String, status: Int, parameter: String, remedy: String) throws {
        let reply = try Self.shared.get().get(path)
        let problem = try #require(try reply.json() as? [String: Any])
        #expect(reply.status == status && problem["status"] as? Int == status)
        #expect(reply.headers["content-type"] == "application/problem+json")
        #expect(problem["parameter"] as? String == parameter)
        #expect((problem["detail"] as? String)?.contains(remedy) == true, "\(problem)")
    }

    @Test("refuses types that it does not have, and prefers by quality")
    func types() throws {
        let served = try Self.shared.get()
        let path = "/api/v1/steps?since=2026-11-20&until=2026-11-21"
        #expect(try served.get(path, ["Accept": "image/png"]).status == 406)
        let csv = try served.get(path, ["Accept": "application/json;q=0.5, text/csv, */*;q=0.1"])
        #expect(csv.headers["content-type"]?.hasPrefix("text/csv") == true)
        #expect(try served.get(path, ["Accept": "text/html, */*;q=0.8"]).headers["content-type"] == "application/json")
        #expect(try served.get(path, ["Accept": "application/json;q=0, text/*"]).body.hasPrefix("start,end"))
        let head = try served.get(path, method: "HEAD")
        let length = try served.get(path).body.utf8.count
        #expect(head.status == 200 && head.headers["content-length"] == String(length))
    }

    @Test("answers from a history that replaces the served one")
    func replacement() throws {
        let served = try Served()
        let old = try served.get("/api/v1/sources")
        try FileManager.default.removeItem(atPath: served.path)
        let gone = try served.get("/api/v1/sources")
        #expect(gone.status == 503 && gone.headers["retry-after"] != nil && !gone.body.contains(served.path))
        let page = try served.get("/")
        #expect(page.status == 503 && page.headers["content-type"] == "text/html; charset=utf-8")
        try Served.analyze("walk-wrist", from: "pocket", into: served.path)
        let new = try served.get("/api/v1/sources", ["If-None-Match": old.headers["etag"] ?? ""])
        #expect(new.status == 200 && new.body.contains("pocket") && !new.body.contains("wrist"))
    }

    nonisolated(unsafe) private static let shared = Result { try Served() }
}
