#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file descriptor that is closed with its last owner.
final class Handle: Sendable {
    let descriptor: Int32
    private let isOwned: Bool

    /// Takes over an open descriptor; one that is not owned is left open.
    init(_ descriptor: Int32, isOwned: Bool = true) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    deinit { if isOwned { close(descriptor) } }
}

/// Waiting on descriptors, without the C structures.
enum Poll {
    /// Waits until something is readable, or for `milliseconds`. A negative descriptor is never readable.
    ///
    /// - Returns: Which of them are; an end or an error counts, too, as reading tells which.
    static func readable(_ descriptors: [Int32], milliseconds: Int32) -> [Bool] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), milliseconds)
        return entries.map { $0.revents != 0 }
    }

    /// Waits until a descriptor can be written to, for at most `milliseconds`. Returns whether it can.
    static func writable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
