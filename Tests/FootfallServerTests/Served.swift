import Footfall
import FootfallHistory
import FootfallServer
import Foundation
import TestSupport
import Testing

/// A server over a temporary history.
final class Served {
    let folder: Folder
    let server: HistoryServer
    let port: Int
    var path: String { folder.path("history.sqlite") }

    /// Serves a history of the shipped way to work, on 20 November 2026 from 08:00 in UTC.
    init(
        access: ServerAccess = ServerAccess(), at address: String = "127.0.0.1:0", feed: LiveFeed? = nil,
        goal: Int? = nil
    )
        throws
    {
        folder = try Folder()
        try FileManager.default.copyItem(
            atPath: Served.commute.get().path("history.sqlite"), toPath: folder.path("history.sqlite"))
        let address = try #require(ServerAddress(address))
        // On a busy machine a client may be slower than a server waits.
        server = try HistoryServer(
            ServedHistory(reading: URL(filePath: folder.path("history.sqlite"))), [address], access, feed, goal,
            timeLimit: .seconds(120))
        guard case .internet(_, let port) = try #require(server.addresses.first) else {
            throw CocoaError(.fileNoSuchFile)
        }
        self.port = port
    }

    deinit { server.stop() }

    private static let commute = Result {
        let folder = try Folder()
        try analyze("commute", from: "wrist", into: folder.path("history.sqlite"))
        return folder
    }

    /// Analyses a shipped trace with the command and records it.
    static func analyze(_ trace: String, from source: String, into path: String) throws {
        let run = try footfall(
            "analyze", PackageFolder.trace(trace).path, "--start", "2026-11-20T08:00:00Z", "--tz", "UTC",
            "--history", path, "--source", source)
        #expect(run.status == 0, "\(run.errors)")
    }

    func get(_ path: String, method: String = "GET", _ fields: [String: String] = [:], body: String = "") throws
        -> HTTPReply
    {
        try HTTPClient.get(path, port: port, method: method, fields, body: body)
    }

    /// Records minutes of walking of another source.
    func record(_ source: String, at start: String = "2026-11-20T10:00:00Z", minutes: Double = 10) throws {
        let history = try MotionHistory(at: URL(filePath: path), acceptsFuture: true)
        defer { history.close() }
        let date = try Date.ISO8601FormatStyle().parse(start)
        let first = try #require(Timestamp(secondsSince1970: date.timeIntervalSince1970))
        let times = (0..<Int(minutes * 100)).map { first.advanced(bySeconds: Double($0) * 0.6 + 0.3) }
        let range = first..<first.advanced(bySeconds: minutes * 60)
        let segment = Segment(range: range, flags: .walking, probability: 0.9, steps: times.count)
        try history.record(
            times.map { .step(Step(time: $0)) } + [.segment(segment)], from: source, timeZone: .gmt)
    }
}
