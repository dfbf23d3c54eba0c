public import Foundation

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
