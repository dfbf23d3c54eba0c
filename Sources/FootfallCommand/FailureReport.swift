import ArgumentParser
import FootfallEvaluation
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallServer
import FootfallSimulator
import FootfallStudy
import FootfallTables
import Foundation

extension Failure {
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

    private static func exitCode(of error: any Error) -> Int32? {
        switch error {
        case let error as TraceError: error.kind == .unreadable ? missingInput : badData
        case let error as HistoryError: error.exitCode
        case let error as DeviceError: error.exitCode
        case let error as EvaluationError: error.reason == .unreadable ? missingInput : badData
        case let error as FileError: error.exitCode
        case let error as ServerError: error.exitCode
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
        case .unknownSource, .severalSources, .tooManyBuckets, .unkept: Failure.usage
        case .notPermitted: Failure.notPermitted
        case .readOnly, .locked, .full, .other: Failure.failure
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

extension ServerError {
    fileprivate var exitCode: Int32 {
        switch reason {
        case .cannotListen: Failure.deviceFailure
        case .forbiddenToken: Failure.notPermitted
        case .needsToken, .addressInUse, .socketInUse, .unreadableToken, .exposedToken, .weakToken:
            Failure.configuration
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
