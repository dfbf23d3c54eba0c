package import Foundation

extension Process {
    /// Waits for the end of the process.
    ///
    /// Foundation seldom misses the end of a process, and `waitUntilExit` then never returns. So the kernel is asked
    /// first.
    ///
    /// - Returns: The exit code, or minus the number of the signal that ended the process.
    @discardableResult
    package func waitForEnd() -> Int32 {
        var status: Int32 = 0
        var ended: pid_t
        repeat { ended = waitpid(processIdentifier, &status, 0) } while ended < 0 && errno == EINTR
        if ended == processIdentifier {
            let signal = status & 0x7F
            return signal == 0 ? status >> 8 & 0xFF : -signal
        }
        // Foundation has the status already.
        waitUntilExit()
        return terminationReason == .exit ? terminationStatus : -terminationStatus
    }
}
