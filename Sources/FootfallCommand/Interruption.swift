import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Whether someone asked the command to stop, with SIGINT or SIGTERM.
///
/// Long work looks here between batches, then ends as if its input had: what is known is printed and recorded.
enum Interruption {
    private static let wasRequested = Atomic<Bool>(false)

    /// Whether to come to an end.
    static var isRequested: Bool { wasRequested.load(ordering: .relaxed) }

    /// Begins to watch for the signals. A second one ends the process at once.
    static func watch() {
        // Whoever started the command may have blocked the signals; a process inherits that.
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
