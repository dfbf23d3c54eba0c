import Foundation
import TestSupport
import Testing

@Suite("Times ahead of the clock")
struct LeapTests {
    /// A log of the shipped walk from 20 November 2026, 08:00 UTC, with more rows.
    private static func log(in folder: Folder, rows: [String] = []) throws -> String {
        let start = 1_795_161_600.0
        let text = try String(contentsOfFile: RecordedHistory.trace("walk-wrist"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        let dated = lines.dropFirst().map { line in
            let cells = line.split(separator: ",", maxSplits: 1)
            return "\(String(format: "%.3f", start + (Double(cells[0]) ?? 0))),\(cells[1])"
        }
        return try folder.write("walk.csv", (["time,x,y,z"] + dated + rows).joined(separator: "\n"))
    }

    @Test("two rows from 2099 cost these two rows, and the exit code states it")
    func twoRows() throws {
        let history = try RecordedHistory()
        let plain = try footfall(
            "analyze", Self.log(in: history.folder), "--history", history.path, "--source", "wrist")
        #expect(plain.status == 0)
        let before = try history.manage("export").output
        for seconds in [0.02, 100] {
            let rows = [0, seconds].map { "\(4_070_908_800 + $0),0,0,1" }
            let log = try Self.log(in: history.folder, rows: rows)
            let run = try footfall("analyze", log, "--history", history.path, "--source", "wrist")
            #expect(run.status == 65 && run.errors.contains("2 samples are more than 7 days ahead"), "\(run)")
            #expect(run.output.contains("leapt"), "\(run)")
        }
        #expect(try history.manage("export").output == before)
    }

    @Test("a trace that starts in 2099 is set aside without --accept-future, and leaves everything else")
    func future() throws {
        let history = try RecordedHistory.walk()
        let before = try history.manage("export").output
        let run = try history.record("walk-wrist", start: "2099-01-01")
        #expect(run.status == 65 && run.errors.contains("ahead of the clock (up to 2099-01-01"), "\(run)")
        #expect(run.errors.contains("--accept-future"))
        #expect(try history.manage("export").output == before)
        let replay = try footfall(
            "live", "--replay", RecordedHistory.trace("walk-wrist"), "--start", "2099-01-01", "--speed", "max",
            "--history", history.path, "--source", "wrist", "--tz", "UTC")
        #expect(replay.status == 65 && replay.errors.contains("--accept-future"), "\(replay)")
        #expect(try history.manage("export").output == before)

        let accepted = try history.record(
            "walk-wrist", start: "2099-01-01", source: "wrist", tz: "UTC", "--accept-future")
        #expect(accepted.status == 0)
        let export = try history.manage("export").output
        #expect(export != before)
        // An import of it is set aside in the same way.
        let copy = try RecordedHistory.walk()
        let imported = try copy.manage("import", copy.folder.write("copy.ndjson", export))
        #expect(imported.status == 65 && imported.errors.contains("--accept-future"), "\(imported)")
        #expect(try copy.manage("export").output == before)
        // Deleting the leap brings back what it made old.
        #expect(try history.manage("delete", "--source", "wrist", "--since", "2098-12-01").status == 0)
        #expect(try history.manage("export").output == before)
    }

    @Test("two rows less than seven days ahead hide nothing; the line names --accept-leap and the deletion")
    func strayRows() throws {
        let history = try RecordedHistory.walk()
        let total = try history.records("steps").integers("steps")[0]
        // A walk four days later, then two rows another six days later.
        let start = 1_795_161_600 + 4 * 86400
        let text = try String(contentsOfFile: RecordedHistory.trace("walk-wrist"), encoding: .utf8)
        let rows = text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: ",", maxSplits: 1)
            return "\(String(format: "%.3f", Double(start) + (Double(cells[0]) ?? 0))),\(cells[1])"
        }
        let stray = ["000", "020"].map { "\(start + 6 * 86400).\($0),0,0,1" }
        let log = try history.folder.write("log.csv", (["time,x,y,z"] + rows + stray).joined(separator: "\n"))
        let arguments = ["analyze", log, "--source", "wrist", "--history", history.path, "--accept-future"]
        let run = try footfall(arguments)
        #expect(run.status == 0 && run.errors.contains("--accept-leap makes \(total) steps"), "\(run)")
        #expect(run.errors.contains("footfall history delete --source wrist --since 2026-11-30T08:00:00Z"), "\(run)")
        #expect(try history.records("steps").integers("steps")[0] == 2 * total)
        let accepted = try footfall(arguments + ["--accept-leap"])
        #expect(accepted.errors.contains("--accept-leap") == false, "\(accepted)")
        #expect(try history.records("steps").integers("steps")[0] == total)
    }
}
