public import Foundation

/// An address on which a server listens.
public enum ServerAddress: Hashable, Sendable {
    /// A numeric IPv4 or IPv6 address and a port; port 0 stands for any free one.
    case internet(host: String, port: Int)
    /// A Unix socket.
    case unix(path: String)

    /// Port 8321 of this machine only.
    public static let local = ServerAddress.internet(host: "127.0.0.1", port: 8321)

    /// Reads `127.0.0.1:8321`, `[::1]:8321`, `0.0.0.0:8321` or `unix:/run/footfall.sock`; nil for other text.
    public init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst(5)
            // sockaddr_un has room for 107 bytes and a 0.
            guard !path.isEmpty, path.utf8.count <= 107 else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let name = text[..<colon]
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        let host = String(isBracketed ? name.dropFirst().dropLast() : name)
        guard HostName.isAddress(host), host.contains(":") == isBracketed else { return nil }
        self = .internet(host: host, port: Int(port))
    }

    /// Whether only programs on this machine reach the address.
    var isLocal: Bool {
        switch self {
        case .internet(let host, _): host.hasPrefix("127.") || host == "::1"
        case .unix: true
        }
    }
}

extension ServerAddress: CustomStringConvertible {
    /// Such as `http://127.0.0.1:8321/` or `unix:/run/footfall.sock`.
    public var description: String {
        switch self {
        case .internet(let host, let port): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        case .unix(let path): "unix:\(path)"
        }
    }
}

enum HostName {
    static func isAddress(_ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    /// The name in a `Host` field, without the port and in lower case; nil if it is malformed.
    static func name(in field: String) -> String? {
        let field = field.lowercased()
        if field.hasPrefix("[") {
            guard let end = field.firstIndex(of: "]") else { return nil }
            return String(field[field.index(after: field.startIndex)..<end])
        }
        let parts = field.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first, !name.isEmpty else { return nil }
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }
}

/// Who may read from a server, and whether clients may mark its history.
public struct ServerAccess: Sendable {
    /// The shortest token: 16 characters of hexadecimal digits have 64 bits.
    private static let shortestToken = 16

    let token: String?
    /// Whether readers need no token on an address that other machines reach.
    let isOpen: Bool
    /// The names under which clients may address the server, besides numeric addresses.
    let hostNames: Set<String>
    /// Whether clients with the token may mark the history.
    let takesMarks: Bool

    /// Readers on this machine need no token; other addresses need one.
    ///
    /// - Parameters:
    ///   - token: The token; nil for none.
    ///   - isOpen: Whether readers on other machines need no token either.
    ///   - hostNames: Further names of this machine. `localhost` and the machine's own name, also with `.local`, are
    ///     always valid. Other names are refused: a foreign web page could otherwise point its name at this machine and
    ///     read the answers (DNS rebinding).
    ///   - takesMarks: Whether clients that send the token may mark the history. It has no effect without a token.
    public init(token: String? = nil, isOpen: Bool = false, hostNames: [String] = [], takesMarks: Bool = false) {
        self.token = token
        self.takesMarks = takesMarks && token != nil
        self.isOpen = isOpen
        let own = ProcessInfo.processInfo.hostName.lowercased()
        self.hostNames = Set(["localhost", own, own + ".local"] + hostNames.map { $0.lowercased() })
    }

    /// Reads a token from a file.
    ///
    /// - Throws: ``ServerError`` if the file is unreadable or readable by everyone, or if the token is short.
    public static func token(in path: String) throws -> String {
        guard access(path, R_OK) == 0, let data = FileManager.default.contents(atPath: path) else {
            throw ServerError(errno == EACCES ? .forbiddenToken : .unreadableToken, at: path)
        }
        let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber
        guard (mode?.intValue ?? 0) & 0o004 == 0 else {
            throw ServerError(.exposedToken, at: path)
        }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard token.utf8.count >= shortestToken, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ServerError(.weakToken(least: shortestToken), at: path)
        }
        return token
    }

    /// Whether a text is the secret. The time does not depend on how many characters are right.
    static func isEqual(_ text: String, _ secret: String) -> Bool {
        let (text, secret) = (Array(text.utf8), Array(secret.utf8))
        var difference = text.count == secret.count ? UInt8(0) : 1
        for index in secret.indices { difference |= secret[index] ^ (index < text.count ? text[index] : 0) }
        return difference == 0
    }
}

/// A server that cannot start: the address or file, the problem and the remedy.
public struct ServerError: LocalizedError, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Reason: Hashable, Sendable {
        /// Other machines reach the address, and there is neither a token nor open access.
        case needsToken
        /// The address is not one of this machine, or not yet; the message of the system.
        case cannotListen(String)
        /// Another program listens on the address.
        case addressInUse
        /// Another program listens on the Unix socket.
        case socketInUse
        /// The file of the token cannot be read.
        case unreadableToken
        /// The process may not read the file of the token.
        case forbiddenToken
        /// Everyone can read the file of the token.
        case exposedToken
        /// The token is shorter than this number of characters, or has others than printable ASCII.
        case weakToken(least: Int)
    }

    /// The kind of failure.
    public let reason: Reason
    /// The address, or the path of the token.
    public let place: String

    init(_ reason: Reason, at place: String) { (self.reason, self.place) = (reason, place) }

    /// The place and the problem.
    package var problem: String {
        let text =
            switch reason {
            case .needsToken: "other machines reach this address, so readers need a token"
            case .cannotListen(let message): "cannot listen: \(message)"
            case .addressInUse: "another program listens on this address"
            case .socketInUse: "another program listens on this socket"
            case .unreadableToken: "cannot read the token"
            case .forbiddenToken: "the user of this process may not read the token"
            case .exposedToken: "everyone can read the token"
            case .weakToken(let least):
                "a token has at least \(least) printable ASCII characters without spaces"
            }
        return "\(place): \(text)"
    }

    /// The place, the problem and the remedy.
    public var description: String {
        let remedy =
            switch reason {
            case .needsToken: "Give ServerAccess a token, or let everyone read with isOpen."
            case .cannotListen: "Choose another address."
            case .addressInUse, .socketInUse: "Stop it, or choose another address."
            case .unreadableToken: "Check the path."
            case .forbiddenToken: "Give it to that user with “chown”."
            case .exposedToken: "Run “chmod 600 \(place)”."
            case .weakToken: "Write one with “openssl rand -hex 16 > \(place)”."
            }
        return "\(problem). \(remedy)"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
