import Footfall
import FootfallHistory
import Foundation
import TestSupport
import Testing

@Suite("On a terminal")
struct TerminalTests {
    private static let escape: Character = "\u{1B}"

    /// Runs a query of a history on a pseudo-terminal.
    private func terminal(_ arguments: String, columns: Int = 100, environment: String = "") throws -> String {
        let history = try RecordedHistory.commute.get()
        return try shown("\(arguments) --history '\(history.path)'", columns: columns, environment: environment)
    }

    /// Runs the command on a pseudo-terminal.
    private func shown(_ arguments: String, columns: Int, environment: String = "") throws -> String {
        let command =
            "stty cols \(columns) rows 30; env -u NO_COLOR TERM=xterm \(environment) '\(executable.path)' \(arguments)"
        let run = try shell("script -qec \"\(command)\" /dev/null")
        #expect(run.status == 0)
        return run.output
    }

    @Test("buckets have bars; the largest has the longest")
    func bars() throws {
        let text = try terminal("query steps --by 1m")
        #expect(text.contains("█") && text.contains(Self.escape))
        let rows = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("2026") }
        let bars = rows.map { row in row.filter { "█▉▊▋▌▍▎▏".contains($0) }.count }
        let counts = try RecordedHistory.commute.get().records("steps", "--by", "1m").integers("steps")
        #expect(bars.firstIndex(of: bars.max() ?? 0) == counts.firstIndex(of: counts.max() ?? 0))
        #expect(rows.count == counts.count)
    }

    @Test("a day is a colored strip below the hours")
    func strip() throws {
        let lines = try terminal("query summary").split(whereSeparator: \.isNewline)
        #expect(lines[0].contains("Friday 2026-11-20"))
        #expect(lines[1].contains("08:06"))
        for color in [32, 34, 90] { #expect(lines[2].contains("\u{1B}[\(color)m")) }
        #expect(lines[2].filter { "▁▂▃▄▅▆▇█·".contains($0) }.count == 96)
    }

    /// The lines of a text from a terminal, without colors.
    private func lines(_ text: String) -> [String] {
        text.replacing(/\x1B\[[0-9;?]*[A-Za-z]/, with: "").split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test("tables fit the width, and no line ends in blanks", arguments: [60, 80])
    func widths(columns: Int) throws {
        let log = RecordedHistory.trace("commute")
        var texts = [
            "query activities", "query steps --by 1m", "query bouts", "query coverage", "query summary",
            "query measures", "history info",
        ]
        .map { arguments in Result { try terminal(arguments, columns: columns) } }
        texts += ["analyze '\(log)'", "analyze '\(log)' '\(RecordedHistory.trace("gaps"))'"].map { arguments in
            Result { try shown(arguments, columns: columns) }
        }
        for text in texts {
            // The path of a history is one word of any length.
            let lines = lines(try text.get()).filter { !$0.hasPrefix("/") }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= columns && $0.last != " " }, "\(lines)")
        }
    }

    @Test("a narrow terminal has the columns of most use, a wide one all and longer bars")
    func leastUsedColumns() throws {
        let narrow = lines(try terminal("query activities", columns: 60))
        #expect(narrow[0].split(separator: " ") == ["from", "duration", "activity", "steps"])
        #expect(narrow.contains { $0.hasPrefix("2026-11-20 08:02:29") && $0.contains("automotive") })
        let wide = lines(try terminal("query activities", columns: 200))
        #expect(wide[0].split(separator: " ").contains("to") && wide[0].hasSuffix("confidence"))
        #expect(lines(try terminal("query steps --by 1m", columns: 200)).contains { $0.count == 200 })
    }

    @Test("a line about a log is broken at a word, and continues below its beginning")
    func wrapping() throws {
        // A busy machine shows the progress first.
        let lines = lines(try shown("analyze '\(RecordedHistory.trace("commute"))'", columns: 60))
            .drop { !$0.hasPrefix("commute.csv  33000 samples") }
        #expect(lines.dropFirst().first == "  CSV; comma-separated; time in 'time' as s since start")
        #expect(lines.dropFirst(2).first?.hasPrefix("  (from the values); axes") == true)
    }

    @Test("no colors with NO_COLOR, on a dumb terminal or without one")
    func noColor() throws {
        for environment in ["NO_COLOR=1", "TERM=dumb"] {
            let text = try terminal("query steps --by 1m", environment: environment)
            #expect(text.contains("█") && !text.contains(Self.escape))
        }
        let history = try RecordedHistory.commute.get()
        for arguments in [["query", "steps", "--by", "1m"], ["query", "summary"], ["query", "activities"]] {
            let run = try footfall(arguments + ["--history", history.path])
            #expect(!run.output.contains(Self.escape) && !run.output.contains("█"))
            #expect(run.errors.isEmpty)
        }
        #expect(try history.manage("info").output.contains(Self.escape) == false)
    }

    @Test("the name of a file in CSV does not act on the terminal, and is unchanged in a file")
    func escapes() throws {
        let folder = try Folder()
        let name = "a\u{1B}[31mb.csv"
        try FileManager.default.copyItem(atPath: RecordedHistory.trace("walk-wrist"), toPath: folder.path(name))
        let command = "'\(executable.path)' analyze '\(folder.path(name))' -o csv"
        let shown = try Run(URL(filePath: "/usr/bin/env"), ["script", "-qec", command, "/dev/null"])
        #expect(
            shown.status == 0 && shown.output.contains("[31mb.csv") && !shown.output.contains(Self.escape), "\(shown)")
        #expect(try shell(command).output.contains(name))
    }

    @Test("a followed query is redrawn in place")
    func redrawing() throws {
        let history = try RecordedHistory.walk()
        let command = "'\(executable.path)' query activities -f --history '\(history.path)'"
        let log = history.folder.path("log")
        let script = Process()
        script.executableURL = URL(filePath: "/usr/bin/env")
        script.arguments = ["script", "-qefc", command, log]
        script.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
        script.standardInput = FileHandle.nullDevice
        (script.standardOutput, script.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try script.run()
        func text() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        #expect(blockUntil { text().contains("walking") })
        try history.record("run-pocket", start: "2026-11-20T09:00:00Z")
        #expect(blockUntil { text().contains("09:00:00") })
        script.terminate()
        script.waitForEnd()
        // The cursor moves up over the heading and one segment. The new view has two segments.
        #expect(text().contains("\u{1B}[2A"))
        #expect(text().split(separator: "confidence").count == 3)
    }
}
