#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Who sends datagrams. One sender at a time is listened to: two sensors mixed would be neither.
struct Senders: Sendable {
    /// After so long without a datagram, another sender may take over.
    private static let patience = Duration.seconds(5)
    /// Senders whose names are kept; more than that are not told of any more.
    private static let capacity = 16

    enum Verdict {
        /// The one that is listened to.
        case same
        /// One that is listened to from now on.
        case new
        /// One that is not; with its name when it has not been told of.
        case other(String?)
    }

    private var current: String?
    private var lastHeard = ContinuousClock.now
    private var told: Set<String> = []

    /// Decides about the next datagram. The port does not matter: many apps take a new one with each start.
    mutating func accept(_ address: sockaddr_storage, _ length: socklen_t) -> Verdict {
        let name = Self.host(address, length)
        let now = ContinuousClock.now
        if name == current {
            lastHeard = now
            return .same
        }
        if current == nil || lastHeard.duration(to: now) > Self.patience {
            (current, lastHeard) = (name, now)
            return .new
        }
        let isNews = told.count < Self.capacity && told.insert(name).inserted
        return .other(isNews ? name : nil)
    }

    private static func host(_ address: sockaddr_storage, _ length: socklen_t) -> String {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo($0, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
            }
        }
        return code == 0 ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : "?"
    }
}
