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
            Detects steps and activities in sensor logs and live sensors, records them in a seven-day history, and answers \
            queries about any time range of it.

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
        Interruption.install()
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

/// Failures of the command: a line on standard error and an exit code of sysexits.h.
enum Failure {
    /// General failure.
    static let failure: Int32 = 1
    /// The range has no data, and `--require-data` is given.
    static let noData: Int32 = 3
    /// The command line is invalid (EX_USAGE).
    static let usage: Int32 = 64
    /// The input is malformed (EX_DATAERR).
    static let badData: Int32 = 65
    /// The input does not exist or cannot be read (EX_NOINPUT).
    static let missingInput: Int32 = 66
    /// A device cannot be opened (EX_IOERR).
    static let deviceFailure: Int32 = 74
    /// The user has no permission to open a device (EX_NOPERM).
    static let notPermitted: Int32 = 77

    /// Writes the error to standard error. Help and version, which are also errors, go to standard output.
    ///
    /// - Returns: The exit code.
    static func report(_ error: any Error) -> Int32 {
        if let code = exitCode(of: error) {
            Terminal.note("footfall: \(error)")
            return code
        }
        let code = Main.exitCode(for: error)
        if code.isSuccess { Main.exit(withError: error) }
        // The argument parser prefixes its errors with “Error: ”. The message of an exit code is empty.
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
