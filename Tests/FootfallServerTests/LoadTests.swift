import Footfall
import FootfallHistory
import FootfallServer
import Foundation
import TestSupport
import Testing

@Suite("A server under load", .timeLimit(.minutes(60)))
struct LoadTests {
    /// A server over 60,000 segments of five seconds, walking and stationary by turns. Reading all takes a tenth of a
    /// second.
    private final class Loaded {
        private static let segments = 60_000
        private static let start = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)
        /// An answer without rows for which all segments are read.
        static let longPath = "/api/v1/activities?activity=running"

        private let folder: Folder
        private let history: MotionHistory
        let server: HistoryServer
        let port: Int

        init(timeLimit: Duration) throws {
            folder = try Folder()
            let history = try MotionHistory(at: folder.url.appending(path: "history.sqlite"), acceptsFuture: true)
            self.history = history
            let events = (0..<Self.segments).map { index in
                let start = Self.start.advanced(bySeconds: Double(index) * 5)
                return MotionEvent.segment(
                    Segment(
                        range: start..<start.advanced(bySeconds: 5), flags: index % 2 == 0 ? .walking : .stationary,
                        probability: 0.9, steps: 0))
            }
            try history.record(events, from: "wrist", timeZone: .gmt)
            let address = try #require(ServerAddress("127.0.0.1:0"))
            server = try HistoryServer(ServedHistory(history), [address], timeLimit: timeLimit)
            guard case .internet(_, let port) = try #require(server.addresses.first) else {
                throw CocoaError(.featureUnsupported)
            }
            self.port = port
        }

        deinit { server.stop() }

        func get(_ path: String) throws -> HTTPReply { try HTTPClient.get(path, port: port) }
    }

    @Test("answers small requests before the large ones that came earlier")
    func smallRequests() throws {
        let loaded = try Loaded(timeLimit: .seconds(600))
        /// The number of twelve large requests with an answer when three small ones have theirs.
        func answered() throws -> Int {
            let large = try (0..<12).map { _ in
                let client = try HTTPClient(port: loaded.port)
                client.ask(Loaded.longPath)
                return client
            }
            for path in ["/api/v1/sources", "/api/v1/steps?by=hour", "/metrics"] {
                #expect(try loaded.get(path).status == 200, "\(path)")
            }
            let answered = large.count(where: \.hasReply)
            for client in large { #expect(try client.reply().body == "[]\n") }
            return answered
        }
        // On a busy machine the small requests may be late; in a queue they would be the last each time.
        #expect(try (0..<5).contains { _ in try answered() < 10 })
    }

    @Test("does not work for clients that have left")
    func closedConnections() throws {
        let loaded = try Loaded(timeLimit: .seconds(600))
        func answer() throws { #expect(try loaded.get(Loaded.longPath).status == 200) }
        /// Whether an answer behind those for 400 clients that have left comes as if there were few. Two at a time,
        /// theirs take as long as 200 in a row.
        func isCheap() throws -> Bool {
            let ten = try ContinuousClock().measure { for _ in 0..<10 { try answer() } }
            for _ in 0..<400 {
                let client = try HTTPClient(port: loaded.port)
                client.ask(Loaded.longPath)
                // A request that follows at once does not hide the end.
                client.ask(Loaded.longPath)
            }
            return try ContinuousClock().measure(answer) < ten * 5
        }
        // On a busy machine an answer may be late; behind the others it would be late each time.
        #expect(try (0..<5).contains { _ in try isCheap() })
    }

    @Test("ends an answer that takes too long, and says what to do")
    func budget() throws {
        let loaded = try Loaded(timeLimit: .milliseconds(20))
        // On a busy machine the connection may end before the request.
        var reply: HTTPReply?
        #expect(
            (0..<100).contains { _ in
                reply = try? loaded.get(Loaded.longPath)
                return reply?.status == 503
            })
        #expect(reply?.body.contains("shorter range") == true && reply?.headers["retry-after"] == "10")
        #expect(blockUntil { (try? loaded.get("/api/v1/sources"))?.status == 200 })
        // Too many rows are refused without the work, which takes longer than the limit.
        #expect(blockUntil { (try? loaded.get("/api/v1/activities"))?.status == 400 })
    }

    @Test("refuses too many rows, also those that only the answer counts")
    func rows() throws {
        let loaded = try Loaded(timeLimit: .seconds(60))
        for path in [
            "/api/v1/activities", "/api/v1/activities?activity=walking", "/api/v1/steps?by=1m&since=2026-01-01",
        ] {
            let reply = try loaded.get(path)
            #expect(reply.status == 400 && reply.body.contains("20160 rows"), "\(path): \(reply.body)")
        }
    }
}
