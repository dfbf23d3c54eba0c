import Foundation
import Testing

@Suite("Links in the documentation")
struct LinkTests {
    @Test("to files lead to one", arguments: Document.pages.filter { !$0.path.contains(".docc") })
    func files(page: Document) throws {
        let folder = Document.root.appending(path: page.path).deletingLastPathComponent()
        let text = page.lines.joined(separator: "\n")
        for match in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
            let target = folder.appending(path: String(match.1)).path
            #expect(FileManager.default.fileExists(atPath: target), "\(page.path) links to \(match.1)")
        }
    }
}
