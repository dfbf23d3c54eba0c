import FootfallSimulator
import Foundation
import TestSupport
import Testing

@Suite("footfall report")
struct ReportTests {
    private func report(_ history: RecordedHistory, _ arguments: String...) throws -> Run {
        try footfall(["report", "--history", history.path] + arguments)
    }

    /// The beginning of a table's row.
    private func row(_ cells: String...) -> String {
        "<tr><th scope=\"row\">\(cells[0])</th>" + cells.dropFirst().map { "<td>\($0)</td>" }.joined()
    }

    @Test("writes the same page to standard output and to a file")
    func output() throws {
        let history = try RecordedHistory.commute.get()
        let folder = try Folder()
        let printed = try report(history)
        #expect(printed.status == 0 && printed.errors == "" && printed.output.hasPrefix("<!DOCTYPE html>"))
        #expect(printed.output.hasSuffix("</html>\n"))
        let filed = try report(history, "--out", folder.path("page.html"), "--plot", folder.path("days.svg"))
        #expect(filed.status == 0 && filed.output == "" && filed.errors == "")
        #expect(try String(contentsOfFile: folder.path("page.html"), encoding: .utf8) == printed.output)
        #expect(try String(contentsOfFile: folder.path("days.svg"), encoding: .utf8).hasPrefix("<svg "))
        #expect(try report(history, "--out", "-").output == printed.output)
    }

    /// A number for people: `1,234`.
    private func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en_US"))) }

    @Test("has the same numbers as footfall query")
    func agreement() throws {
        let history = try RecordedHistory()
        for start in ["2026-11-18T08:10:00Z", "2026-11-18T09:55:00Z", "2026-11-20T17:00:00Z"] {
            try history.record("commute", start: start)
        }
        let range = ["--since", "2026-11-18", "--until", "2026-11-22"]
        let page = try footfall(["report", "--history", history.path] + range).output
            .replacing(#/ data-of="[^"]*"/#, with: "")
        let question = range + ["--history", history.path, "-o", "json"]
        let days = try footfall(["query", "steps", "--by", "day"] + question).records()
        #expect(days.count == 4)
        for (day, name) in zip(
            days,
            ["Wed\u{A0}18\u{A0}November\u{A0}2026", "Thursday", "Fri\u{A0}20\u{A0}November\u{A0}2026", "Saturday"])
        where (day["coverage"] as? Double ?? 0) > 0 {
            let steps = try #require(day["steps"] as? Int)
            #expect(page.contains(row(name, grouped(steps))), "\(name)")
        }
        #expect(page.contains(row("Thu\u{A0}19\u{A0}November\u{A0}2026", "no data")))
        #expect(page.contains(row("Sat\u{A0}21\u{A0}November\u{A0}2026", "no data")))
        let hours = try footfall(["query", "steps", "--by", "hour"] + question).records()
        for hour in hours {
            let start = try #require(hour["start"] as? String)
            guard start.hasPrefix("2026-11-18") || start.hasPrefix("2026-11-20") else { continue }
            let (steps, coverage) = (hour["steps"] as? Int ?? -1, hour["coverage"] as? Double ?? -1)
            let covered = "\(Int((coverage / 36).rounded()))\u{A0}%"
            #expect(
                page.contains(
                    row("\(start.dropFirst(11).prefix(5))", coverage > 0 ? grouped(steps) : "no data", covered)),
                "\(start)")
        }
        let summary = try #require(footfall(["query", "steps"] + question).records().first)
        #expect(page.contains(row("all", grouped(summary["steps"] as? Int ?? -1))))
        let bout = try #require(
            footfall(["query", "summary"] + question).records().first?["longestBout"] as? [String: Any])
        #expect(page.contains("\(bout["steps"] as? Int ?? -1) steps from 18\u{A0}Nov, 08:"))
        #expect(page.contains("<dd>history.sqlite</dd>") && page.contains("<dd>2026-11-18 00:00:00</dd>"))
        let version = try footfall("--version").output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(page.contains("<dd>Footfall \(version)</dd>"))
    }

    @Test("compares each day with the goal of --goal, which is a number of steps")
    func goal() throws {
        let history = try RecordedHistory.commute.get()
        #expect(try report(history, "--goal", "500").output.contains("of the goal of 500"))
        for text in ["0", "-5", "many", "1.5"] {
            let wrong = try report(history, "--goal=\(text)")
            #expect(wrong.status == 64 && wrong.errors.contains("a number of steps such as 8000"), "\(wrong.errors)")
        }
    }

    @Test("has days in the given zone, or in the wearer's")
    func zones() throws {
        let history = try RecordedHistory()
        for start in ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"] {
            try history.record("walk-wrist", start: start, tz: "Europe/Berlin")
        }
        let berlin = try report(history, "--since", "2026-10-25", "--until", "2026-10-26").output
        #expect(berlin.contains("a day of 25 hours") && berlin.contains("<dd>Europe/Berlin</dd>"))
        let (first, second) = (berlin.ranges(of: row("02:00 +02:00")), berlin.ranges(of: row("02:00 +01:00")))
        #expect(first.count == 1 && second.count == 1)
        let tokyo = try report(history, "--since", "2026-10-25", "--until", "2026-10-26", "--tz", "Asia/Tokyo").output
        #expect(tokyo.contains("<dd>Asia/Tokyo</dd>") && !tokyo.contains("a day of"))
        #expect(tokyo.ranges(of: row("09:00")).count == 1)
    }

    @Test("follows a wearer who travels")
    func travel() throws {
        let history = try RecordedHistory()
        try history.record("walk-wrist", start: "2026-11-18T12:00:00+01:00", tz: "Europe/Berlin")
        try history.record("walk-wrist", start: "2026-11-20T12:00:00-05:00", tz: "America/New_York")
        let page = try report(history).output
        #expect(page.contains("<dd>Europe/Berlin, America/New_York</dd>"))
        #expect(page.contains(row("17:00 +01:00", "no data")) && page.contains("<th scope=\"row\">12:00 -05:00</th>"))
    }

    @Test("without data in the range names the range of the data")
    func nothing() throws {
        let history = try RecordedHistory.walk()
        let outside = try report(history, "--since", "2030-01-01", "--until", "2030-02-01")
        #expect(outside.status == 1 && outside.output.contains("There is data from 2026-11-20 08:00:00"))
        #expect(outside.errors.contains("no data in this range; there is data from"))
        _ = try history.manage("delete", "--source", "wrist")
        let empty = try report(history)
        #expect(empty.status == 1 && empty.output.contains("The history is empty."))
        #expect(empty.errors.contains("the history is empty"))
    }

    @Test("is about one source with any name")
    func sources() throws {
        let history = try RecordedHistory.walk()
        let name = "</title><script>alert(\"1'2\")</script>"
        try history.record("walk-wrist", start: "2026-11-20T08:00:00Z", source: name)
        let unclear = try report(history)
        #expect(unclear.status == 64 && unclear.output == "" && unclear.errors.contains("Name one of them"))
        let page = try report(history, "--source", name).output
        #expect(page.contains("of &lt;/title&gt;&lt;script&gt;alert(&quot;1'2&quot;)&lt;/script&gt;"))
        #expect(!page.contains("<script"))
        #expect(try report(history, "--source", "unknown").status == 64)
    }

    @Test("fails with one line if a file cannot be read or written")
    func failures() throws {
        let history = try RecordedHistory.commute.get()
        for option in ["--out", "--plot"] {
            let run = try report(history, option, "/nowhere/at/all/page")
            #expect(run.status == 66 && run.output == "")
            #expect(run.errors.hasPrefix("footfall: /nowhere/at/all/page: cannot be written"))
        }
        #expect(try footfall("report", "--history", "/nowhere/steps.sqlite").status == 66)
        #expect(try report(history, "--since", "soon").status == 64)
        #expect(try report(history, "--since", "2026-11-20", "--until", "2026-11-19").status == 64)
    }

    @Test("is not printed on a terminal")
    func terminal() throws {
        let history = try RecordedHistory.commute.get()
        let command = "'\(executable.path)' report --history '\(history.path)'"
        let run = try shell("script -qec \"\(command)\" /dev/null")
        #expect(run.output.contains("--out report.html") && !run.output.contains("<html"))
        let forced = try shell("script -qec \"\(command) --out -\" /dev/null")
        #expect(forced.output.contains("<html"))
    }

    @Test("has examples in its help")
    func help() throws {
        let help = try footfall("report", "--help").output
        #expect(help.contains("footfall report --since -7d --out week.html") && help.contains("--plot <file>"))
        #expect(try footfall("--help").output.contains("footfall report --history steps.sqlite --out report.html"))
    }
}
