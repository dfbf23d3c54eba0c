import FootfallStudy
import Foundation
import Synchronization

/// SIGINT, SIGTERM and SIGHUP as a request to stop. Commands check the request between batches. Then they print and
/// record their results, as at the end of their input. A command that does not check, because it waits for a pipe or a
/// query, ends after ``noticeTime``.
enum Interruption {
    /// Milliseconds in which a command has to notice the request.
    private static let noticeTime: Int32 = 600
    /// The last signal; 0 before the first one.
    private static let signal = Atomic<Int32>(0)
    private static let isNoticed = Atomic<Bool>(false)
    /// The end of a pipe to which the signal handlers write.
    private static let alarm = Atomic<Int32>(-1)

    static var hasArrived: Bool { signal.load(ordering: .relaxed) != 0 }

    /// Whether a signal has arrived, for a command that stops by itself then.
    static var isRequested: Bool {
        guard hasArrived else { return false }
        isNoticed.store(true, ordering: .relaxed)
        return true
    }

    /// The exit code of a command whose results are incomplete after a signal: 130 for SIGINT, 143 for SIGTERM.
    static var exitCode: Int32 { 128 + signal.load(ordering: .relaxed) }

    /// Installs the signal handlers. A later second signal ends the process at once.
    static func install() {
        // A write beyond the limit of a file's size is then an error with a message.
        Foundation.signal(SIGXFSZ, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        alarm.store(ends[1], ordering: .relaxed)
        let input = ends[0]
        Thread.detachNewThread { watch(input) }
        // A process inherits blocked signals from its parent.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            sigaddset(&signals, number)
            let previous = Foundation.signal(number) { number in
                Interruption.signal.store(number, ordering: .relaxed)
                write(Interruption.alarm.load(ordering: .relaxed), "!", 1)
            }
            // nohup has a process ignore SIGHUP.
            if number == SIGHUP, isIgnored(previous) { Foundation.signal(number, SIG_IGN) }
        }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the process after the second signal, or after the first one if the command does not notice it. The signals
    /// of ``noticeTime`` are one: when a terminal closes, its shell and the system send one each, and `timeout` sends
    /// two.
    private static func watch(_ input: Int32) {
        // A handler on this thread would end its wait.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var byte: UInt8 = 0
        _ = read(input, &byte, 1)
        _ = poll(nil, 0, noticeTime)
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 0) > 0 { _ = read(input, &byte, 1) }
        if isNoticed.load(ordering: .relaxed) { _ = read(input, &byte, 1) }
        Draft.removeAll()
        _exit(exitCode)
    }
}
