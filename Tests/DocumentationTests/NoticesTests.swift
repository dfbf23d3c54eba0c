import Foundation
import TestSupport
import Testing

@Suite("make install")
struct NoticesTests {
    @Test("carries the license of each dependency, library and runtime that is linked")
    func notices() throws {
        let folder = try Folder()
        let script = PackageFolder.url.appending(path: "Documentation/notices.sh").path
        let checkouts = PackageFolder.url.appending(path: ".build/checkouts").path
        let run = try shell("'\(script)' '\(checkouts)' '\(folder.path("notices"))'")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let manifest = try String(contentsOf: PackageFolder.url.appending(path: "Package.swift"), encoding: .utf8)
        let packages = manifest.matches(of: #/\.package\(url: "[^"]*\/([^"\/]+?)(\.swift)?", /#)
            .map { String($0.output.1) }
        #expect(packages.count >= 3)
        for name in packages + ["Footfall", "Swift", "ICU", "libgsl", "libsqlite3", "zlib1g"] {
            #expect(try folder.text("notices/" + name).count > 70, "\(name)")
        }
        let makefile = try String(contentsOf: PackageFolder.url.appending(path: "Makefile"), encoding: .utf8)
        #expect(makefile.contains("Documentation/notices.sh .build/checkouts"))
    }
}
