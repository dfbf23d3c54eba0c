internal import Foundation

/// Wakes one thread from another.
///
/// The wait of a semaphore ends at a time of the wall clock. If that clock is set back by an hour meanwhile, the wait
/// lasts an hour longer. This wait uses a monotonic clock, which is never set.
package final class WakeUp: Sendable {
    private let ends: (read: Handle, write: Handle)

    package init() {
        var pair: [Int32] = [-1, -1]
        // Without free descriptors each wait lasts its whole time.
        _ = pipe(&pair)
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        ends = (Handle(pair[0]), Handle(pair[1]))
    }

    /// A descriptor that becomes readable with the first ``raise()``, and stays so.
    var descriptor: Int32 { ends.read.descriptor }

    /// Ends the waits, now and later.
    package func raise() { _ = write(ends.write.descriptor, "x", 1) }

    /// Waits until it is raised, or for `milliseconds`. Returns whether it is raised.
    @discardableResult
    package func wait(milliseconds: Int) -> Bool {
        Poll.readable([descriptor], milliseconds: Int32(clamping: milliseconds))[0]
    }
}

/// Stops the thread of a device wherever it waits.
final class StopSignal: Sendable {
    /// The longest time to wait for the end of the thread, in milliseconds.
    private static let timeout = 2000

    // Without free descriptors the device cannot be opened either, and its thread ends.
    private let stop = WakeUp()
    private let ended = WakeUp()

    /// A descriptor that becomes readable with the stop.
    var descriptor: Int32 { stop.descriptor }

    func isRaised(within milliseconds: Int32) -> Bool { stop.wait(milliseconds: Int(milliseconds)) }

    /// Stops the thread, and waits until it has closed the device.
    func raise() {
        stop.raise()
        ended.wait(milliseconds: Self.timeout)
    }

    /// Confirms that the device is closed.
    func confirm() { ended.raise() }
}
