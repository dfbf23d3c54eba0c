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
    /// Writes the error to standard error, and returns the exit code. Help and version, which are also errors, go to
    /// standard output.
    static func report(_ error: any Error) -> Int32 {
        if let code = exitCode(of: error) {
            if let error = error as? HistoryError, error.reason == .missing, let path = error.url?.path,
                !CommandLine.arguments.contains(where: { $0.hasPrefix("--history") || $0 == "live" })
            {
                Terminal.note(
                    "nothing is recorded yet: there is no \(path). Begin with “footfall live DEVICE” or “footfall "
                        + "analyze LOG --history \(path)”, or name another --history.")
                return code
            }
            Terminal.note(text(of: error).escaped)
            return code
        }
        let code = Main.exitCode(for: error)
        if code.isSuccess { Main.exit(withError: error) }
        // The argument parser prefixes its errors with “Error: ”. The message of an exit code is empty.
        let message = Main.fullMessage(for: error)
        let label = "Error: "
        if let problem = CommandLineProblem.text(of: Array(CommandLine.arguments.dropFirst())) {
            Terminal.note(problem)
        } else if !message.isEmpty {
            let text = message.hasPrefix(label) ? String(message.dropFirst(label.count)) : message
            Terminal.note(CommandLineProblem.withoutFarSuggestion(text))
        }
        return code.rawValue
    }

    private static func exitCode(of error: any Error) -> Int32? {
        switch error {
        case let error as HistoryError:
            switch error.reason {
            case .missing: missingInput
            case .foreign, .damaged, .newerVersion, .malformed, .incomplete, .occupied: badData
            case .exists: cannotCreate
            case .unknownSource, .severalSources, .invalidSource, .tooManyBuckets, .unkept, .unknownMark: usage
            case .notPermitted: notPermitted
            case .readOnly, .locked, .full, .other: failure
            }
        case let error as TraceError:
            switch error.kind {
            case .unreadable: missingInput
            case .notPermitted: notPermitted
            case .badData: badData
            }
        case let error as EvaluationError:
            switch error.reason {
            case .unreadable: missingInput
            case .notPermitted: notPermitted
            case .malformed: badData
            }
        case let error as FileError:
            switch error.access {
            case .reading, .missingFolder: missingInput
            case .writing: failure
            case .notPermitted: notPermitted
            case .replacing, .replacingForeign: cannotCreate
            }
        case let error as ServerError:
            switch error.reason {
            case .cannotListen: deviceFailure
            case .forbiddenToken: notPermitted
            case .needsToken, .addressInUse, .socketInUse, .unreadableToken, .exposedToken, .weakToken: configuration
            }
        case let error as DeviceError:
            switch error.reason {
            case .notPermitted: notPermitted
            case .malformedAddress, .unknownBaud: usage
            case .notADevice: configuration
            case .missing, .busy, .failed: deviceFailure
            }
        // The argument parser wraps the problems that it finds itself, and then adds the usage of the command.
        case is ValidationError, is SimulationError, is ResolvedRange.Empty: usage
        default: nil
        }
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
    /// The input, or the folder of an output, does not exist, or the input cannot be read (EX_NOINPUT).
    static let missingInput: Int32 = 66
    /// A file is in the place of an output (EX_CANTCREAT).
    static let cannotCreate: Int32 = 73
    /// A device cannot be opened, or an address is not there yet; a later attempt may succeed (EX_IOERR).
    static let deviceFailure: Int32 = 74
    /// The user has no permission for a file, a folder or a device (EX_NOPERM).
    static let notPermitted: Int32 = 77
    /// The server or the device cannot start as it is set up, until somebody changes that (EX_CONFIG).
    static let configuration: Int32 = 78

    /// The problem and its remedy. Libraries speak of parameters where the command has options.
    static func text(of error: any Error) -> String {
        switch error {
        case let error as ServerError: error.asOptions
        case let error as TraceError: error.message.asOptions
        case let error as DeviceError: error.asCommands
        case let error as FileError: error.asOptions
        case let error as SimulationError: error.asOptions
        default: "\(error)"
        }
    }
}

/// Problems of a command line for which the argument parser has no message, or a wrong one.
enum CommandLineProblem {
    /// The most letters that a misspelt word differs in.
    private static let mostTypos = 2

    /// The problem; nil for a command line that names known commands.
    static func text(of arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = Main.self
        var path: [String] = []
        for word in arguments where word != "help" || !path.isEmpty {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { break }
            guard let next = commands.first(where: { $0.word == word }) else {
                let topics = path.isEmpty && arguments.first == "help" ? HelpTopic.allCases.map(\.rawValue) : []
                return unknown(word, path, commands.map { $0.word } + topics)
            }
            command = next
            path.append(word)
        }
        // -o is the format of all results. These commands have none.
        let hasFile = command == Simulate.self || command == Report.self
        guard hasFile, arguments.contains(where: { $0.hasPrefix("-o") }) else { return nil }
        return "-o is the format of results, which \(path[0]) does not have. Name the file with --out."
    }

    private static func unknown(_ word: String, _ path: [String], _ known: [String]) -> String {
        let (kind, kinds) = path == ["query"] ? ("query", "queries") : ("command", "commands")
        let place = path.isEmpty || kind == "query" ? "" : " of \(path.joined(separator: " "))"
        let nearest = known.map { (name: $0, distance: distance(Array(word.prefix(40).lowercased()), Array($0))) }
            .min { $0.distance < $1.distance }
        let name = word.count > 40 ? word.prefix(40) + "…" : word
        if let nearest, isNear(nearest.distance, nearest.name) {
            return "no \(kind) '\(name)'\(place). Did you mean '\(nearest.name)'?"
        }
        return "no \(kind) '\(name)'\(place). The \(kinds) are \(known.joined(separator: ", "))."
    }

    /// A message of the argument parser without the suggestion of an option that differs in more than a few letters.
    static func withoutFarSuggestion(_ message: String) -> String {
        guard let match = message.firstMatch(of: /Unknown option '(.+?)'(\. Did you mean '(.+?)'\?)/) else {
            return message
        }
        let (word, option) = (match.output.1, match.output.3)
        guard !isNear(distance(Array(word), Array(option)), String(option)) else { return message }
        return message.replacing(match.output.2, with: ".", maxReplacements: 1)
    }

    /// Short words are all near each other: at most a third of the letters may differ.
    private static func isNear(_ distance: Int, _ word: String) -> Bool {
        distance <= mostTypos && distance * 3 <= word.drop { $0 == "-" }.count
    }

    /// The edit distance of Levenshtein (1966).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

extension ParsableCommand {
    /// The word that selects the command.
    static var word: String { configuration.commandName ?? "\(self)".lowercased() }
}
