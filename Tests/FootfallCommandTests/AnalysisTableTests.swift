import Foundation
import TestSupport
import Testing

/// The table of `footfall analyze`: days and zones; and the spans of non-wear in the history.
@Suite("The table of an analysis")
struct AnalysisTableTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A log of walks, with rests between them. Each part begins at a moment, in seconds since 1970.
    private func log(_ parts: [(start: Double, seconds: Double, walks: Bool)]) throws -> String {
        var text = "time,x,y,z\n"
        for part in parts {
            for row in 0..<Int(part.seconds * 12.5) {
                let time = Double(row) / 12.5
                // The axes swing once in two steps. A sine of one axis would be a tone, not a walk.
                let x = 0.01 + (part.walks ? 0.15 * sin(2 * .pi * 0.9 * time) : 0)
                let z = 1 + (part.walks ? 0.35 * sin(2 * .pi * 1.8 * time) : 0) + Double(row % 7) * 0.0005
                text += String(format: "%.2f,%.4f,0.1,%.4f\n", part.start + time, x, z)
            }
        }
        return try folder.write("walks.csv", text)
    }

    /// Friday 2025-11-21, 22:00 UTC.
    private static let evening = 1_763_762_400.0

    @Test("names the date and the zone, in the wearer's time")
    func zone() throws {
        let log = try log([(Self.evening, 60, true)])
        let utc = try footfall("analyze", log).output
        #expect(utc.contains("\nFriday 2025-11-21 (UTC)\n22:00:00 "))
        let tokyo = try footfall("analyze", log, "--tz", "Asia/Tokyo").output
        #expect(tokyo.contains("\nSaturday 2025-11-22 (Asia/Tokyo)\n07:00:00 "))
        let offset = try footfall("analyze", log, "--tz", "+02:00", "--history", folder.path("h.sqlite"))
        #expect(offset.output.contains("\nSaturday 2025-11-22 (UTC+02:00)\n00:00:00 "))
        let days = try footfall("query", "steps", "--by", "day", "--history", folder.path("h.sqlite"))
        #expect(days.output.contains("2025-11-22 00:00:00"))
        let west = try footfall("analyze", log, "--tz=-03:30").output
        #expect(west.contains("(UTC-03:30)\n18:30:00 "))
        #expect(try footfall("analyze", log, "--tz", "+99:00").status == 64)
        #expect(try footfall("analyze", log, "--why").errors.contains("--plot; name one"))
    }

    @Test("has a heading with its totals for each of several days, and one line for each of several traces")
    func days() throws {
        let log = try log((0..<3).map { (Self.evening + Double($0) * 86400, 60, true) })
        let run = try footfall("analyze", log, "--tz", "Europe/Berlin")
        let lines = run.output.split(separator: "\n").map(String.init)
        let headings = lines.filter { $0.contains("2025-11-2") }
        #expect(headings.map { $0.prefix(14) } == ["Friday 2025-11", "Saturday 2025-", "Sunday 2025-11"])
        #expect(headings[0].contains("(Europe/Berlin)") && headings.allSatisfy { $0.contains(" covered") })
        let steps = headings.compactMap { $0.split(separator: "  ").last?.split(separator: " ").first }
        let total = steps.reduce(0) { $0 + (Int($1) ?? 0) }
        #expect(total > 250 && lines.last?.hasPrefix("\(total) steps") ?? false)
        #expect(headings.first?.contains(" 2 % of 1 h") ?? false)
        #expect(headings[1].contains("<1 %") && lines.last?.contains("<1 %") ?? false)
        let two = try footfall("analyze", log, RecordedHistory.trace("walk-wrist"), "--tz", "Europe/Berlin").output
        #expect(two.contains("2025-11-21 23:00:00 Europe/Berlin") && two.contains("no date"))
    }

    @Test(
        "the zone that a device's file states holds in the table, the history and the days",
        .needsShared("fixtures/logs/geneactiv/gnactv_sample.bin"))
    func statedZone() throws {
        let file = SharedRecordings.url("fixtures/logs/geneactiv/gnactv_sample.bin").path
        let (history, results) = (folder.path("h.sqlite"), folder.path("results"))
        let run = try footfall("analyze", file, "--history", history, "--tables", results)
        #expect(run.output.contains("Tuesday 2019-05-21 (UTC-04:00)\n16:16:43"))
        let sources = try footfall("history", "info", "--history", history).output
        #expect(sources.contains("2019-05-21 16:16:43") && sources.contains("UTC-04:00"))
        let json = try footfall("history", "info", "--history", history, "-o", "json").records()
        let zones = json.compactMap { $0["sources"] as? [[String: Any]] }.flatMap { $0.strings("timeZone") }
        #expect(zones == ["-04:00"])
        let days = try String(contentsOfFile: results + "/gnactv_sample/days.csv", encoding: .utf8)
        #expect(days.contains(",-04:00,") && !days.contains("GMT"))
        let exported = try folder.write("e.ndjson", footfall("history", "export", "--history", history).output)
        let copy = folder.path("copy.sqlite")
        #expect(try footfall("history", "import", exported, "--history", copy).status == 0)
        let imported = try footfall("history", "info", "--history", copy)
        #expect(imported.output.contains("UTC-04:00"), "\(imported)")
        #expect(try footfall("summarize", results).status == 0)
        let chosen = try footfall("analyze", file, "--tz", "UTC")
        #expect(chosen.output.contains("Tuesday 2019-05-21 (UTC)\n20:16:43"))
    }

    @Test("non-wear is in the history, its queries and its report, and is not stationary")
    func nonWear() throws {
        let (start, history) = (Self.evening, folder.path("h.sqlite"))
        let log = try log([(start, 120, true), (start + 120, 4500, false), (start + 4620, 120, true)])
        let run = try footfall("analyze", log, "--history", history, "--tz", "UTC")
        #expect(run.status == 0 && run.output.contains("not worn for 1 h"))
        let summary = try footfall("query", "summary", "--history", history, "-o", "json").records()
        let unworn = summary.reduce(0) { $0 + ($1["nonWear"] as? Double ?? 0) }
        #expect(abs(unworn - 4500) < 30)
        #expect(summary.reduce(0) { $0 + ($1["stationary"] as? Double ?? 0) } < 30)
        #expect(try footfall("query", "summary", "--history", history).output.contains("not worn"))
        let segments = try footfall("query", "activities", "--history", history, "-o", "json").records()
        #expect(segments.count { $0["reason"] as? String == "notWorn" } == 1)
        let page = folder.path("report.html")
        #expect(try footfall("report", "--history", history, "--out", page).status == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains(">not worn</th>"))
        // The same trace again changes nothing, and an export has all of it.
        _ = try footfall("analyze", log, "--history", history, "--tz", "UTC")
        #expect(
            try footfall("query", "activities", "--history", history, "-o", "json").records().count == segments.count)
    }

    @Test("a replay records the same non-wear as the analysis")
    func nonWearOfReplay() throws {
        let start = Self.evening
        let log = try log([(start, 120, true), (start + 120, 4500, false), (start + 4620, 120, true)])
        let unworn = try ["analyze", "live"].map { command in
            let history = folder.path("\(command).sqlite")
            let input = command == "live" ? ["live", "--replay", log, "--speed", "max"] : ["analyze", log]
            _ = try footfall(input + ["--history", history, "--source", "hand"])
            return try footfall("query", "activities", "--history", history, "-o", "json").records()
                .filter { $0["reason"] as? String == "notWorn" }.map { "\($0["start"] ?? "") \($0["end"] ?? "")" }
        }
        #expect(unworn[0].count == 1)
        #expect(unworn[0] == unworn[1])
    }

    @Test("dropped rows of several kinds are one warning with a count")
    func warnings() throws {
        let rows = (0..<2000).map { row -> String in
            let time = String(format: "%.2f", Double(row) / 12.5)
            return switch row % 100 {
            case 50: "\(time),a,0,1"
            case 51: "\(time),nan,0,1"
            case 52: "\(time),0"
            case 53: "?,0,0,1"
            case 54: "\(time),0,0,5000"
            default: "\(time),0.0\(row % 10),0,1"
            }
        }
        let log = try folder.write("bad.csv", "time,x,y,z\n" + rows.joined(separator: "\n") + "\n")
        let run = try footfall("analyze", log, "--output", "json")
        let warnings = try #require(run.records().first?["warnings"] as? [String])
        let dropped = warnings.filter { $0.contains("dropped") }
        #expect(dropped.count == 1, "\(warnings)")
        #expect(
            dropped.first?.hasPrefix("100 rows dropped: 20 not a number, 20 NaN or infinite, 20 too few fields")
                ?? false)
        #expect(dropped.first?.hasSuffix("(first at line 52)") ?? false)
    }
}
