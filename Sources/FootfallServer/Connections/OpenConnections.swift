internal import Foundation
internal import NIOCore
internal import Synchronization

/// The open connections of a server, up to a limit.
final class OpenConnections: Sendable {
    /// The most connections: fewer than the 1024 files that a process may open by default, or fewer if it may open
    /// less.
    private static let most: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 800 }
        return min(800, max(8, Int(clamping: limit.rlim_cur) - otherFiles))
    }()
    /// The files that stay free for the history, the listeners and the output.
    private static let otherFiles = 64

    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    /// The bytes of answers that clients have not taken yet.
    let unsentBytes = Atomic(0)

    /// Adds a connection until it closes. Returns false at the limit.
    func add(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let isAdded = channels.withLock { channels in
            guard channels.count < Self.most else { return false }
            channels[key] = channel
            return true
        }
        if isAdded { channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[key] = nil } } }
        return isAdded
    }

    var all: [any Channel] { channels.withLock { Array($0.values) } }
}
