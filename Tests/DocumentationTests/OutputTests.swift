import Foundation
import TestSupport
import Testing

@Suite("Output in the documentation")
struct OutputTests {
    /// A command that is shown with what it prints.
    struct Shown: Sendable, CustomStringConvertible {
        var arguments: [String]
        /// What follows it, up to the next command or the end of the block.
        var text: String
        var description: String { arguments.joined(separator: " ") }
    }

    /// The sessions of the README, command after command; what is drawn live depends on when one looks.
    private static let sessions = Document.pages.filter { $0.path == "README.md" }.flatMap(\.blocks).map(session)
        .filter { !$0.isEmpty && $0.first?.arguments.first != "live" }

    @Test("is what the command prints", arguments: sessions)
    func isPrinted(session: [Shown]) throws {
        let folder = try Folder()
        for shown in session {
            // Where the page writes into its folder, the test writes into one of its own.
            let arguments = shown.arguments.map { $0.hasSuffix(".sqlite") ? folder.url.appending(path: $0).path : $0 }
            let output = try footfall(arguments, in: Document.root).output
            #expect(!output.isEmpty && shown.text.hasPrefix(output), "\(shown) prints\n\(output)")
        }
    }

    @Test("is there")
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
