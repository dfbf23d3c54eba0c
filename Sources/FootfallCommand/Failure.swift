import ArgumentParser
import FootfallAnswers
import FootfallDevices
import FootfallEvaluation
import FootfallHistory
import FootfallServer
import FootfallSimulator
import FootfallStudy
import FootfallTables
import FootfallTerminal
import FootfallTraces
import FootfallWire
import Foundation

/// Failures of the command: a line on standard error and an exit code of sysexits.h.
enum Failure {
    /// General failure.
    static let failure: Int32 = 1
    /// The range has no data, and `--require-data` is given.
    static let noData: Int32 = 3
    /// A part of the results is not in the history: it is older than the history keeps, or another trace replaced it.
    static let notKept: Int32 = 4
    /// The command line is invalid (EX_USAGE).
    static let usage: Int32 = 64
    /// The input is malformed (EX_DATAERR).
    static let badData: Int32 = 65
    /// The input does not exist or cannot be read (EX_NOINPUT).
    static let missingInput: Int32 = 66
    /// An existing file is not replaced (EX_CANTCREAT).
    static let cannotCreate: Int32 = 73
    /// A device cannot be opened (EX_IOERR).
    static let deviceFailure: Int32 = 74
    /// The user has no permission to open a device (EX_NOPERM).
    static let notPermitted: Int32 = 77

    /// Writes the error to standard error. Help and version, which are also errors, go to standard output.
    ///
    /// - Returns: The exit code.
    static func report(_ error: any Error) -> Int32 {
        if let code = exitCode(of: error) {
            if let error = error as? HistoryError, error.reason == .missing, let path = error.url?.path,
                !CommandLine.arguments.contains(where: { $0.hasPrefix("--history") })
            {
                Terminal.note(
                    "footfall: nothing is recorded yet: there is no \(path). Begin with “footfall live DEVICE” or “footfall "
                        + "analyze LOG --history \(path)”, or name another --history.")
                return code
            }
            Terminal.note("footfall: " + text(of: error).escaped)
            return code
        }
        let code = Main.exitCode(for: error)
        if code.isSuccess { Main.exit(withError: error) }
        // The argument parser prefixes its errors with “Error: ”. The message of an exit code is empty.
        let message = Main.fullMessage(for: error)
        let label = "Error: "
        if let problem = CommandLineProblem.text(of: Array(CommandLine.arguments.dropFirst())) {
            Terminal.note("footfall: " + problem)
        } else if !message.isEmpty {
            let text = message.hasPrefix(label) ? String(message.dropFirst(label.count)) : message
            Terminal.note("footfall: " + CommandLineProblem.withoutFarSuggestion(text))
        }
        return code.rawValue
    }

    /// The problem and its remedy. Libraries speak of parameters where the command has options.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as ServerError: error.asOptions
        case let error as TraceError: error.message.asOptions
        case let error as DeviceError: error.asCommands
        case let error as FileError: error.asOptions
        default: "\(error)"
        }
    }

    private static func exitCode(of error: any Error) -> Int32? {
        switch error {
        case let error as TraceError: error.kind == .unreadable ? missingInput : badData
        case let error as HistoryError: error.exitCode
        case let error as DeviceError: error.exitCode
        case let error as EvaluationError: error.reason == .unreadable ? missingInput : badData
        case let error as FileError: error.exitCode
        case is ServerError: deviceFailure
        case is SimulationError, is ResolvedRange.Empty, is TimeExpression.Invalid: usage
        default: nil
        }
    }
}

extension HistoryError {
    fileprivate var exitCode: Int32 {
        switch reason {
        case .missing: Failure.missingInput
        case .foreign, .damaged, .newerVersion, .malformed, .incomplete, .occupied: Failure.badData
        case .exists: Failure.cannotCreate
        case .unknownSource, .severalSources, .tooManyBuckets: Failure.usage
        case .notPermitted, .readOnly, .locked, .full, .other: Failure.failure
        }
    }
}

extension FileError {
    fileprivate var exitCode: Int32 {
        switch access {
        case .reading: Failure.missingInput
        case .writing: Failure.failure
        case .replacing, .replacingForeign: Failure.cannotCreate
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
