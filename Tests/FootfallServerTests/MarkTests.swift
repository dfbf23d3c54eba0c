import FootfallHistory
import FootfallServer
import Foundation
import TestSupport
import Testing

@Suite("A mark over HTTP")
struct MarkTests {
    private static let token = "0123456789abcdef"
    private static let path = "/api/v1/marks"

    private static func served(takesMarks: Bool = true) throws -> Served {
        try Served(access: ServerAccess(token: token, takesMarks: takesMarks))
    }

    private func post(_ body: String, to served: Served, _ token: String = token) throws -> HTTPReply {
        try served.get(Self.path, method: "POST", ["Authorization": "Bearer \(token)"], body: body)
    }

    private func read(_ path: String, of served: Served) throws -> HTTPReply {
        try served.get(path, ["Authorization": "Bearer \(Self.token)"])
    }

    private func texts(_ served: Served) throws -> [String] {
        try MotionHistory(reading: URL(filePath: served.path)).marks(in: DateInterval.distant).map(\.text)
    }

    @Test("is added to the history, and its steps are those of `footfall query`")
    func added() throws {
        let served = try Self.served()
        let pram = "text=with+the+pram&since=2026-11-20T08:02:00Z&until=2026-11-20T08:05:00Z&source=wrist"
        let reply = try post(pram, to: served)
        #expect(reply.status == 201 && reply.headers["content-type"] == "application/json")
        let mark = try #require(try reply.json() as? [String: Any])
        #expect(mark["mark"] as? String == "with the pram" && mark["open"] as? Bool == false)
        #expect(mark["start"] as? String == "2026-11-20T08:02:00.000Z")
        #expect(try post("text=lap&since=2026-11-20+08:03+UTC", to: served).status == 201)
        let rows = try read("/api/v1/steps?by=mark", of: served)
        let run = try footfall("query", "steps", "--by", "mark", "--history", served.path, "-o", "json")
        #expect(rows.status == 200 && rows.body == run.output)
        let found = try #require(try rows.json() as? [[String: Any]])
        #expect(found.compactMap { $0["mark"] as? String } == ["with the pram", "lap"])
        let same = "/api/v1/steps?since=2026-11-20T08:02:00Z&until=2026-11-20T08:05:00Z"
        let steps = try #require(try read(same, of: served).json() as? [[String: Any]])
        #expect(found.first?["steps"] as? Int == steps.first?["steps"] as? Int)
        #expect(try read("/?source=wrist", of: served).body.contains("with the pram"))
    }

    @Test("is refused as JSON, with the form to write instead")
    func json() throws {
        let fields = ["Authorization": "Bearer \(Self.token)", "Content-Type": "application/json"]
        let reply = try Self.served().get(Self.path, method: "POST", fields, body: "{\"text\": \"lap\"}")
        #expect(reply.status == 400 && reply.body.contains("Write it as a form, such as text=lap"), "\(reply)")
    }

    @Test("starts now without a time")
    func now() throws {
        let served = try Self.served()
        let before = Date()
        let mark = try #require(try post("text=lap", to: served).json() as? [String: Any])
        let start = try #require(mark["start"] as? String)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        #expect(try abs(style.parse(start).timeIntervalSince(before)) < 60 && mark["open"] as? Bool == true)
    }

    @Test("is refused unless the server permits it, and without the token itself")
    func access() throws {
        let closed = try Self.served(takesMarks: false)
        let refused = try post("text=lap", to: closed)
        #expect(refused.status == 405 && refused.body.contains("--marks"), "\(refused)")
        #expect(try !read("/api/v1/openapi.json", of: closed).body.contains(Self.path))
        #expect(try Served(access: ServerAccess(takesMarks: true)).get(Self.path, method: "POST").status == 405)
        let served = try Self.served()
        #expect(try served.get(Self.path, method: "POST", body: "text=lap").status == 401)
        #expect(try post("text=lap", to: served, "0123456789abcdeg").status == 401)
        // The cookie reads. A page of another server on the same machine could send it.
        let login = try served.get("/login", method: "POST", body: "token=\(Self.token)")
        let cookie = try #require(login.headers["set-cookie"]?.split(separator: ";").first).description
        #expect(try served.get("/api/v1/steps", ["Cookie": cookie]).status == 200)
        #expect(try served.get(Self.path, method: "POST", ["Cookie": cookie], body: "text=lap").status == 401)
        for method in ["GET", "PUT", "DELETE"] {
            let reply = try served.get(Self.path, method: method, ["Authorization": "Bearer \(Self.token)"])
            #expect(reply.status == 405 && reply.headers["allow"] == "POST", "\(method)")
        }
        #expect(try texts(closed).isEmpty && texts(served).isEmpty)
    }

    @Test(
        "with an invalid parameter is refused with its name",
        arguments: [
            ("", 400, "text"), ("text=", 400, "text"), ("text=a%00b", 400, "text"), ("text=a&text=b", 400, "text"),
            ("text=a&since=tomorow", 400, "since"), ("text=a&until=2026-11-20T08:00:00Z", 400, "since"),
            ("text=a&since=1890-01-01", 400, "since"), ("text=a&tz=Mars", 400, "tz"), ("text=a&by=hour", 400, "by"),
            ("text=a&source=ankle", 404, "source"), ("{\"text\":\"a\"}", 400, "{\"text\":\"a\"}"),
        ])
    func invalid(body: String, status: Int, parameter: String) throws {
        let served = try Self.served()
        let reply = try post(body, to: served)
        #expect(reply.status == status && reply.headers["content-type"] == "application/problem+json")
        #expect((try reply.json() as? [String: Any])?["parameter"] as? String == parameter, "\(reply.body)")
        #expect(try texts(served).isEmpty)
    }

    @Test("has any text of up to 256 characters")
    func longest() throws {
        let served = try Self.served()
        let text = String(repeating: "😀", count: 255) + "\n"
        let encoded = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try post("text=\(encoded)&since=2026-11-20T08:02:00Z", to: served).status == 201)
        #expect(try texts(served) == [text])
        #expect(try post("text=\(encoded)a", to: served).status == 400)
        #expect(try post("text=" + String(repeating: "a", count: 5000), to: served).status == 413)
    }

    @Test("is added beside a recorder of another process, and by the server of a recorder")
    func recorders() throws {
        let served = try Self.served()
        let recorder = try MotionHistory(at: URL(filePath: served.path))
        #expect(try post("text=beside&since=2026-11-20T08:02:00Z", to: served).status == 201)
        let server = try HistoryServer(
            of: recorder, at: [try #require(ServerAddress("127.0.0.1:0"))],
            access: ServerAccess(token: Self.token, takesMarks: true))
        defer { server.stop() }
        guard case .internet(_, let port) = try #require(server.addresses.first) else { return }
        let reply = try HTTPClient.get(
            Self.path, port: port, method: "POST", ["Authorization": "Bearer \(Self.token)"],
            body: "text=shared&since=2026-11-20T08:03:00Z")
        #expect(reply.status == 201)
        #expect(try recorder.marks(in: DateInterval.distant).map(\.text) == ["beside", "shared"])
    }

    @Test("is part of the description")
    func described() throws {
        let served = try Self.served()
        let document = try #require(try read("/api/v1/openapi.json", of: served).json() as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let body = try #require(paths[Self.path]?["post"]?["requestBody"] as? [String: Any])
        let content = try #require(body["content"] as? [String: [String: [String: Any]]])
        let schema = try #require(content["application/x-www-form-urlencoded"]?["schema"])
        let properties = try #require(schema["properties"] as? [String: Any])
        #expect(properties.keys.sorted() == ["since", "source", "text", "tz", "until"])
    }
}

extension DateInterval {
    /// All supported times.
    fileprivate static var distant: DateInterval {
        DateInterval(start: Date(timeIntervalSince1970: 0), duration: 5e9)
    }
}
