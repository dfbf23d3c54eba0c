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

/// Stops the thread of a device wherever it waits.
final class StopSignal: Sendable {
    /// The longest time to wait for the end of the thread.
    private static let timeout = DispatchTimeInterval.seconds(2)

    private let ends: (read: Handle, write: Handle)
    private let ended = DispatchSemaphore(value: 0)

    init() {
        var pair: [Int32] = [-1, -1]
        // Without free descriptors the device cannot be opened either, and its thread ends.
        _ = pipe(&pair)
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        ends = (Handle(pair[0]), Handle(pair[1]))
    }

    /// A descriptor that becomes readable with the stop.
    var descriptor: Int32 { ends.read.descriptor }

    func isRaised(within milliseconds: Int32) -> Bool {
        Poll.readable([descriptor], milliseconds: milliseconds)[0]
    }

    /// Stops the thread, and waits until it has closed the device.
    func raise() {
        _ = write(ends.write.descriptor, "x", 1)
        _ = ended.wait(timeout: .now() + Self.timeout)
    }

    /// Confirms that the device is closed.
    func confirm() { ended.signal() }
}
