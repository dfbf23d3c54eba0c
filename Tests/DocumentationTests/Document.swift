import Foundation
import TestSupport
import Testing

/// A page of the documentation, or the doc comments of a source.
struct Document: CustomTestStringConvertible {
    /// A fenced block.
    struct Block: CustomStringConvertible, CustomTestStringConvertible {
        /// The file and the line of its first line, counted from 1.
        var place: String
        var language: String
        var lines: [String]

        var description: String { "\(place):\n\(lines.joined(separator: "\n"))" }
        var testDescription: String { place }
    }

    let path: String
    /// The lines. In a source, all lines but doc comments are empty, so that line numbers are right.
    let lines: [String]

    var testDescription: String { path }

    static let root = PackageFolder.url

    /// The pages: the README, CONTRIBUTING and all articles.
    static let pages: [Document] = files(in: ".", ending: ".md")
    /// The sources with their doc comments.
    static let sources: [Document] = files(in: "Sources", ending: ".swift")
    /// The sources of the tests, which are compiled.
    static let tests: [Document] = files(in: "Tests", ending: ".swift")

    /// The fenced blocks, in order.
    var blocks: [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (number, line) in zip(1..., lines) {
            guard line.hasPrefix("```") else {
                open?.lines.append(line)
                continue
            }
            if let block = open {
                blocks.append(block)
                open = nil
            } else {
                open = Block(place: "\(path):\(number + 1)", language: String(line.dropFirst(3)), lines: [])
            }
        }
        return blocks
    }

    private init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.lines = path.hasPrefix("Sources") && path.hasSuffix(".swift") ? lines.map(Self.docComment) : lines
    }

    private static func docComment(_ line: String) -> String {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("/// ") ? String(text.dropFirst(4)) : ""
    }

    /// All files below a folder, without hidden ones and build products.
    private static func files(in folder: String, ending: String) -> [Document] {
        let entries = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        var documents: [Document] = []
        while let entry = entries?.nextObject() as? String {
            if entry.hasPrefix(".") {
                entries?.skipDescendants()
            } else if entry.hasSuffix(ending),
                let document = try? Document(folder == "." ? entry : "\(folder)/\(entry)")
            {
                documents.append(document)
            }
        }
        return documents.sorted { $0.path < $1.path }
    }
}
