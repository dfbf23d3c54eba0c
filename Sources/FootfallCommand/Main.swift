import ArgumentParser
import FootfallAnswers
import FootfallDevices
import FootfallEvaluation
import FootfallHistory
import FootfallServer
import FootfallSimulator
import FootfallTraces
import FootfallWire
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
            Analyze.self, Summarize.self, Live.self, Devices.self, Query.self, Report.self, Serve.self, History.self,
            Simulate.self, Evaluate.self, Columns.self,
        ]
    )

    static func main() {
        Interruption.install()
        // On Linux the standard library reads the arguments from /proc.
        guard CommandLine.argc > 0 else {
            Terminal.note("footfall: the arguments cannot be read. Mount /proc: mount -t proc proc /proc")
            Foundation.exit(Failure.failure)
        }
        // Names of files may not be UTF-8.
        let arguments = (1..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
            .map { FilePath.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        do {
            if arguments.first == "help", let problem = CommandLineProblem.text(of: Array(arguments.dropFirst())) {
                throw ValidationError(problem)
            }
            var command = try parseAsRoot(arguments)
            try check(arguments, of: command)
            try command.run()
        } catch {
            Foundation.exit(Failure.report(error))
        }
    }
}

extension Main {
    /// Refuses names that are not UTF-8, except those of sensor logs: results would have other names than these.
    private static func check(_ arguments: [String], of command: any ParsableCommand) throws {
        let replay = (command as? Live)?.replay
        let logs = (command as? Analyze)?.traces ?? replay.map { [$0, "--replay=" + $0] } ?? []
        var rest = logs[...]
        for argument in arguments where !FilePath.isUTF8(argument) {
            guard let index = rest.firstIndex(of: argument) else { throw notUTF8(argument) }
            rest.remove(at: index)
        }
    }

    private static func notUTF8(_ name: String) -> ValidationError {
        ValidationError(
            "\(name): the name is not UTF-8, which only the name of a sensor log may be. Use a name in UTF-8.")
    }
}

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
