import FootfallServer
import Foundation
import TestSupport
import Testing

@Suite("The description and the metrics of a server")
struct DescriptionTests {
    @Test("have every query with its parameters and the keys of its rows")
    func keys() throws {
        let served = try Served()
        let document = try #require(try served.get("/api/v1/openapi.json").json() as? [String: Any])
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        for name in ["sources", "steps", "activities", "coverage", "summary", "measures"] {
            let operation = try #require(paths["/api/v1/\(name)"]?["get"])
            let rows = try #require(try served.get("/api/v1/\(name)").json() as? [[String: Any]])
            let description = try text(operation)
            for key in try #require(rows.first).keys {
                #expect(description.contains("\"\(key)\":{"), "\(name): \(key)")
            }
            // The server takes every parameter that the description has, and no other.
            for parameter in operation["parameters"] as? [[String: Any]] ?? [] {
                let parameter = try #require(parameter["name"] as? String)
                #expect(try !served.get("/api/v1/\(name)?\(parameter)=").body.contains("no such parameter"))
            }
            #expect(try served.get("/api/v1/\(name)?other=").body.contains("no such parameter"))
        }
    }

    private func text(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    @Test("describe the values that a client may write")
    func values() throws {
        let served = try Served()
        let document = try #require(try served.get("/api/v1/openapi.json").json() as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let values: [(path: String, name: String, valid: [String], invalid: [String])] = [
            (
                "steps", "since",
                [
                    "today", "yesterday", "@1732060800", "-2h", "-1h 30min", "-1w", "90min ago", "2026-11-20",
                    "2026-11-20 08:00", "2026-11-20 08:00 UTC", "2026-11-20T08:00:00.5Z", "2026-11-20T08:00+0100",
                    "2026-11-20T08:00:00+01:00", "2026-11-20 08:00 Europe/Berlin",
                ], ["", "tomorow", "2h", "25:00", "2026-13-01", "2026-11-20T24:00Z", "@", "-2 fortnights"]
            ),
            ("steps", "by", ["hour", "day", "week", "15m", "1min", "24h"], ["", "0m", "month", "1.5m", "25h"]),
            ("steps", "min-duration", ["30s", "5min", "1h 30min", "0.5h"], ["", "30", "-5min", "long"]),
            ("measures", "tz", ["Europe/Berlin", "UTC", "+02:00", "-0330"], ["", "../etc", "+2", "Europe/"]),
        ]
        for (path, name, valid, invalid) in values {
            let parameters = try #require(paths["/api/v1/\(path)"]?["get"]?["parameters"] as? [[String: Any]])
            let schema = try #require(parameters.first { $0["name"] as? String == name }?["schema"] as? [String: Any])
            let style = CharacterSet.alphanumerics
            let examples = try #require(schema["examples"] as? [String])
            #expect(!examples.isEmpty)
            for value in valid + invalid + examples {
                let text = try #require(value.addingPercentEncoding(withAllowedCharacters: style))
                let status = try served.get("/api/v1/\(path)?\(name)=\(text)").status
                #expect((status == 200) == !invalid.contains(value), "\(name)=\(value): \(status)")
            }
        }
    }

    @Test("count all recorded steps, which no restart, midnight or retention sets back")
    func metrics() throws {
        let feed = LiveFeed(source: "to\"day")
        let served = try Served(feed: feed)
        let before = try served.get("/metrics")
        #expect(before.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        // The way to work is days ago.
        #expect(before.body.contains("\nfootfall_steps_total{source=\"wrist\"} 568\n"))
        try served.record("to\"day", minutes: 2)
        feed.publish(nil, settled: [], .init(rate: 49.8, silence: 0.02, dropped: 3))
        let after = try served.get("/metrics").body
        for line in [
            "# TYPE footfall_steps_total counter", "footfall_steps_total{source=\"to\\\"day\"} 200",
            "footfall_covered_seconds_total{source=\"to\\\"day\"} 120.0",
            "footfall_sample_rate_hertz{source=\"to\\\"day\"} 49.8",
            "footfall_dropped_samples_total{source=\"to\\\"day\"} 3",
        ] {
            #expect(after.split(separator: "\n").contains(Substring(line)), "\(line)\n\(after)")
        }
        // Ten days later only the newest walk is kept. Another server over the same history continues the counts.
        try served.record("to\"day", at: "2026-11-30T10:00:00Z", minutes: 1)
        let server = try HistoryServer(of: URL(filePath: served.path), at: [try #require(ServerAddress("127.0.0.1:0"))])
        defer { server.stop() }
        guard case .internet(_, let port) = try #require(server.addresses.first) else { return }
        let later = try HTTPClient.get("/metrics", port: port).body
        #expect(later.contains("\nfootfall_steps_total{source=\"to\\\"day\"} 300\n"))
        #expect(later.contains("\nfootfall_steps_total{source=\"wrist\"} 568\n"))
        let kept = try HTTPClient.get("/api/v1/steps?source=to%22day", port: port).body
        #expect(kept.contains("\"steps\":100,"))
    }
}
