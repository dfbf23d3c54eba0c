internal import Foundation

/// A file descriptor that is closed with its last reference.
final class Handle: Sendable {
    let descriptor: Int32
    private let isOwned: Bool

    init(_ descriptor: Int32, isOwned: Bool = true) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    deinit { if isOwned { close(descriptor) } }
}

enum Poll {
    /// Waits until a descriptor is readable, or for `milliseconds`. A negative descriptor is never readable.
    ///
    /// - Returns: Which descriptors are readable, or have an end or an error, which reading returns.
    static func readable(_ descriptors: [Int32], milliseconds: Int32) -> [Bool] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        return entries.map { $0.revents != 0 }
    }

    /// Waits until a descriptor is writable, or for `milliseconds`.
    static func writable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
