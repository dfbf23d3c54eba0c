import Foundation
import TestSupport
import Testing

@Suite("analyze --plot")
struct PlotTests {
    private static let walk = PackageFolder.trace("walk-wrist").path
    private static let stroll = PackageFolder.trace("stroll-hip").path

    @Test("writes a picture in addition to the usual output")
    func picture() throws {
        let folder = try Folder()
        let file = folder.path("walk.svg")
        let run = try footfall("analyze", Self.walk, "--output", "json", "--plot", file)
        #expect(run.status == 0 && run.errors == "")
        let steps = try #require(run.records().first?["steps"] as? Int)
        let svg = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.contains(">walk-wrist.csv</title>") && svg.contains("\(steps) steps in"))
        #expect(svg.contains("elapsed time"))
        let plain = try footfall("analyze", Self.walk, "--output", "json")
        #expect(plain.output == run.output)
    }

    @Test("a trace with dates has a time axis in the chosen zone")
    func dates() throws {
        let folder = try Folder()
        let file = folder.path("walk.svg")
        let start = "2026-11-20T23:59:00+01:00"
        let run = try footfall("analyze", Self.walk, "--start", start, "--tz", "Europe/Berlin", "--plot", file)
        #expect(run.status == 0)
        let svg = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(svg.contains("time of day (Europe/Berlin)") && svg.contains(">21\u{A0}Nov\u{A0}2026<"))
    }

    @Test("a picture includes batches whose samples all have the same time")
    func burst() throws {
        let folder = try Folder()
        let pictures = try ["1", "5"].map { acceleration in
            // Times in whole seconds. Each second has more rows than a batch.
            let rows = (0..<20_000).map { "\($0 / 5000),0.01,0.0\($0 % 10),\($0 == 100 ? acceleration : "1")\n" }
            let log = folder.path("burst.csv")
            try Data(("time,x,y,z\n" + rows.joined()).utf8).write(to: URL(filePath: log))
            #expect(try footfall("analyze", log, "--plot", folder.path("burst.svg")).status == 0)
            return try String(contentsOf: URL(filePath: folder.path("burst.svg")), encoding: .utf8)
        }
        #expect(pictures[0] != pictures[1])
    }

    @Test("several traces are a usage error")
    func several() throws {
        let folder = try Folder()
        let run = try footfall("analyze", Self.walk, Self.stroll, "--plot", folder.path("walk.svg"))
        #expect(run.status == 64 && run.output == "" && run.errors.contains("--plot draws one trace, not 2"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("walk.svg")))
    }

    @Test("a picture that cannot be written is an error in one line")
    func unwritable() throws {
        let run = try footfall("analyze", Self.walk, "--plot", "/nowhere/at/all/walk.svg")
        #expect(run.status == 66 && run.errors.hasPrefix("footfall: /nowhere/at/all/walk.svg: cannot be written"))
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
