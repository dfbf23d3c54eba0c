import Foundation
import TestSupport
import Testing

/// The manual pages, written from the help of the command.
@Suite("The manual")
struct ManualTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    @Test("has a page of each command, with its options and exit codes, under a name that whatis finds")
    func pages() throws {
        let folder = try Folder()
        let pages = folder.url.appending(path: "man")
        let script = Self.root.appending(path: "Documentation/manual.py").path
        _ = try shell("python3 '\(script)' '\(executable.path)' '\(pages.path)'")
        let names = try FileManager.default.contentsOfDirectory(atPath: pages.path)
        #expect(names.contains("footfall.1") && names.contains("footfall-history-check.1") && names.count > 20)
        for name in names {
            let page = try String(contentsOf: pages.appending(path: name), encoding: .utf8)
            let title = name.dropLast(2).replacing("-", with: "\\-")
            #expect(page.contains(".SH NAME\n\(title) \\- "), "\(name)")
            guard !name.hasPrefix("footfall-help-") else { continue }
            #expect(page.contains(".SH OPTIONS\n") && page.contains(".SH EXIT STATUS\n"), "\(name)")
        }
        let units = try String(contentsOf: pages.appending(path: "footfall-help-units.1"), encoding: .utf8)
        #expect(units.contains("\n  \\-\\-unit UNIT\n"))
        let query = try String(contentsOf: pages.appending(path: "footfall-query-steps.1"), encoding: .utf8)
        #expect(query.contains("\\fB\\-S\\fR, \\fB\\-\\-since\\fR \\fItime\\fR\n"))
    }

    @Test("states the exit codes of the source")
    func codes() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        }
        let source = try text("Sources/FootfallCommand/FailureReport.swift")
        let codes = source.matches(of: /static let \w+: Int32 = (\d+)/).map { String($0.1) }
        let manual = try text("Documentation/manual.py")
        let stated = manual.matches(of: /\n    (\d+): "/).map { String($0.1) }
        #expect(codes.count > 8 && stated.filter { !["0", "130", "143"].contains($0) } == codes)
    }
}
