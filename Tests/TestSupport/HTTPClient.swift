import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The answer of an HTTP server.
package struct HTTPReply: Sendable {
    package let status: Int
    /// The fields, with names in lower case.
    package let headers: [String: String]
    package let body: String

    /// The body as JSON.
    package func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(body.utf8), options: .fragmentsAllowed)
    }
}

/// A connection to a server on this machine, byte by byte: it can also send what no client sends.
package final class HTTPClient {
    /// A connection that fails, or an answer that is no HTTP.
    package struct Failure: Error {
        package let description: String
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    package init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        try connect(&address)
    }

    /// Connects to a Unix socket.
    package init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        try connect(&address)
    }

    deinit { close(descriptor) }

    private func connect<Address>(_ address: inout Address) throws {
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    /// Sends text. Returns false if the server has closed the connection.
    @discardableResult
    package func send(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Sends a request.
    package func ask(_ path: String, method: String = "GET", _ fields: [String: String] = [:], body: String = "") {
        var lines = ["\(method) \(path) HTTP/1.1"]
        let length = body.isEmpty ? [:] : ["Content-Length": String(body.utf8.count)]
        let all = ["Host": "localhost"].merging(length) { $1 }.merging(fields) { $1 }
        lines += all.map { "\($0): \($1)" }
        send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Receives more bytes; false at the end of the connection.
    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received += buffer.prefix(count)
        return true
    }

    /// Receives bytes up to a text, which is taken too.
    package func text(through end: String) throws -> String {
        let end = Array(end.utf8)
        var searched = 0
        while true {
            if let range = received[searched...].firstRange(of: end) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(decoding: received[..<range.upperBound], as: UTF8.self)
            }
            searched = max(0, received.count - end.count)
            guard receive() else { throw Failure(description: "the connection ended after \(received.count) bytes") }
        }
    }

    /// Receives an answer.
    package func reply(hasBody: Bool = true) throws -> HTTPReply {
        let (status, headers) = try head()
        let count = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        while received.count < count {
            guard receive() else { throw Failure(description: "the body ended after \(received.count) bytes") }
        }
        defer { received.removeFirst(count) }
        return HTTPReply(
            status: status, headers: headers, body: String(decoding: received.prefix(count), as: UTF8.self))
    }

    /// Receives the status and the fields of an answer.
    package func head() throws -> (Int, [String: String]) {
        let lines = try text(through: "\r\n\r\n").components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(description: "no HTTP: \(lines[0])")
        }
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            line.firstIndex(of: ":").map {
                (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
            }
        }
        return (status, Dictionary(fields) { $0 + ", " + $1 })
    }

    /// Whether bytes of an answer wait to be received, or the connection has ended.
    package var hasReply: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Whether the server closes the connection, after any bytes, within a minute.
    package var isClosed: Bool {
        while receive() {}
        return errno != EAGAIN
    }

    /// Asks one question on a connection of its own.
    package static func get(
        _ path: String, port: Int, method: String = "GET", _ fields: [String: String] = [:], body: String = ""
    ) throws -> HTTPReply {
        let client = try HTTPClient(port: port)
        client.ask(path, method: method, fields, body: body)
        return try client.reply(hasBody: method != "HEAD")
    }
}
