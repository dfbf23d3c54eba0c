import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import FootfallCommand

@Suite("Command lines in the documentation")
struct CommandLineTests {
    private static let shown =
        Document.pages.flatMap { page in
            page.blocks.filter { $0.language.isEmpty }.flatMap { block in
                block.lines.compactMap { Shown($0, at: block.place) }
            } + page.spans.compactMap { Shown($0, at: page.path, isWhole: false) }
        }

    private static let helped = commands(of: Main.self).flatMap { command in
        command.configuration.discussion.split(separator: "\n").compactMap {
            $0.hasPrefix("  footfall ") ? Shown(String($0), at: "the help of \(command._commandName)") : nil
        }
    }

    @Test("are valid", arguments: shown + helped)
    func areValid(line: Shown) {
        do {
            _ = try Main.parseAsRoot(line.arguments)
        } catch {
            // Running text may contain a command without its arguments.
            let message = Main.message(for: error)
            let isName = message.hasPrefix("Missing expected argument") || message.hasPrefix("Name a ")
            #expect(Main.exitCode(for: error) == .success || !line.isWhole && isName, "\(line): \(message)")
        }
    }

    @Test("are in the help of every command", arguments: commands(of: Main.self).map { $0._commandName })
    func examples(command: String) {
        #expect(Self.shown.count > 40)
        let lines = Self.helped.filter { $0.place == "the help of \(command)" }
        #expect(!lines.isEmpty, "the help of \(command) shows no example")
    }

    @Test("are in ASCII, for the manual pages", arguments: commands(of: Main.self).map { $0._commandName })
    func manual(command: String) {
        let named = Self.commands(of: Main.self).filter { $0._commandName == command }
        #expect(!named.isEmpty)
        for help in named.map({ Main.helpMessage(for: $0) }) {
            #expect(help.split(separator: "\n").filter { !$0.allSatisfy(\.isASCII) } == [])
        }
    }

    @Test("fit a screen of 60 lines", arguments: commands(of: Main.self).map { $0._commandName })
    func length(command: String) {
        for help in Self.commands(of: Main.self).filter({ $0._commandName == command }) {
            let text = Main.helpMessage(for: help, columns: 80).trimmingCharacters(in: .newlines)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 60, "the help of \(command) has \(lines.count) lines")
        }
    }

    @Test("of help have the topics, in ASCII, in lines of 80 columns", arguments: HelpTopic.allCases)
    func topic(topic: HelpTopic) throws {
        let lines = topic.page.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 70 && lines.allSatisfy { $0.count <= 80 && $0.allSatisfy(\.isASCII) }, "\(topic.page)")
        let manual = try String(contentsOf: Document.root.appending(path: "Documentation/manual.py"), encoding: .utf8)
        #expect(manual.contains("\"\(topic.rawValue)\""))
        let run = try footfall("help", topic.rawValue)
        #expect(run.status == 0 && run.output == topic.page + "\n")
    }

    private static func commands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(of: $0) }
    }
}

/// A command line in the documentation.
struct Shown: Sendable, CustomStringConvertible {
    var place: String
    var arguments: [String]
    /// Whether the command line is complete.
    var isWhole: Bool

    var description: String { "\(place): footfall \(arguments.joined(separator: " "))" }

    /// Finds the call of `footfall` in a line of shell; nil without one.
    init?(_ line: String, at place: String, isWhole: Bool = true) {
        var words = [""]
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if quote == nil, character == " " || character == "=" && words.last == "ExecStart" {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        words.removeAll { $0.isEmpty }
        guard let command = words.firstIndex(where: { $0 == "footfall" || $0.hasSuffix("/footfall") }) else {
            return nil
        }
        // The path of the command may also be an argument of another command.
        let isCall = command == 0 || ["$", "|", "ExecStart", "-g"].contains(words[command - 1])
        let arguments = words[(command + 1)...].prefix { !["|", ">", "#", "&&"].contains($0) }
        guard isCall, !arguments.isEmpty else { return nil }
        self.place = place
        self.arguments = Array(arguments)
        self.isWhole = isWhole
    }
}

extension Document {
    /// The code spans of running text that begin with `footfall `.
    fileprivate var spans: [String] {
        lines.flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("footfall ") }.map { String($0.element) }
        }
    }
}
