import Foundation
import TestSupport
import Testing

@Suite("footfall serve")
struct ServeTests {
    /// Starts a server on a free port.
    private func serve(_ arguments: [String]) throws -> (Follower, port: Int) {
        let follower = try Follower(["serve", "--listen", "127.0.0.1:0"] + arguments)
        #expect(follower.wait { $0.errors.contains("/\n") || !$0.isRunning })
        let port = try #require(follower.errors.split(separator: "127.0.0.1:").last?.split(separator: "/").first)
        return (follower, try #require(Int(port)))
    }

    @Test("answers while another process records, and ends with 0 at SIGTERM and SIGINT")
    func serving() throws {
        for signal in [SIGTERM, SIGINT] {
            let history = try RecordedHistory.walk()
            let (server, port) = try serve(["--history", history.path])
            let kept = try HTTPClient(port: port)
            kept.ask("/api/v1/sources")
            #expect(try kept.reply().body.contains("wrist"))
            try history.record("run-pocket", start: "2026-11-20T09:00:00Z", source: "pocket")
            kept.ask("/api/v1/sources")
            #expect(try kept.reply().body.contains("pocket"))
            #expect(server.end(signal) == 0)
            #expect(kept.isClosed && server.output.isEmpty)
        }
    }

    @Test("ends with 0 and without words at SIGTERM under load")
    func load() throws {
        let history = try RecordedHistory.commute.get()
        for _ in 0..<3 {
            let (server, port) = try serve(["--history", history.path])
            let clients = try (0..<40).map { _ in try HTTPClient(port: port) }
            // None reads its answers, and some requests are not complete.
            for (number, client) in clients.enumerated() {
                for _ in 0..<10 { client.ask("/api/v1/steps?by=1m&since=2026-11-19&until=2026-11-21") }
                if number % 4 == 0 { client.send("GET /api/v1/steps HTTP/1.1\r\nHo") }
            }
            let before = server.errors
            #expect(server.end(SIGTERM) == 0)
            #expect(server.errors == before, "\(server.errors)")
        }
    }

    @Test("is part of `live --serve`, whose steps rise as they happen")
    func live() throws {
        let folder = try Folder()
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let follower = try Follower([
            "live", "--replay", pipe, "--speed", "120", "--start", "2026-11-20T08:00:00Z", "--tz", "UTC", "--history",
            folder.path("history.sqlite"), "--source", "wrist", "--quiet", "--serve", "--listen", "127.0.0.1:0",
            "--goal", "500",
        ])
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        let commute = try Data(contentsOf: URL(filePath: RecordedHistory.trace("commute")))
        // The command looks at 256 kB of the log before it serves. The drive is what comes next.
        let (start, end) = (400_000, commute.count * 9 / 10)
        Thread.detachNewThread { try? writer.write(contentsOf: commute.prefix(start)) }
        #expect(follower.wait { $0.errors.contains("/\n") || !$0.isRunning })
        let text = try #require(follower.errors.split(separator: "127.0.0.1:").last?.split(separator: "/").first)
        let port = try #require(Int(text))
        let client = try HTTPClient(port: port)
        client.ask("/api/v1/live")
        #expect(try client.head().0 == 200)
        // The second walk begins when its client is there, and the replay does not end before the page is read.
        Thread.detachNewThread { try? writer.write(contentsOf: commute[start..<end]) }
        var steps: [Int] = []
        var settled = 0
        var page = ""
        while let chunk = try? client.text(through: "\n\n") {
            guard let data = chunk.split(separator: "data: ").last, chunk.contains("data: "),
                let update = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
            else { continue }
            if let state = update["state"] as? [String: Any] {
                #expect(state["provisional"] as? Bool == true && state["sampleRate"] != nil)
                steps.append(state["steps"] as? Int ?? 0)
            }
            let events = update["events"] as? [[String: Any]] ?? []
            #expect(events.allSatisfy { $0["provisional"] as? Bool == false })
            settled += events.count { $0["event"] as? String == "step" }
            if settled > 200, page.isEmpty {
                page = try HTTPClient.get("/?day=2026-11-20", port: port).body
                try writer.write(contentsOf: commute[end...])
                try writer.close()
            }
        }
        #expect(page.contains("of the goal of 500"))
        #expect(Set(steps).count > 10 && (steps.last ?? 0) > 400 && settled > 300)
        #expect(follower.wait { !$0.isRunning })
        #expect(
            try footfall("query", "steps", "--history", folder.path("history.sqlite"), "-o", "json").records().integers(
                "steps") == [568])
    }

    @Test("has no rate and no activity of a device that has fallen silent, also for a reader who comes later")
    func silence() async throws {
        let folder = try Folder()
        let process = try LiveProcess(
            .standardInput,
            ["--history", folder.path("history.sqlite"), "--serve", "--listen", "127.0.0.1:0", "-v", "-o", "ndjson"])
        #expect(try await process.waitUntilOpen())
        await LiveProcess.play(try LiveProcess.walk(seconds: 5), to: [process.wire])
        let isLost = try await process.wait { $0.records.last?["silence"] is Double }
        let row = try #require(process.records.last)
        #expect(isLost && row["activity"] as? String == "unknown" && row["sampleRate"] is NSNull, "\(row)")
        let text = try #require(process.errors.split(separator: "127.0.0.1:").last?.split(separator: "/").first)
        let port = try #require(Int(text))
        let client = try HTTPClient(port: port)
        client.ask("/api/v1/live")
        #expect(try client.head().0 == 200)
        let state = try client.text(through: "\n\n")
        #expect(state.contains("\"activity\":\"unknown\"") && state.contains("\"sampleRate\":null"), "\(state)")
        #expect(state.contains("\"silence\":") && !state.contains("\"silence\":null"), "\(state)")
        let metrics = try HTTPClient.get("/metrics", port: port).body
        #expect(!metrics.contains("footfall_sample_rate_hertz") && metrics.contains("footfall_signal_age_seconds{"))
        process.endInput()
    }

    @Test("refuses unsafe and impossible options, with the remedy")
    func refusals() throws {
        let history = try RecordedHistory.walk()
        let exposed = try history.folder.write("token", String(repeating: "0", count: 32))
        chmod(exposed, 0o644)
        let (other, port) = try serve(["--history", history.path])
        defer { #expect(other.end(SIGTERM) == 0) }
        let cases: [([String], Int32, String)] = [
            (["--listen", "0.0.0.0:0"], 78, "--token-file"), (["--listen", "example.org:80"], 64, "127.0.0.1:8321"),
            (["--token-file", "/nowhere"], 78, "/nowhere"), (["--token-file", "x", "--no-token"], 64, "exclude"),
            (["--token-file", exposed], 78, "chmod 600"), (["--listen", "127.0.0.1:\(port)"], 78, "another program"),
            // An address may come with its network.
            (["--listen", "192.0.2.1:8321", "--no-token"], 74, "--listen"),
        ]
        for (options, status, text) in cases {
            let run = try footfall(["serve", "--history", history.path] + options)
            #expect(run.status == status && run.errors.contains(text), "\(options): \(run.errors)")
        }
        #expect(try footfall("serve", "--history", "/nowhere/history.sqlite").status == 66)
    }
}
