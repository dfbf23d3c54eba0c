import Footfall
import FootfallHistory
import FootfallServer
import FootfallTables
import Foundation
import TestSupport
import Testing

@Suite("Live updates of a server")
struct LiveTests {
    /// A reader of the stream.
    private final class Reader {
        private let client: HTTPClient
        private(set) var id = ""

        init(_ served: Served, after id: String? = nil) throws {
            client = try HTTPClient(port: served.port)
            client.ask("/api/v1/live", id.map { ["Last-Event-ID": $0] } ?? [:])
            let (status, headers) = try client.head()
            #expect(status == 200 && headers["content-type"] == "text/event-stream")
        }

        /// The next update.
        func next() throws -> [String: Any] {
            _ = try client.text(through: "id: ")
            id = try client.text(through: "\n").trimmingCharacters(in: .newlines)
            _ = try client.text(through: "data: ")
            let data = Data(try client.text(through: "\n\n").utf8)
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
    }

    private static func state(_ steps: Int) -> Record { [("event", .string("state")), ("steps", .integer(steps))] }
    private static func step(_ number: Int) -> Record { [("event", .string("step")), ("number", .integer(number))] }

    @Test("have the last ten seconds of the signal for the page, with its steps and the cadence of a minute")
    func trail() throws {
        let feed = LiveFeed(source: "wrist")
        let served = try Served(feed: feed)
        let empty = try served.get("/api/v1/trail").body
        #expect(empty.contains("\"magnitudes\":[]") && empty.contains("\"steps\":[]"))
        let start = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)
        func time(_ seconds: Double) -> Timestamp { start.advanced(bySeconds: seconds) }
        // A gap of two seconds before the last three.
        for index in 0..<3000 where !(2500..<2700).contains(index) {
            let sample = AccelerationSample(time: time(Double(index) / 100), x: 0, y: 0, z: index < 2700 ? 1 : 2)
            feed.trail.add(SampleBatch([sample]))
        }
        feed.trail.add(
            settled: [.step(Step(time: time(5))), .step(Step(time: time(25)))],
            provisional: [.step(Step(time: time(29)))], cadence: 110, at: time(29.99))
        let body = Data(try served.get("/api/v1/trail").body.utf8)
        let frame = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        let magnitudes = try #require(frame["magnitudes"] as? [Any]).map { $0 as? Double }
        #expect(magnitudes.count == 250 && magnitudes.prefix(125).allSatisfy { $0 == 1 })
        #expect(magnitudes[125..<175].allSatisfy { $0 == nil } && magnitudes.suffix(75).allSatisfy { $0 == 2 })
        #expect(frame["steps"] as? [Double] == [5, 1])
        #expect((frame["cadences"] as? [[Double]])?.last?.last == 110)
        // A small step back leaves the signal; after a long one only the new samples count.
        feed.trail.add(SampleBatch([AccelerationSample(time: time(29.5), x: 0, y: 0, z: 9)]))
        #expect(try served.get("/api/v1/trail").body == String(decoding: body, as: UTF8.self))
        feed.trail.add(SampleBatch([AccelerationSample(time: Timestamp(nanosecondsSince1970: .max), x: 0, y: 0, z: 1)]))
        #expect(try served.get("/api/v1/trail").body == String(decoding: body, as: UTF8.self))
        feed.trail.add(SampleBatch([AccelerationSample(time: start, x: 0, y: 0, z: 1)]))
        #expect(try served.get("/api/v1/trail").body.contains("\"steps\":[]"))
    }

    @Test("have the newest state and all settled events, at most five times a second")
    func updates() throws {
        let feed = LiveFeed(source: "wrist")
        let served = try Served(feed: feed)
        let reader = try Reader(served)
        _ = try reader.next()
        let start = ContinuousClock.now
        let publisher = Thread {
            for number in 1...100 {
                feed.publish(LiveTests.state(number), settled: [LiveTests.step(number)])
                // For a second: the pace of the stream shows.
                usleep(10_000)
            }
        }
        publisher.start()
        var numbers: [Int] = []
        var updates = 0
        while numbers.count < 100 {
            let update = try reader.next()
            updates += 1
            let events = try #require(update["events"] as? [[String: Any]])
            numbers += events.compactMap { $0["number"] as? Int }
            #expect((update["state"] as? [String: Any])?["steps"] as? Int == numbers.last || events.isEmpty)
            #expect(update["source"] as? String == "wrist")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        #expect(numbers == Array(1...100))
        #expect(Double(updates) <= seconds * 5 + 2)
    }

    @Test("continue after the last event of a reader, and from now on after an unknown one")
    func reconnection() throws {
        let feed = LiveFeed(source: "wrist")
        let served = try Served(feed: feed)
        var reader: Reader? = try Reader(served)
        _ = try reader?.next()
        feed.publish(Self.state(1), settled: [Self.step(1)])
        while (try reader?.next()["events"] as? [Any])?.isEmpty != false {}
        let id = try #require(reader?.id)
        reader = nil
        for number in 2...5 { feed.publish(Self.state(number), settled: [Self.step(number)]) }
        let again = try Reader(served, after: id)
        let events = try #require(try again.next()["events"] as? [[String: Any]])
        #expect(events.compactMap { $0["number"] as? Int } == [2, 3, 4, 5])
        for unknown in ["other-1", "-", "99999999999999999999", "\(id)0000", ""] {
            let update = try Reader(served, after: unknown).next()
            #expect((update["events"] as? [Any])?.isEmpty == true, "\(unknown)")
            #expect((update["state"] as? [String: Any])?["steps"] as? Int == 5)
        }
    }

    @Test("name the new revision when another program records, also without a device")
    func revisions() throws {
        let served = try Served()
        let reader = try Reader(served)
        var update = try reader.next()
        while update["revision"] is NSNull { update = try reader.next() }
        let first = try #require(update["revision"] as? Int)
        try served.record("pocket")
        update = try reader.next()
        #expect(try #require(update["revision"] as? Int) > first)
        #expect(update["state"] is NSNull && update["source"] is NSNull)
    }

    @Test("reach a reader beside one that takes nothing, and end when the server stops")
    func slowReader() throws {
        let feed = LiveFeed(source: "wrist")
        let served = try Served(feed: feed)
        let (deaf, reader) = (try Reader(served), try Reader(served))
        let long: Record = [("text", .string(String(repeating: "x", count: 100_000)))]
        for _ in 0..<10 {
            feed.publish(Self.state(1), settled: Array(repeating: long, count: 20))
            #expect(try reader.next()["source"] as? String == "wrist")
        }
        served.server.stop()
        #expect(throws: HTTPClient.Failure.self) { while true { _ = try reader.next() } }
        withExtendedLifetime(deaf) {}
    }
}
