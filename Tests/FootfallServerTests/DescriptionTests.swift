import FootfallReport
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

    @Test("count the steps of today, and have no count without data today")
    func metrics() throws {
        let feed = LiveFeed(source: "to\"day")
        let served = try Served(feed: feed)
        let before = try served.get("/metrics")
        #expect(before.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(!before.body.contains("footfall_steps_total{"))
        #expect(before.body.contains("footfall_covered_seconds_total{source=\"wrist\"} 0.0\n"))
        let start = Calendar(identifier: .gregorian).startOfDay(for: Date(), in: .gmt)
        try served.record("to\"day", at: start.ISO8601Format(), minutes: 2)
        feed.publish(nil, settled: [], .init(rate: 49.8, dropped: 3))
        let after = try served.get("/metrics").body
        for line in [
            "# TYPE footfall_steps_total counter", "footfall_steps_total{source=\"to\\\"day\"} 200",
            "footfall_covered_seconds_total{source=\"to\\\"day\"} 120.0",
            "footfall_sample_rate_hertz{source=\"to\\\"day\"} 49.8",
            "footfall_dropped_samples_total{source=\"to\\\"day\"} 3",
        ] {
            #expect(after.split(separator: "\n").contains(Substring(line)), "\(line)\n\(after)")
        }
        // Another server over the same history continues the counts.
        let server = try HistoryServer(of: URL(filePath: served.path), at: [try #require(ServerAddress("127.0.0.1:0"))])
        defer { server.stop() }
        guard case .internet(_, let port) = try #require(server.addresses.first) else { return }
        #expect(
            try HTTPClient.get("/metrics", port: port).body.contains("footfall_steps_total{source=\"to\\\"day\"} 200\n")
        )
    }
}

extension Calendar {
    /// The start of a day in a zone.
    fileprivate func startOfDay(for date: Date, in zone: TimeZone) -> Date {
        var calendar = self
        calendar.timeZone = zone
        return calendar.startOfDay(for: date)
    }
}
