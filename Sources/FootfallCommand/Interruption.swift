import Foundation
import Synchronization

/// SIGINT and SIGTERM as a request to stop.
///
/// Commands check the request between batches. Then they print and record their results, as at the end of their input.
enum Interruption {
    private static let wasRequested = Atomic<Bool>(false)

    /// Whether a signal has arrived.
    static var isRequested: Bool { wasRequested.load(ordering: .relaxed) }

    /// Installs the signal handlers. A second signal ends the process at once.
    static func install() {
        // A process inherits blocked signals from its parent.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigprocmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                if Interruption.wasRequested.exchange(true, ordering: .relaxed) { _exit(128 + number) }
            }
        }
    }
}
