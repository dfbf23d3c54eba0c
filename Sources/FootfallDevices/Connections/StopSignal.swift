internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Tells the thread of a device to end, wherever it waits, and waits for that.
final class StopSignal: Sendable {
    /// How long to wait for the thread, at most.
    private static let patience = DispatchTimeInterval.seconds(2)

    private let ends: (read: Int32, write: Int32)
    private let ended = DispatchSemaphore(value: 0)

    init() {
        var pair: [Int32] = [-1, -1]
        // Where there are no descriptors left, opening the device will say so; until then nothing can be stopped.
        _ = pipe(&pair)
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    /// To be waited on: readable once the thread is to end.
    var descriptor: Int32 { ends.read }

    /// Whether the thread is to end, now or within so many milliseconds.
    func isRaised(within milliseconds: Int32 = 0) -> Bool {
        Poll.readable([descriptor], milliseconds: milliseconds)[0]
    }

    /// Tells the thread to end, and waits until it has let go of the device.
    func raise() {
        _ = write(ends.write, "x", 1)
        _ = ended.wait(timeout: .now() + Self.patience)
    }

    /// Says that the thread has let go of the device.
    func confirm() { ended.signal() }
}
