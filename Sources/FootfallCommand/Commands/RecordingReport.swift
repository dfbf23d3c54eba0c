import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReport
import FootfallWire

/// The results of a command that are not in the history, reported in a line for each reason.
struct RecordingReport: Sendable {
    private var outcome = RecordingOutcome()
    private var leaping = 0

    /// Adds the outcome of a recording.
    mutating func add(_ outcome: RecordingOutcome) { self.outcome += outcome }

    /// Adds the counts of a trace's or a device's samples.
    mutating func add(_ quality: SignalQuality) { leaping += quality.leaping }

    /// Prints the lines.
    ///
    /// - Throws: The exit code of the first one.
    func finish() throws {
        let problems = problems
        for problem in problems { Terminal.note("footfall: " + problem.line) }
        if let first = problems.first { throw ExitCode(first.code) }
    }

    private var problems: [(line: String, code: Int32)] {
        var problems: [(String, Int32)] = []
        if outcome.setAside > 0 {
            let latest = outcome.latestSetAside.map { " (up to \($0.description.prefix(19))Z)" } ?? ""
            problems.append(
                (
                    "\(outcome.setAside) steps and segments are ahead of the clock\(latest) and are not recorded; "
                        + "--accept-future records them", Failure.badData
                ))
        }
        if leaping > 0 {
            problems.append(
                (
                    "\(leaping) samples are more than 7 days ahead of those before, with less than a minute of samples "
                        + "behind them, and are not recorded", Failure.badData
                ))
        }
        return problems
    }
}
