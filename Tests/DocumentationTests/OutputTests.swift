import Foundation
import TestSupport
import Testing

@Suite("Output in the documentation")
struct OutputTests {
    /// A command line with its output.
    struct Shown: Sendable, CustomStringConvertible {
        var arguments: [String]
        /// The text up to the next command or the end of the block.
        var text: String
        var description: String { arguments.joined(separator: " ") }
    }

    /// The sessions of the README, each a series of commands. The output of `live` depends on the time, so it is left
    /// out.
    private static let sessions = Document.pages.filter { $0.path == "README.md" }.flatMap(\.blocks).map(session)
        .filter { !$0.isEmpty && $0.first?.arguments.first != "live" }

    @Test("equals the output of the command", arguments: sessions)
    func isPrinted(session: [Shown]) throws {
        let folder = try Folder()
        for shown in session {
            // A history of the page is a file in a temporary folder.
            let arguments = shown.arguments.map { $0.hasSuffix(".sqlite") ? folder.url.appending(path: $0).path : $0 }
            let run = try footfall(arguments, in: Document.root)
            let output = run.output
            #expect(run.status == 0)
            // An empty line, or the line of the demo, may follow.
            let rest = shown.text.dropFirst(output.count).trimmingCharacters(in: .newlines)
            #expect(
                !output.isEmpty && shown.text.hasPrefix(output) && (rest.isEmpty || rest == Self.demo),
                "\(shown) prints\n\(output)")
        }
    }

    /// The last line of the demo.
    private static let demo = try? {
        let run = try Run(Document.root.appending(path: "Demo/run.sh"), [executable.path])
        return run.output.split(separator: "\n").last.map(String.init)
    }()

    @Test("is found")
    func isThere() {
        #expect(Self.sessions.contains { $0.count == 2 })
    }

    private static func session(of block: Document.Block) -> [Shown] {
        block.lines.reduce(into: []) { session, line in
            if line.hasPrefix("$ footfall ") {
                session.append(Shown(arguments: line.split(separator: " ").dropFirst(2).map(String.init), text: ""))
            } else if !session.isEmpty {
                session[session.count - 1].text += line + "\n"
            }
        }
    }
}
