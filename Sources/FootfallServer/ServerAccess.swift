internal import Foundation

/// Who may read from a server, and whether clients may mark its history.
public struct ServerAccess: Sendable {
    /// The shortest token: 16 characters of hexadecimal digits have 64 bits.
    private static let shortestToken = 16

    /// The token of readers; nil without one.
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
    ///   - takesMarks: Whether clients that send the token may mark the history. Without a token nobody may.
    public init(token: String? = nil, isOpen: Bool = false, hostNames: [String] = [], takesMarks: Bool = false) {
        self.token = token
        self.takesMarks = takesMarks && token != nil
        self.isOpen = isOpen
        let own = HostName.ofMachine
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
