internal import Foundation

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

/// The names of hosts.
enum HostName {
    /// Whether this is a numeric address.
    static func isAddress(_ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    /// The name of this machine, in lower case.
    static var ofMachine: String { ProcessInfo.processInfo.hostName.lowercased() }

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
