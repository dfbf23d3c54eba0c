import ArgumentParser

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
    fileprivate static var word: String { configuration.commandName ?? "\(self)".lowercased() }
}
