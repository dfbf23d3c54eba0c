import Foundation
import TestSupport
import Testing

@Suite("The page of promises")
struct PromiseTests {
    @Test("names for each promise tests that exist")
    func tests() throws {
        let page = PackageFolder.url.appending(
            path: "Sources/FootfallHistory/FootfallHistory.docc/Promises.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| promise")
        }
        #expect(rows.count > 20)
        for row in rows {
            let cell = row.split(separator: "|").last ?? ""
            let names = cell.split(separator: "`").filter { $0.contains("/") }
            #expect(!names.isEmpty, "\(row)")
            for name in names { #expect(try exists(String(name)), "there is no test \(name)") }
        }
    }

    /// Whether there is a test of the form TARGET/SUITE.FUNCTION, or Soak/SCRIPT.py.FUNCTION.
    private func exists(_ name: String) throws -> Bool {
        let parts = name.split(separator: ".")
        guard let function = parts.last, parts.count > 1 else { return false }
        let file = name.dropLast(function.count + 1)
        let isScript = file.hasSuffix(".py")
        let url = PackageFolder.url.appending(path: "Tests/\(file)\(isScript ? "" : ".swift")")
        let suites = try FileManager.default.contentsOfDirectory(
            at: url.deletingLastPathComponent(), includingPropertiesForKeys: nil)
        // A file may hold several suites.
        let suite = url.deletingPathExtension().lastPathComponent
        return suites.contains { file in
            guard isScript ? file == url : file.pathExtension == "swift",
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { return false }
            return isScript
                ? text.contains("def \(function)(")
                : text.contains("struct \(suite) {") && text.contains("func \(function)(")
        }
    }
}
