import Foundation
import TestSupport
import Testing

/// For bad input the command prints one line with the problem and its place, returns a documented exit code and never
/// crashes.
@Suite("Bad input")
struct BadInputTests {
    /// Rows of a device at rest at 50 Hz.
    static func rows(_ range: Range<Int>) -> String {
        range.map { "\(Double($0) / 50),0.0\($0 % 10),0,1\n" }.joined()
    }

    static let header = "time,x,y,z\n"

    /// A file without usable samples, and words of its error.
    struct Refused: CustomTestStringConvertible, Sendable {
        var name: String
        var contents: String
        var words: [String] = []
        var testDescription: String { name }
    }

    private static let refused: [Refused] = [
        Refused(name: "empty file", contents: "", words: ["empty"]),
        Refused(name: "blank lines only", contents: "\n\n\n"),
        Refused(name: "header only", contents: header),
        Refused(name: "one row", contents: header + "0,0,0,1\n"),
        Refused(name: "a letter to a friend", contents: "Dear Anna,\nthe weather is fine.\nYours, Ben\n"),
        Refused(name: "a web page", contents: "<!DOCTYPE html>\n<html><body>404</body></html>\n"),
        Refused(name: "JSON", contents: "{\"time\": [0, 1], \"x\": [0, 0]}\n"),
        Refused(name: "a binary file", contents: String(repeating: "\u{0}\u{1}\u{2}\u{FFFD}", count: 500)),
        Refused(name: "no z column", contents: "time,x,y\n0,0,0\n0.02,0,0\n", words: ["z"]),
        Refused(name: "two columns", contents: "0,1\n1,2\n2,3\n"),
        Refused(name: "all values NaN", contents: header + String(repeating: "nan,nan,nan,nan\n", count: 50)),
        Refused(
            name: "linear acceleration by its name",
            contents: "\"Time (s)\",\"Linear Acceleration x (m/s^2)\",\"Linear Acceleration y (m/s^2)\","
                + "\"Linear Acceleration z (m/s^2)\"\n" + (0..<500).map { "\(Double($0) / 50),0.1,0,0.1\n" }.joined(),
            words: ["gravity"]),
        Refused(
            name: "linear acceleration by its size",
            contents: header + (0..<500).map { "\(Double($0) / 50),0.00\($0 % 7),0.001,0.002\n" }.joined(),
            words: ["gravity"]),
        Refused(
            name: "epoch counts",
            contents: "------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.3 Firmware v3.2.1 date format "
                + "M/d/yyyy Filter Normal -----------\nSerial Number: X\nStart Time 18:40:00\nStart Date 9/17/2019\n"
                + "Epoch Period (hh:mm:ss) 00:01:00\nDownload Time 1:2:3\nDownload Date 9/18/2019\n"
                + "Current Memory Address: 0\nCurrent Battery Voltage: 4.2     Mode = 13\n"
                + "--------------------------------------------------\n12,3,4,1\n0,0,0,0\n",
            words: ["epoch"]),
        Refused(name: "times of 2^63", contents: header + String(repeating: "9223372036854775808,0,0,1\n", count: 50)),
        Refused(name: "values of 1e308", contents: header + String(repeating: "1,1e308,1e308,1e308\n", count: 50)),
        Refused(name: "unfinished quote", contents: "\"time,x,y,z\n0,0,0,1\n"),
        Refused(name: "one endless line", contents: String(repeating: "1,2,3,4,", count: 40_000)),
    ]

    @Test("a file that is not a sensor log is rejected in one line", arguments: refused)
    func refusals(file: Refused) throws {
        let folder = try Folder()
        let run = try footfall("analyze", folder.write("log.csv", file.contents), "--output", "json")
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.hasPrefix("footfall: "))
        #expect(run.errors.contains("log.csv"))
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        for word in file.words { #expect(run.errors.lowercased().contains(word), "\(run.errors)") }
        #expect(run.output == "[]\n")
    }

    /// A log with bad rows, the number of dropped rows, and the line in its warning.
    struct Damaged: CustomTestStringConvertible, Sendable {
        var name: String
        var contents: String
        var dropped: Int
        var line: Int?
        var testDescription: String { name }
    }

    private static let damaged: [Damaged] = [
        Damaged(
            name: "a NaN", contents: header + rows(0..<300) + "6,nan,0,1\n" + rows(301..<600), dropped: 1, line: 302),
        Damaged(name: "words", contents: header + rows(0..<300) + "6,a,b,c\n" + rows(301..<600), dropped: 1, line: 302),
        Damaged(
            name: "a short row", contents: header + rows(0..<300) + "6,0\n" + rows(301..<600), dropped: 1, line: 302),
        Damaged(
            name: "an infinity", contents: header + rows(0..<300) + "6,inf,0,1\n" + rows(301..<600), dropped: 1,
            line: 302),
        Damaged(
            name: "a huge value", contents: header + rows(0..<300) + "6,1e30,0,1\n" + rows(301..<600), dropped: 1,
            line: 302),
        Damaged(
            name: "a time of 2^63", contents: header + rows(0..<300) + "9223372036854775808,0,0,1\n" + rows(301..<600),
            dropped: 1, line: 302),
        Damaged(
            name: "a NUL", contents: header + rows(0..<300) + "6,\u{0},0,1\n" + rows(301..<600), dropped: 1, line: 302),
        Damaged(
            name: "a giant line",
            contents: header + rows(0..<300) + String(repeating: "7", count: 200_000) + "\n" + rows(301..<600),
            dropped: 1, line: 302),
        Damaged(name: "a cut last row", contents: header + rows(0..<600) + "12.0,0.", dropped: 1, line: 602),
        Damaged(
            name: "the header once more", contents: header + rows(0..<300) + header + rows(300..<600), dropped: 1,
            line: 302),
        Damaged(
            name: "time running backwards", contents: header + rows(0..<700) + rows(650..<800), dropped: 49, line: 702),
        Damaged(
            name: "a row from the year 2100", contents: header + rows(0..<300) + "4102444800,0,0,1\n" + rows(301..<600),
            dropped: 1, line: nil),
        Damaged(name: "a repeated row", contents: header + rows(0..<300) + rows(299..<600), dropped: 1, line: nil),
    ]

    @Test("a bad row is dropped and reported with its line", arguments: damaged)
    func badRows(file: Damaged) throws {
        let folder = try Folder()
        let run = try footfall("analyze", folder.write("log.csv", file.contents), "--output", "json")
        #expect(run.status == 0, "\(run)")
        let record = try #require(try run.records().first)
        let warnings = try #require(record["warnings"] as? [String]).joined(separator: "\n")
        #expect(warnings.contains("\(file.dropped) "), "\(warnings)")
        if let line = file.line { #expect(warnings.contains("line \(line)"), "\(warnings)") }
        let duration = try #require(record["duration"] as? Double)
        #expect(duration > 11.9 && duration < 16.1)
    }

    @Test("a log that loses more than a tenth of its rows is refused, unless with --lenient")
    func lostRows() throws {
        let folder = try Folder()
        let bad = try folder.write(
            "bad.csv", Self.header + (0..<600).map { $0 % 8 == 0 ? "?,0,0,1\n" : "\(Double($0) / 50),0,0,1\n" }.joined()
        )
        let back = try folder.write("back.csv", Self.header + Self.rows(0..<600) + Self.rows(0..<600))
        let fewer = try folder.write("fewer.csv", Self.header + Self.rows(0..<600) + Self.rows(560..<600))
        for (path, words) in [
            (bad, ["75 of 600 rows"]), (back, ["599 of 1199", "time runs backwards"]),
        ] {
            let run = try footfall("analyze", path, fewer, "--output", "json", "--tables", folder.path("tables"))
            #expect(run.status == 65, "\(run)")
            #expect(try run.records().count == 1)
            for word in words + ["--lenient"] { #expect(run.errors.contains(word), "\(run.errors)") }
            let lenient = try footfall("analyze", path, "--output", "json", "--lenient")
            #expect(lenient.status == 0)
            #expect(try lenient.records().count == 1)
        }
        #expect(try footfall("analyze", fewer).status == 0)
    }

    @Test("several persons in one log are refused; --where chooses one")
    func series() throws {
        let folder = try Folder()
        let rows = (0..<1200).map {
            "\(Double($0 / 2) / 50),\($0 % 2 == 0 ? "ann" : "bob"),\($0 % 2 == 0 ? "0.01,0,1" : "1,0.01,0")\n"
        }
        let log = try folder.write("two.csv", "time,user,x,y,z\n" + rows.joined())
        let run = try footfall("analyze", log)
        #expect(run.status == 65)
        #expect(run.errors.contains("'user' (ann: 600 rows, bob: 600 rows)"), "\(run.errors)")
        #expect(run.errors.contains("--where user=ann"), "\(run.errors)")
        let chosen = try footfall("analyze", log, "--where", "user=bob", "--output", "json")
        #expect(chosen.status == 0)
        #expect(try chosen.records().first?["samples"] as? Int == 600)
        #expect(try footfall("analyze", log, "--where", "user").status == 64)
        let nobody = try footfall("analyze", log, "--where", "user=cat")
        #expect(nobody.status == 65 && nobody.errors.contains("no row has user=cat"), "\(nobody.errors)")
    }

    @Test("a missing file and an empty folder are missing input")
    func missingInput() throws {
        let folder = try Folder()
        for path in [folder.path("nowhere.csv"), folder.url.path, "/dev/null/log.csv"] {
            let run = try footfall("analyze", path)
            #expect(run.status == 66, "\(path): \(run)")
            #expect(run.errors.hasPrefix("footfall: "))
        }
        #expect(try footfall("evaluate", folder.path("nowhere.csv")).status == 66)
    }

    @Test("times in days, which no sensor is fast enough for, are refused with a remedy")
    func days() throws {
        let folder = try Folder()
        let rows = (0..<600).map { "\(String(format: "%.10f", 12.5 + Double($0) / 50 / 86400)),0.0\($0 % 10),0,1\n" }
        let run = try footfall("analyze", folder.write("log.csv", Self.header + rows.joined()))
        #expect(run.status == 65)
        #expect(run.errors.contains("samples a second") && run.errors.contains("--time-unit"), "\(run.errors)")
    }

    @Test("times in minutes, which are read as seconds of a fast sensor, are doubted")
    func minutes() throws {
        let folder = try Folder()
        let rows = (0..<1200).map { "\(String(format: "%.7f", Double($0) / 50 / 60)),0.0\($0 % 10),0,1\n" }
        let run = try footfall("analyze", folder.write("log.csv", Self.header + rows.joined()))
        #expect(run.status == 0)
        #expect(run.output.contains("3000.0 Hz is too fast for a worn sensor"), "\(run.output)")
    }

    @Test("a bad file does not prevent the analysis of others")
    func oneOfMany() throws {
        let folder = try Folder()
        let good = try folder.write("good.csv", Self.header + Self.rows(0..<600))
        let bad = try folder.write("bad.csv", "nothing of use\n")
        let run = try footfall("analyze", bad, good, "--output", "json")
        #expect(run.status == 65)
        #expect(try run.records().map { $0["trace"] as? String } == ["good.csv"])
    }

    @Test("times can have each unit of the help", arguments: ["s", "ms", "us", "ns"])
    func timeUnit(name: String) throws {
        let perSecond = try #require(["s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9][name])
        let rows = (0..<500).map { "\(Double($0) * 0.02 * perSecond),0.001,0.\($0 % 10)01,1" }
        let folder = try Folder()
        let log = try folder.write("log.csv", "time,x,y,z\n" + rows.joined(separator: "\n") + "\n")
        let run = try footfall("analyze", log, "--time-unit", name, "--output", "json")
        #expect(run.status == 0)
        let record = try #require(run.records().first)
        let duration = try #require(record["duration"] as? Double)
        #expect(abs(duration - 9.98) < 0.01)
    }

    @Test("a text from a file reaches the terminal with escapes")
    func escapes() throws {
        let folder = try Folder()
        let title = "\u{1B}]0;owned\u{7}\u{202E}z"
        let refused = try footfall("analyze", folder.write("log.csv", "time,x,y,\(title)w\n" + Self.rows(0..<100)))
        let log = try folder.write("two\nlines\u{1B}[2J.csv", "time,x,y,z,\(title)\n" + Self.rows(0..<600))
        let read = try footfall("analyze", log, "--columns", "1,2,3,4")
        let json = try footfall("analyze", log, "--columns", "1,2,3,4", "--output", "json")
        #expect(refused.status == 65 && read.status == 0 && json.status == 0)
        for text in [refused.errors, read.output, json.output] {
            #expect(
                !text.unicodeScalars.contains { ["\u{1B}", "\u{7}", "\u{202E}"].contains($0) },
                "\(text.debugDescription)")
        }
        #expect(refused.errors.contains("\\u{1B}") && refused.errors.contains("\\u{202E}"))
        #expect(read.output.contains("two\\nlines\\u{1B}[2J.csv"))
        #expect(try json.records().first?["trace"] as? String == "two\nlines\u{1B}[2J.csv")
    }

    @Test("a text that a spreadsheet would run gets an apostrophe in CSV; numbers do not")
    func formulas() throws {
        let folder = try Folder()
        for name in ["=1+1.csv", "+1.csv", "-1.csv", "@SUM(A1).csv", "\t1.csv"] {
            let log = try folder.write(name, Self.header + Self.rows(0..<600))
            let run = try footfall("analyze", log, "--output", "csv")
            #expect(run.output.contains("\n'" + name), "\(run)")
        }
        let tables = try folder.write("old.csv", Self.header + (-600..<0).map { "\($0),0,0,1\n" }.joined())
        let run = try footfall("analyze", tables, "--output", "csv")
        #expect(!run.output.contains(",'") && !run.output.contains("\n'"), "\(run.output)")
    }

    @Test("ground truth of a simulation is no log, also when it is named")
    func truth() throws {
        let truth = RecordedHistory.trace("commute").replacing(".csv", with: ".truth.json")
        let run = try footfall("analyze", truth, "-o", "csv")
        #expect(run.status == 65 && run.errors.contains("commute.truth.json: JSON, not a sensor log"), "\(run)")
        let table = "{\n\"samples\": [\n" + (0..<600).map { "\(Double($0) / 50), 0.01, 0.02, 1,\n" }.joined() + "]}\n"
        let folder = try Folder()
        #expect(try footfall("analyze", folder.write("list.json", table)).status == 65)
        let lists = (0..<600).map { "[\(Double($0) / 50), 0.01, 0.02, 1],\n" }.joined()
        #expect(
            try footfall("analyze", folder.write("rows.json", "{\"hertz\": 50,\n\"rows\": [\n" + lists + "]}\n")).status
                == 0)
        // A description above a table is closed before it.
        let log = try folder.write("log.csv", "{\"device\": \"a\"}\n" + Self.header + Self.rows(0..<600))
        #expect(try footfall("analyze", log).status == 0)
    }

    @Test("a pipe is not read twice", arguments: ["--calibrate", "--explain", "--each user"])
    func readTwice(option: String) throws {
        let run = try shell("cat '\(RecordedHistory.trace("walk-wrist"))' | '\(executable.path)' analyze - \(option)")
        #expect(run.status == 66 && run.errors.contains("can be read only once"), "\(run)")
        // Nor one whose name is not UTF-8. The first reader would wait for a writer.
        let folder = try Folder()
        let named = "cd '\(folder.url.path)' && e=$(printf '\\351').csv && mkfifo $e && timeout 60"
        let other = try shell("\(named) '\(executable.path)' analyze \(option) $e")
        #expect(other.status == 66 && other.errors.contains("can be read only once"), "\(other)")
    }
}
