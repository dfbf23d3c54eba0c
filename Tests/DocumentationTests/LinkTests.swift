import Foundation
import Testing

@Suite("Links in the documentation")
struct LinkTests {
    /// The pages with links to files, and these links. DocC checks the links of its own pages.
    private static let linked = Document.pages.filter { !$0.path.contains(".docc") }
        .map { page in
            (page, page.lines.joined(separator: "\n").matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/).map { String($0.1) })
        }
        .filter { !$0.1.isEmpty }

    @Test("have files as targets", arguments: linked)
    func files(page: Document, links: [String]) throws {
        let folder = Document.root.appending(path: page.path).deletingLastPathComponent()
        for link in links {
            let target = folder.appending(path: link).path
            #expect(FileManager.default.fileExists(atPath: target), "\(page.path) links to \(link)")
        }
    }

    /// The pages with pictures, and their files. DocC finds a file beside its page by the same name.
    private static let illustrated = Document.pages
        .map { page in
            (page, page.lines.joined(separator: "\n").matches(of: /!\[[^\]]*\]\(([^):]+)\)/).map { String($0.1) })
        }
        .filter { !$0.1.isEmpty }

    @Test("of pictures have files wherever the page is read", arguments: illustrated)
    func pictures(page: Document, names: [String]) {
        let folder = Document.root.appending(path: page.path).deletingLastPathComponent()
        for name in names {
            let picture = folder.appending(path: name).path
            #expect(FileManager.default.fileExists(atPath: picture), "\(page.path) shows \(name)")
        }
    }

    @Test("are found")
    func areFound() {
        #expect(Self.linked.contains { page, links in page.path == "README.md" && links.count > 5 })
    }
}
