import FootfallHistory
import FootfallServer
import Foundation
import TestSupport
import Testing

@Suite("Clients of a server")
struct ClientTests {
    private static let token = "correct-horse-battery-staple"

    @Test("need a token on an address that other machines reach")
    func openAddress() throws {
        let history = try MotionHistory.inMemory()
        for text in ["0.0.0.0:0", "[::]:0"] {
            let address = try #require(ServerAddress(text))
            let error = #expect(throws: ServerError.self) { try HistoryServer(of: history, at: [address]) }
            #expect(error?.reason == .needsToken && error?.description.contains("--") == false)
        }
        let open = try Served(access: ServerAccess(isOpen: true), at: "0.0.0.0:0")
        #expect(try open.get("/api/v1/sources").status == 200)
    }

    @Test("with a wrong token get nothing, at any path")
    func token() throws {
        let served = try Served(access: ServerAccess(token: Self.token), at: "0.0.0.0:0")
        for path in ["/", "/api/v1/sources", "/nothing", "/live.js", "/metrics", "/api/v1/live"] {
            let wrong = [
                [:], ["Authorization": "Bearer \(Self.token)x"], ["Authorization": "Bearer \(Self.token.dropLast())"],
                ["Authorization": "Basic \(Self.token)"], ["Authorization": "Bearer "], ["Cookie": "footfall="],
                ["Cookie": "footfall=\(Self.token)"],
            ]
            for fields in wrong {
                let reply = try served.get(path, fields)
                #expect(reply.status == 401 && reply.headers["www-authenticate"] == "Bearer", "\(path) \(fields)")
            }
        }
        let right = try served.get("/api/v1/sources", ["Authorization": "Bearer \(Self.token)"])
        #expect(right.status == 200 && right.body.contains("wrist"))
    }

    @Test("that guess the token wait, and then the right one is not read either")
    func guesses() throws {
        let served = try Served(access: ServerAccess(token: Self.token))
        func status(_ token: String) throws -> Int {
            try served.get("/api/v1/sources", ["Authorization": "Bearer \(token)"]).status
        }
        let guesses = try (0..<40).map { try status("guess-of-the-token-\($0)") }
        #expect(guesses.prefix(20).allSatisfy { $0 == 401 } && guesses.contains(429), "\(guesses)")
        // A slow machine may have let a second pass.
        #expect(try blockUntil { try status("another-guess-of-the-token") == 429 })
        let refused = try served.get("/login", method: "POST", body: "token=\(Self.token)")
        #expect(
            [429, 303].contains(refused.status) && (refused.status == 303) != (refused.headers["retry-after"] == "1"))
        #expect(try blockUntil { try status(Self.token) == 200 })
        // A request without a token is no guess.
        #expect(try served.get("/api/v1/sources").status == 401)
    }

    @Test("that keep an old token lock out no other program of their address")
    func oldToken() throws {
        let served = try Served(access: ServerAccess(token: Self.token))
        func status(_ token: String) throws -> Int {
            try served.get("/api/v1/sources", ["Authorization": "Bearer \(token)"]).status
        }
        for _ in 0..<60 { #expect(try status("the-token-of-last-year") == 401) }
        #expect(try status(Self.token) == 200)
    }

    @Test("of another site get nothing without a token, but may follow a link to the page")
    func otherSites() throws {
        let served = try Served(access: ServerAccess(token: Self.token))
        let open = try Served()
        let token = ["Authorization": "Bearer \(Self.token)"]
        for path in ["/", "/api/v1/steps?by=1m", "/api/v1/live", "/style.css", "/metrics", "/nothing"] {
            for site in ["cross-site", "same-site", "other"] {
                for mode in [
                    ["Sec-Fetch-Mode": "no-cors"], ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"],
                ] {
                    let fields = mode.merging(["Sec-Fetch-Site": site]) { $1 }
                    #expect(try open.get(path, fields).status == 403, "\(path) \(fields)")
                }
            }
            #expect(try open.get(path, method: "HEAD", ["Sec-Fetch-Site": "same-origin"]).status != 403)
        }
        let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        #expect(try open.get("/?day=2026-11-20", link).status == 200)
        #expect(try open.get("/api/v1/sources", link).status == 403)
        let login = try served.get("/login", method: "POST", link, body: "token=\(Self.token)")
        #expect(login.status == 403 && login.headers["set-cookie"] == nil)
        #expect(try served.get("/api/v1/sources", token.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }).status == 200)
    }

    @Test("read tokens only from a file that others cannot read")
    func tokenFile() throws {
        let folder = try Folder()
        let file = try folder.write("token", "\(Self.token)\n")
        chmod(file, 0o644)
        let exposed = #expect(throws: ServerError.self) { try ServerAccess.token(in: file) }
        #expect(exposed?.reason == .exposedToken && exposed?.place == file)
        chmod(file, 0o600)
        #expect(try ServerAccess.token(in: file) == Self.token)
        try folder.write("token", "short\n")
        #expect(throws: ServerError.self) { try ServerAccess.token(in: file) }
        #expect(throws: ServerError.self) { try ServerAccess.token(in: folder.path("none")) }
    }

    @Test("are answered while a task runs the server, and no longer when it is cancelled")
    func run() async throws {
        let address = try #require(ServerAddress("127.0.0.1:0"))
        let server = try HistoryServer(of: try MotionHistory.inMemory(), at: [address])
        guard case .internet(_, let port) = try #require(server.addresses.first) else {
            throw CocoaError(.featureUnsupported)
        }
        let task = Task { await server.run() }
        #expect(try HTTPClient.get("/api/v1/sources", port: port).body == "[]\n")
        task.cancel()
        await task.value
        #expect(throws: (any Error).self) { try HTTPClient.get("/api/v1/sources", port: port) }
    }

    @Test("under a foreign name get nothing", arguments: ["evil.example", "localhost.evil.example", "", "a b", "[::1"])
    func foreignNames(name: String) throws {
        let served = try Served()
        #expect(try served.get("/api/v1/sources", ["Host": name]).status == 421)
    }

    @Test("may use the address, the name of the machine, and names that are allowed")
    func ownNames() throws {
        let served = try Served(access: ServerAccess(hostNames: ["Pi.example"]))
        for name in [
            "localhost", "LOCALHOST:8321", "127.0.0.1:\(served.port)", "[::1]:8321", "192.168.1.7", "pi.example:80",
            "\(ProcessInfo.processInfo.hostName):8321",
        ] {
            #expect(try served.get("/api/v1/sources", ["Host": name]).status == 200, "\(name)")
        }
        let client = try HTTPClient(port: served.port)
        client.send("GET /api/v1/sources HTTP/1.1\r\n\r\n")
        #expect(try client.reply().status == 421)
    }

    @Test("write nothing, and find nothing beside the answers")
    func readOnly() throws {
        let served = try Served()
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            let reply = try served.get("/api/v1/sources", method: method)
            #expect(reply.status == 405 && reply.headers["allow"] == "GET, HEAD", "\(method)")
        }
        for path in [
            "/../../etc/passwd", "/api/v1/../../history.sqlite", "/%2e%2e/%2e%2e/etc/passwd",
            "/api/v1/steps/../sources",
            "//api/v1/sources", "/api/v1/", "/api/v1/steps%00", "/history.sqlite",
        ] {
            #expect(try served.get(path).status == 404, "\(path)")
        }
        for path in ["/%ff", "/api/v1/steps?since=%zz", "sources", "http://localhost/api/v1/sources"] {
            #expect(try served.get(path).status == 400, "\(path)")
        }
    }

    @Test("with oversized requests are refused")
    func oversize() throws {
        let served = try Served()
        let long = String(repeating: "a", count: 1 << 20)
        #expect(try served.get("/api/v1/steps?source=\(long.prefix(5000))").status == 414)
        #expect(try served.get("/api/v1/sources", ["X": String(long.prefix(9000))]).status == 400)
        let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ("X-\($0)", "1") })
        #expect(try served.get("/api/v1/sources", many).status == 400)
        #expect(try served.get("/api/v1/sources", body: String(long.prefix(5000))).status == 413)
        for start in ["GET /\(long)", "GET / HTTP/1.1\r\nX: \(long)", long, "\u{16}\u{3}\u{1}\(long)"] {
            let client = try HTTPClient(port: served.port)
            client.send(start)
            #expect(client.isClosed)
        }
        #expect(try served.get("/api/v1/sources").status == 200)
    }

    @Test("that are slow or silent lose their connection, and others do not notice")
    func timeLimit() throws {
        let history = try MotionHistory.inMemory()
        let address = try #require(ServerAddress("127.0.0.1:0"))
        let server = try HistoryServer(ServedHistory(history), [address], timeLimit: .milliseconds(600))
        defer { server.stop() }
        guard case .internet(_, let port) = try #require(server.addresses.first) else {
            throw CocoaError(.featureUnsupported)
        }
        let (silent, slow) = (try HTTPClient(port: port), try HTTPClient(port: port))
        // On a busy machine an answer may take longer than the limit, and the client asks again.
        func answered() throws -> HTTPClient? {
            let client = try HTTPClient(port: port)
            client.ask("/api/v1/sources")
            return (try? client.reply())?.body == "[]\n" ? client : nil
        }
        var kept: HTTPClient?
        #expect(
            try blockUntil {
                kept = try answered()
                return kept != nil
            })
        // Byte after byte never ends a request.
        slow.send("GET /api/v1/sources HTTP/1.1\r\nHost: localhost\r\nX: ")
        #expect(blockUntil { !slow.send("x") })
        #expect(silent.isClosed && kept?.isClosed == true)
        #expect(try blockUntil { try answered() != nil })
    }

    @Test("find the server of the documentation")
    func documented() throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "history.sqlite")
        let addresses = [try #require(ServerAddress("127.0.0.1:0")), try #require(ServerAddress("[::1]:0"))]
        #expect(throws: HistoryError.self) { try HistoryServer(of: file, at: addresses) }
        try MotionHistory(at: file).close()
        let server = try HistoryServer(of: file, at: addresses)
        defer { server.stop() }
        guard case .internet("127.0.0.1", let port) = server.addresses.first else {
            throw CocoaError(.featureUnsupported)
        }
        #expect(server.addresses.count == 2 && server.addresses[1].description.hasPrefix("http://[::1]:"))
        #expect(try HTTPClient.get("/api/v1/sources", port: port).status == 200)
    }

    @Test("may send several requests at once, and get the answers in order")
    func pipelining() throws {
        let served = try Served()
        let client = try HTTPClient(port: served.port)
        for by in ["hour", "day", "0m"] { client.ask("/api/v1/steps?by=\(by)") }
        #expect(try (0..<3).map { _ in try client.reply().status } == [200, 200, 400])
    }

    @Test("on a Unix socket get the same answers")
    func unixSocket() throws {
        let folder = try Folder()
        let path = folder.path("socket")
        let address = try #require(ServerAddress("unix:\(path)"))
        for _ in 0..<2 {
            let server = try HistoryServer(of: try MotionHistory.inMemory(), at: [address])
            let client = try HTTPClient(path: path)
            client.ask("/api/v1/sources")
            #expect(try client.reply().body == "[]\n")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o660)
            server.stop()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        // A second server takes no socket that answers, and removes none at its end.
        let first = try HistoryServer(of: try MotionHistory.inMemory(), at: [address])
        #expect(throws: ServerError.self) { try HistoryServer(of: try MotionHistory.inMemory(), at: [address]) }
        let client = try HTTPClient(path: path)
        client.ask("/api/v1/sources")
        #expect(try client.reply().body == "[]\n")
        try FileManager.default.removeItem(atPath: path)
        // A file that is no socket stays.
        try folder.write("socket", "text")
        first.stop()
        #expect(throws: ServerError.self) { try HistoryServer(of: try MotionHistory.inMemory(), at: [address]) }
        #expect(try folder.text("socket") == "text")
    }
}
