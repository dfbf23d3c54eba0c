import ArgumentParser
import FootfallDevices
import FootfallEvaluation
import FootfallHistory
import FootfallSimulator
import FootfallTraces
import Foundation

/// The `footfall` command.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "footfall",
        abstract: "Steps and activities from an accelerometer.",
        discussion: """
            Reads a sensor log, finds every step and what its wearer was doing, keeps the results in a seven-day history \
            and answers questions about any range of it.

              footfall analyze walk.csv
              footfall analyze walk.csv --history steps.sqlite --source wrist
              footfall live /dev/ttyUSB0
              footfall query steps --history steps.sqlite --by hour
              footfall report --history steps.sqlite --out report.html
            """,
        version: "0.1.0",
        subcommands: [
            Analyze.self, Live.self, Devices.self, Query.self, Report.self, History.self, Simulate.self, Evaluate.self,
        ]
    )

    static func main() async {
        Interruption.watch()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Foundation.exit(Failure.report(error))
        }
    }
}

/// How the command fails: one line for people on standard error, one number of sysexits.h for scripts.
enum Failure {
    /// It did not work out, although nothing that was given is wrong.
    static let failure: Int32 = 1
    /// Nothing of the range is covered, and data was required.
    static let noData: Int32 = 3
    /// The command line asks for what there is not (EX_USAGE).
    static let usage: Int32 = 64
    /// The input is not what it should be (EX_DATAERR).
    static let badData: Int32 = 65
    /// The input is not there or cannot be read (EX_NOINPUT).
    static let missingInput: Int32 = 66
    /// A device cannot be opened (EX_IOERR).
    static let deviceFailure: Int32 = 74
    /// A device may not be opened by this user (EX_NOPERM).
    static let notPermitted: Int32 = 77

    /// Writes what went wrong to standard error, or to standard output what was asked for, such as help.
    ///
    /// - Returns: The exit code.
    static func report(_ error: any Error) -> Int32 {
        if let code = exitCode(of: error) {
            Terminal.note("footfall: \(error)")
            return code
        }
        let code = Main.exitCode(for: error)
        if code.isSuccess { Main.exit(withError: error) }
        // The argument parser's own errors begin with its own word; nothing is said of a mere exit code.
        let message = Main.fullMessage(for: error)
        let label = "Error: "
        if !message.isEmpty {
            Terminal.note("footfall: " + (message.hasPrefix(label) ? String(message.dropFirst(label.count)) : message))
        }
        return code.rawValue
    }

    private static func exitCode(of error: any Error) -> Int32? {
        switch error {
        case let error as TraceError: error.kind == .unreadable ? missingInput : badData
        case let error as HistoryError: error.exitCode
        case let error as DeviceError: error.exitCode
        case let error as EvaluationError: error.reason == .unreadable ? missingInput : badData
        case let error as FileError: error.isInput ? missingInput : failure
        case is SimulationError: usage
        default: nil
        }
    }
}

extension HistoryError {
    fileprivate var exitCode: Int32 {
        switch reason {
        case .missing: Failure.missingInput
        case .foreign, .damaged, .newerVersion, .malformed: Failure.badData
        case .unknownSource, .severalSources: Failure.usage
        case .notPermitted, .readOnly, .locked, .full, .other: Failure.failure
        }
    }
}

extension DeviceError {
    fileprivate var exitCode: Int32 {
        switch reason {
        case .notPermitted: Failure.notPermitted
        case .malformedAddress, .unknownBaud: Failure.usage
        case .missing, .busy, .notADevice, .failed: Failure.deviceFailure
        }
    }
}
