import ArgumentParser
import FootfallReaders
import Foundation

/// The `footfall` command.
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "footfall",
        abstract: "Steps and activities from an accelerometer.",
        discussion: """
            Detects steps and activities in sensor logs and live sensors, records them in a seven-day history, and answers \
            queries about any time range of it. 'footfall help cut-points', 'units' and 'recording' describe options that several \
            commands have.

              footfall analyze walk.csv
              footfall analyze walk.csv --history steps.sqlite --source wrist
              footfall live /dev/ttyUSB0
              footfall query steps --history steps.sqlite --by hour
              footfall report --history steps.sqlite --out report.html
            """,
        version: Release.version,
        subcommands: [
            Analyze.self, Summarize.self, Live.self, Devices.self, Query.self, Report.self, Serve.self,
            MarkCommand.self, History.self, Simulate.self, Evaluate.self, Columns.self,
        ]
    )

    static func main() {
        openClosedStreams()
        Interruption.install()
        // On Linux the standard library reads the arguments from /proc.
        guard CommandLine.argc > 0 else {
            Terminal.note("the arguments cannot be read. Mount /proc: mount -t proc proc /proc")
            Foundation.exit(Failure.failure)
        }
        // Names of files may not be UTF-8.
        let arguments = (1..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
            .map { FilePath.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
            .joiningNegativeValues
        do {
            if arguments.first == "help", let word = arguments.dropFirst().first {
                if let topic = HelpTopic(rawValue: word) {
                    if let more = arguments.dropFirst(2).first {
                        throw ValidationError("Unexpected argument '\(more)'")
                    }
                    return Terminal.out(topic.page + "\n")
                }
                if let problem = CommandLineProblem.text(of: arguments) { throw ValidationError(problem) }
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
    /// Opens /dev/null for each standard stream that is closed. Otherwise the next file takes its number, and a message
    /// goes into a history. Reading from these streams and writing to them fails, as before.
    private static func openClosedStreams() {
        let modes = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        for (stream, mode) in modes where fcntl(stream, F_GETFD) < 0 { _ = open("/dev/null", mode) }
    }

    /// Refuses empty names, which would stand for the current folder; `-`, which stands for no folder and no file that
    /// is read again; and names that are not UTF-8, except those of sensor logs: results would have other names than
    /// these.
    private static func check(_ arguments: [String], of command: any ParsableCommand) throws {
        // Behind -- nothing is an option.
        let options = arguments.prefix { $0 != "--" }
        let emptyOption = options.firstIndex { $0.isEmpty || $0.wholeMatch(of: /--[a-z-]+=/) != nil }
        if let index = emptyOption ?? arguments.firstIndex(of: "") {
            let option = arguments[index].isEmpty ? arguments[..<index].last ?? "" : String(arguments[index].dropLast())
            let place = index < options.endIndex && option.hasPrefix("--") ? "the value of \(option)" : "a name"
            throw ValidationError("\(place) is empty. Write a name, or leave it out.")
        }
        let places = ["--tables", "--history", "--record"] + (command is Summarize ? ["--out"] : [])
        let pairs = zip(options, options.dropFirst()).map { $0 + "=" + $1 } + options
        if let pair = pairs.first(where: { pair in places.contains { pair == $0 + "=-" } }) {
            throw ValidationError(
                "\(pair): this cannot go to standard output. Name a place, or write ./- for this name.")
        }
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

extension [String] {
    /// The arguments with each negative value joined to its option, such as `--tz=-03:00` for `--tz -03:00`, and with
    /// other words such as `-3.csv` behind `--`. The argument parser takes both for options, but none begins with a
    /// digit.
    fileprivate var joiningNegativeValues: [String] {
        let options = prefix { $0 != "--" }
        var (joined, words): ([String], [String]) = ([], [])
        for argument in options {
            if argument.prefixMatch(of: /-\.?[0-9]/) == nil {
                joined.append(argument)
            } else if let option = joined.last, takesValue(option) {
                joined[joined.count - 1] += "=" + argument
            } else {
                words.append(argument)
            }
        }
        let rest = self[options.endIndex...]
        return joined + (words.isEmpty ? rest : ["--"] + words + rest.dropFirst())
    }

    /// Whether an option of the command takes a value. Its help then shows one, as in `-o, --output <output>`.
    private func takesValue(_ option: String) -> Bool {
        guard option.wholeMatch(of: /--?[a-zA-Z-]+/) != nil else { return false }
        let command = reduce(Main.self as any ParsableCommand.Type) { command, word in
            command.configuration.subcommands.first { $0.word == word } ?? command
        }
        let line = "(?m)^  ([^<\n]*, )?\(option)(, [^<\n]*)? <"
        return Main.helpMessage(for: command).range(of: line, options: .regularExpression) != nil
    }
}

/// The released version of the command.
enum Release {
    static let version = "0.1.0"
}
