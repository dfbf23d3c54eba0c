import Foundation
import TestSupport
import Testing

@Suite("The sessions of the README")
struct OutputTests {
    /// A command line with the output that the page prints; nil for one of a block without output.
    struct Shown: CustomStringConvertible {
        var arguments: [String]
        /// The text up to the next command or the end of the block.
        var text: String?
        var description: String { arguments.joined(separator: " ") }
    }

    /// The commands in their order. A command that needs a sensor is left out.
    private static let commands = Document.pages.filter { $0.path == "README.md" }
        .flatMap { page in page.blocks.filter { $0.language.isEmpty }.flatMap(commands) }
        .filter { !$0.arguments.contains { $0.hasPrefix("/dev/") } }

    @Test("runs in an empty folder, and prints what the page shows")
    func isPrinted() throws {
        let folder = try Folder()
        for shown in Self.commands {
            // The view of a replay has a test of its own; here it need not take minutes.
            let isLive = shown.arguments.first == "live"
            let run = try footfall(
                isLive ? shown.arguments.map { $0 == "5" ? "max" : $0 } : shown.arguments, in: folder.url)
            #expect(run.status == 0, "\(shown): \(run.errors)")
            guard let text = shown.text, !isLive else { continue }
            let rest = text.dropFirst(run.output.count).trimmingCharacters(in: .newlines)
            #expect(text.hasPrefix(run.output) && rest.isEmpty, "\(shown) prints\n\(run.output)")
        }
    }

    @Test("are found")
    func areThere() {
        #expect(Self.commands.count { $0.text?.isEmpty == false } == 4)
        #expect(Self.commands.contains { $0.arguments.starts(with: ["simulate", "day"]) })
    }

    private static func commands(of block: Document.Block) -> [Shown] {
        block.lines.reduce(into: []) { commands, line in
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("$ footfall ") {
                commands.append(Shown(arguments: Array(words.dropFirst(2)), text: ""))
            } else if line.hasPrefix("footfall ") {
                commands.append(Shown(arguments: Array(words.dropFirst())))
            } else if !commands.isEmpty {
                commands[commands.count - 1].text?.append(line + "\n")
            }
        }
    }
}
