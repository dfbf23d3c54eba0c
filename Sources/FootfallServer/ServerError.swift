public import Foundation

/// A server that cannot start: the address or file, the problem and the remedy.
public struct ServerError: LocalizedError, CustomStringConvertible {
    /// The place, the problem and the remedy.
    public let description: String

    /// The same as ``description``.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
