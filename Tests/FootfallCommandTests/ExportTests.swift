import Foundation
import TestSupport
import Testing

@Suite("Copies of a history")
struct ExportTests {
    /// A history of two sources with gaps, time zones and expired events.
    private static func rich() throws -> RecordedHistory {
        let history = try RecordedHistory("gaps", start: "2026-11-01T08:00:00Z", source: "Ärmel, links")
        try history.record("commute", start: "2026-11-14T08:00:00Z", source: "wrist", tz: "Europe/Berlin")
        try history.record("walk-wrist", start: "2026-11-18T20:00:00Z", source: "wrist", tz: "Asia/Tokyo")
        try history.record("gaps", start: "2026-11-21T08:05:00Z", source: "wrist", tz: "Europe/Berlin")
        return history
    }

    @Test("are equal byte for byte and have the same answers")
    func roundTrip() throws {
        let history = try Self.rich()
        let export = try history.manage("export")
        #expect(export.status == 0 && export.errors.isEmpty)
        let copy = try RecordedHistory()
        let file = try copy.folder.write("copy.ndjson", export.output)
        #expect(try copy.manage("import", file).status == 0)
        #expect(try copy.manage("export").output == export.output)
        for question in [["steps", "--by", "hour"], ["activities"], ["summary"]] {
            for source in ["wrist", "Ärmel, links"] {
                let arguments = question + ["--source", source, "-o", "json"]
                #expect(try copy.query(arguments).output == history.query(arguments).output)
            }
        }
        // A second import changes nothing.
        let again = try shell("'\(executable.path)' history import - --history '\(copy.path)' < '\(file)'")
        #expect(again.status == 0)
        #expect(try copy.manage("export").output == export.output)
    }

    @Test("can be of one source")
    func oneSource() throws {
        let history = try Self.rich()
        let copy = try RecordedHistory.walk()
        let file = try copy.folder.write("copy.ndjson", history.manage("export", "--source", "Ärmel, links").output)
        let before = try copy.records("steps")
        #expect(try copy.manage("import", file, "-o", "json").records().integers("recorded")[0] > 100)
        #expect(try copy.records("steps", "--source", "wrist").integers("steps") == before.integers("steps"))
        #expect(try copy.records("steps", "--source", "Ärmel, links").integers("steps")[0] > 100)
        let unknown = try history.manage("export", "--source", "ankle")
        #expect(unknown.status == 64 && unknown.output.isEmpty)
    }

    @Test("have the retention of the original or the one in --keep")
    func retention() throws {
        let history = try RecordedHistory("walk-wrist", start: "2026-11-01T08:00:00Z")
        try history.record("walk-wrist", start: "2026-11-21T08:00:00Z", source: "wrist", tz: "UTC", "--keep", "30d")
        try history.record("walk-wrist", start: "2026-11-01T08:00:00Z")
        let file = try history.folder.write("copy.ndjson", history.manage("export").output)
        let steps = try history.records("steps").integers("steps")[0]
        let copy = try RecordedHistory()
        #expect(try copy.manage("import", file).errors.isEmpty)
        #expect(try copy.records("steps").integers("steps") == [steps])
        #expect(try copy.manage("info").output.contains("30 days"))
        let week = try RecordedHistory()
        #expect(try week.manage("import", file, "--keep", "7d").status == 0)
        #expect(try week.records("steps").integers("steps") == [steps / 2])
        #expect(try week.manage("info").output.contains("7 days"))
    }

    @Test("that are damaged are rejected as a whole, with the line")
    func malformed() throws {
        let history = try RecordedHistory.walk()
        let export = try history.manage("export").output
        let lines = export.split(separator: "\n").map(String.init)
        for (index, line) in [
            (0, "{\"version\":99}"), (3, "{\"start\":1"), (4, "{\"start\":5,\"end\":5}"), (2, "nonsense"),
        ] {
            var damaged = lines
            damaged[index] = line
            let file = try history.folder.write("damaged.ndjson", damaged.joined(separator: "\n"))
            let run = try history.manage("import", file)
            #expect(run.status == 65 && run.output.isEmpty)
            #expect(run.errors.contains("damaged.ndjson: line \(index + 1) "), "\(run.errors)")
            #expect(try history.manage("export").output == export)
        }
        #expect(try history.manage("import", "/nowhere/copy.ndjson").status == 66)
    }
}
