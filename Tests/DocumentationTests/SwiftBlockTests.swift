import Foundation
import Testing

@Suite("Swift in the documentation")
struct SwiftBlockTests {
    private static let blocks = (Document.pages + Document.sources).flatMap(\.blocks).filter { $0.language == "swift" }

    @Test("is word for word in a test", arguments: blocks)
    func isCompiled(block: Document.Block) {
        #expect(Document.tests.contains { $0.compiles(block) }, "no test has the code of \(block)")
    }

    @Test("is found only unchanged")
    func isFound() {
        #expect(Self.blocks.count > 40)
        let block = Document.Block(
            place: "", language: "swift", lines: ["import Foundation", "", "@Test(\"is found only unchanged\")"])
        #expect(Document.tests.contains { $0.compiles(block) })
        for lines in [["import Nothing", "", "import Testing"], ["func isFound() {", "}"], ["unc isFound() {"]] {
            let changed = Document.Block(place: "", language: "swift", lines: lines)
            #expect(!Document.tests.contains { $0.compiles(changed) })
        }
    }
}

extension Document {
    /// Whether a block is part of this source, all of it indented alike; modules that it imports first may be imported
    /// anywhere.
    fileprivate func compiles(_ block: Block) -> Bool {
        let imports = block.lines.prefix { $0.hasPrefix("import ") || $0.isEmpty }.filter { !$0.isEmpty }
        let code = block.lines.dropFirst(imports.isEmpty ? 0 : imports.count + 1)
        guard imports.allSatisfy(lines.contains), let first = code.first else { return false }
        return lines.indices.contains { start in
            guard lines[start].hasSuffix(first), start + code.count <= lines.count else { return false }
            let indent = lines[start].dropLast(first.count)
            return indent.allSatisfy { $0 == " " }
                && zip(lines[start...], code).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
        }
    }
}
