import Foundation
import TestSupport
import Testing

/// Rows of a CSV table by the names of its columns. The tables of these tests have no quotes.
func rows(of path: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
}

extension [String] {
    /// The texts as lines.
    fileprivate var lines: String { map { $0 + "\n" }.joined() }
}

@Suite("footfall summarize")
struct SummarizeTests {
    private let folder: Folder
    private var results: String { folder.path("results") }

    init() throws { folder = try Folder() }

    /// Analyses shipped traces, each as a log of its own that starts at a time in Berlin.
    private static func analyze(_ logs: [(name: String, trace: String, start: String)], in folder: Folder) throws {
        for log in logs {
            let file = folder.path(log.name + ".csv")
            try FileManager.default.copyItem(atPath: RecordedHistory.trace(log.trace), toPath: file)
            let run = try footfall(
                "analyze", file, "--start", log.start, "--tz", "Europe/Berlin", "--tables", folder.path("results"),
                "--resume", "--valid-day", "1min")
            try #require(run.status == 0, "\(run.errors)")
        }
    }

    private func analyze(_ logs: (name: String, trace: String, start: String)...) throws {
        try Self.analyze(logs, in: folder)
    }

    /// The results of ``week()``.
    private static let analyzed = Result {
        let folder = try Folder()
        let logs = [
            ("a1", "commute", "2026-11-20 08:00"), ("a2", "walk-wrist", "2026-11-21 08:00"),
            ("a3", "commute", "2026-11-23 08:00"), ("a4", "walk-wrist", "2026-11-23 18:00"),
            ("b1", "run-pocket", "2026-11-20 08:00"),
        ]
        try analyze(logs, in: folder)
        return folder
    }

    /// Logs of some minutes on Friday and Saturday, and two on Monday.
    private func week() throws {
        try FileManager.default.copyItem(atPath: Self.analyzed.get().path("results"), toPath: results)
    }

    @Test("says that a log beside itself in another form looks like a copy, and another log does not")
    func copies() throws {
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
        for (name, trace) in [("a.csv", "walk-wrist"), ("b.csv", "walk-wrist"), ("a.txt", "run-pocket")] {
            try FileManager.default.copyItem(atPath: RecordedHistory.trace(trace), toPath: folder.path("in/\(name)"))
        }
        let compressed = try shell("gzip -k '\(folder.path("in/a.csv"))'")
        try #require(compressed.status == 0, "\(compressed)")
        try folder.write("who.csv", "trace,person\na,ann\nb,ben\n")
        for start in [[], ["--start", "2026-11-20"]] {
            let analyzed = try footfall(["analyze", folder.path("in"), "--tables", results] + start)
            let summarized = try footfall("summarize", results)
            for run in [analyzed, summarized] {
                #expect(run.status == 0 && run.errors.contains("a.csv, a.csv.gz look like copies of one"), "\(run)")
            }
            // The logs of a person that overlap count once, but those without a date follow each other.
            let joined = try footfall("summarize", results, "--persons", folder.path("who.csv"))
            #expect(joined.status == 0 && joined.errors.contains("copies") == start.isEmpty, "\(joined)")
        }
    }

    @Test("each log is a person, and analyze writes the same tables")
    func files() throws {
        try week()
        let written = try ["persons", "days"].map {
            try String(contentsOfFile: "\(results)/\($0).csv", encoding: .utf8)
        }
        let run = try footfall("summarize", results, "--valid-day", "1min", "-o", "csv")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output == written[0])
        #expect(
            try ["persons", "days"].map { try String(contentsOfFile: "\(results)/\($0).csv", encoding: .utf8) }
                == written)
        let persons = try rows(of: results + "/persons.csv")
        #expect(persons.map { $0["person"] } == ["a1", "a2", "a3", "a4", "b1"])
        for person in persons {
            let name = try #require(person["person"])
            let own = try #require(rows(of: "\(results)/\(name)/days.csv").first)
            let joint = try #require(rows(of: results + "/days.csv").first { $0["person"] == name })
            #expect(own == joint, "\(name)")
            let hours = name == "a4" ? ("17", "18") : ("07", "08")
            #expect(own["start"]?.hasSuffix("T\(hours.0):00:00.000Z") == true)
            #expect(own["startLocal"]?.hasSuffix("T\(hours.1):00:00.000") == true)
            #expect(person["stepsMean"].flatMap(Double.init) == own["steps"].flatMap(Double.init))
        }
    }

    /// A day and a night, and a walk a month later: the clock was set. Times have fractions of a millisecond. `awk`
    /// writes a million rows in a tenth of the time of a test, which is not optimized.
    private static let leap = Result {
        let folder = try Folder()
        let day = folder.path("day.csv")
        try #require(
            try footfall("simulate", "day", "--rate", "12.5", "--duration", "100000", "--out", day).status == 0)
        let program = "FNR > 1 { printf \"%d.%07d,%s,%s,%s\\n\", s + int($1), ($1 - int($1)) * 1e7 + f, $2, $3, $4 }"
        let run = try shell(
            """
            cd '\(folder.url.path)' && (echo time,x,y,z && awk -F, '\(program)' s=1793476800 f=567 day.csv \
                s=1796000000 f=5 '\(RecordedHistory.trace("walk-wrist"))') > log.csv
            """)
        try #require(run.status == 0, "\(run)")
        return folder
    }

    @Test("the days of one log are the same bytes in both tables", arguments: [[], ["--tz", "America/St_Johns"]])
    func oneLog(options: [String]) throws {
        let log = try Self.leap.get().path("log.csv")
        let run = try footfall(["analyze", log, "--tables", results, "--cut-points", "enmo:45,100,430"] + options)
        try #require(run.status == 0, "\(run.errors)")
        let own = try folder.text("results/log/days.csv")
        #expect(try folder.text("results/days.csv") == own)
        #expect(
            own.split(separator: "\n").count == 4 && own.contains(options.isEmpty ? ",UTC," : ",America/St_Johns,"),
            "\(own)")
        #expect(try footfall("summarize", results).status == 0)
        #expect(try folder.text("results/days.csv") == own)
    }

    @Test("--persons joins logs: a day of two logs is one day, weekdays and weekends are apart")
    func persons() throws {
        try week()
        let who = try folder.write("who.csv", "person,trace\nann,a1.csv\nann,a2\nann,a3.csv\nann,a4.csv\nben,b1.csv\n")
        let run = try footfall("summarize", results, "--persons", who, "--valid-day", "1min", "-o", "json")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let records = try run.records()
        #expect(records.strings("person") == ["ann", "ben"])
        #expect(records.integers("logs") == [4, 1] && records.integers("days") == [3, 1])
        let days = try rows(of: results + "/days.csv")
        #expect(days.map { $0["date"] } == ["2026-11-20", "2026-11-21", "2026-11-23", "2026-11-20"])
        #expect(days.map { $0["weekday"] } == ["Friday", "Saturday", "Monday", "Friday"])
        #expect(days.map { $0["logs"] } == ["1", "1", "2", "1"])
        let steps = days.compactMap { $0["steps"].flatMap(Double.init) }
        #expect(steps[2] == steps[0] + steps[1])
        let ann = try #require(records.first)
        func number(_ key: String) -> Double { (ann[key] as? NSNumber)?.doubleValue ?? .nan }
        #expect(ann["validWeekdays"] as? Int == 2 && ann["validWeekendDays"] as? Int == 1)
        let total: Double = steps[0] + steps[1] + steps[2]
        #expect(abs(number("stepsMean") - total / 3) < 0.01)
        #expect(number("stepsMedian") == [steps[0], steps[1], steps[2]].sorted()[1])
        #expect(number("stepsWeekdayMean") == (steps[0] + steps[2]) / 2)
        #expect(number("stepsWeekendMean") == steps[1])
        #expect(number("totalSteps") == total)
        // Peaks come from all minutes of a day, not from the logs: the drive and the walk have 13 minutes.
        #expect(days[2]["peakCadence1Spm"] == days[0]["peakCadence1Spm"])
        #expect(days[2]["steps95AtHours"].flatMap(Double.init).map { $0 > 18 } == true)
    }

    @Test("the table has the steps, minutes and cadence of short logs, and no column without a number")
    func table() throws {
        try week()
        let run = try footfall("summarize", results)
        #expect(run.status == 0)
        #expect(run.output.contains("5 persons, 5 logs, 0 of 5 days valid"))
        #expect(run.output.split(separator: "\n").count { $0.contains("0 of 1") && !$0.contains("NaN") } == 5)
        let headers = run.output.prefix { $0 != "\n" }.matches(of: /\S+( \S+)*/).map { String($0.0) }
        #expect(headers == ["person", "logs", "valid days", "worn", "steps", "on foot", "cadence"], "\(run.output)")
        let steps = try footfall("analyze", RecordedHistory.trace("walk-wrist"), "-o", "json").records().integers(
            "steps")
        let row = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("a2 ") }).split(separator: " ")
        #expect(row.contains("\(steps[0])") && row.last?.hasSuffix("/min") == true, "\(row)")
        #expect(run.errors.contains("no day has 10 h 00 min of wear"), "\(run.errors)")
        #expect(run.errors.contains("--valid-day"))
        let persons = try rows(of: results + "/persons.csv")
        #expect(
            persons.allSatisfy { $0["validDays"] == "0" && $0["stepsMean"] == "" && $0["adjustedStepsMedian"] == "" })
        #expect(persons.allSatisfy { Int($0["totalSteps"] ?? "") ?? 0 > 0 })
    }

    @Test("a person without a log has a row without numbers, and a log without a person is one")
    func missing() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        let who = try folder.write("who.csv", "trace,person\nlost.cwa,ben\n,cem\n")
        let run = try footfall("summarize", results, "--persons", who, "--valid-day", "1min", "-o", "json")
        #expect(run.status == 0)
        #expect(run.errors.contains("\(who):2: there are no results of lost, a trace of ben"))
        #expect(run.errors.contains("\(who) has no row for a1"))
        let records = try run.records()
        #expect(records.strings("person") == ["ben", "cem", "a1"] && records.integers("logs") == [0, 0, 1])
        #expect(records[0]["stepsMean"] is NSNull && records[0]["totalSteps"] is NSNull)
    }

    @Test("tables are written from the study, and never read")
    func edited() throws {
        try week()
        let run = try footfall("summarize", results, "--valid-day", "1min", "-o", "json")
        try folder.write("results/a1/steps.csv", "time\nyesterday\n")
        #expect(try footfall("summarize", results, "--valid-day", "1min", "-o", "json").output == run.output)
    }

    @Test("a file that is no study, and one that is damaged, are refused by name")
    func damaged() throws {
        try week()
        let study = results + "/footfall.study"
        let bytes = try Data(contentsOf: URL(filePath: study))
        for (damage, problem) in [
            (Data("mine\n".utf8), "not a database"), (bytes.prefix(8192), "malformed"), (Data(), "no results"),
        ] {
            try damage.write(to: URL(filePath: study))
            let run = try footfall("summarize", results)
            #expect([66, 73].contains(run.status) && run.errors.contains("footfall.study"), "\(run)")
            #expect(run.errors.contains(problem) && run.output.isEmpty, "\(run)")
        }
        try folder.write("results/footfall.study", "mine\n")
        let log = folder.path("log.csv")
        try FileManager.default.copyItem(atPath: RecordedHistory.trace("walk-wrist"), toPath: log)
        #expect(try footfall("analyze", log, "--tables", results).status == 73)
        #expect(try folder.text("results/footfall.study") == "mine\n")
    }

    @Test("tables of which an analysis replaced only some are written again by --resume")
    func half() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        let steps = try folder.text("results/a1/steps.csv")
        try folder.write("results/a1/.incomplete", "")
        try folder.write("results/a1/steps.csv", "")
        let run = try footfall(
            "analyze", folder.path("a1.csv"), "--start", "2026-11-20 08:00", "--tz", "Europe/Berlin", "--tables",
            results, "--resume")
        #expect(run.status == 0 && run.errors.contains("1 trace is done already"), "\(run)")
        #expect(try folder.text("results/a1/steps.csv") == steps)
        #expect(!FileManager.default.fileExists(atPath: results + "/a1/.incomplete"))
    }

    @Test("the studies of several folders are joined as one is")
    func folders() throws {
        try week()
        let whole = try footfall("summarize", results, "--valid-day", "1min", "-o", "csv").output
        var parts: [String] = []
        for (name, trace, start) in [
            ("a1", "commute", "2026-11-20 08:00"), ("a2", "walk-wrist", "2026-11-21 08:00"),
            ("a3", "commute", "2026-11-23 08:00"), ("a4", "walk-wrist", "2026-11-23 18:00"),
            ("b1", "run-pocket", "2026-11-20 08:00"),
        ] {
            let part = folder.path("part-" + name)
            try FileManager.default.copyItem(
                atPath: RecordedHistory.trace(trace), toPath: folder.path(name + ".csv"))
            let run = try footfall(
                "analyze", folder.path(name + ".csv"), "--start", start, "--tz", "Europe/Berlin", "--tables", part)
            try #require(run.status == 0, "\(run)")
            parts.append(part)
        }
        let joined = try footfall(
            ["summarize"] + parts + ["--out", folder.path("joined"), "--valid-day", "1min", "-o", "csv"])
        #expect(joined.status == 0 && joined.output == whole, "\(joined)")
    }

    @Test("logs with one name in several folders are several persons, and a folder that is named twice is one")
    func sameNames() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        let other = folder.path("other")
        _ = try footfall("analyze", folder.path("a1.csv"), "--start", "2026-11-23 08:00", "--tables", other)
        func people(_ options: String...) throws -> [String: Int] {
            let run = try footfall(["summarize", results, other, other + "/."] + options + ["-o", "json"])
            try #require(run.status == 0, "\(run)")
            let rows = try run.records()
            return Dictionary(uniqueKeysWithValues: zip(rows.map { "\($0["person"] ?? "")" }, rows.integers("logs")))
        }
        #expect(try people() == ["results/a1": 1, "other/a1": 1])
        #expect(try people("--persons", folder.write("one.csv", "trace,person\na1,ann\n")) == ["ann": 2])
        let two = try folder.write("two.csv", "trace,person\nresults/a1.csv,ann\nother/a1,bea\n")
        #expect(try people("--persons", two) == ["ann": 1, "bea": 1])
    }

    @Test("--out takes the place of no table that is read")
    func outOverInput() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        let days = try folder.text("results/a1/days.csv")
        let run = try footfall("summarize", results, "--out", results + "/a1")
        #expect(run.status == 73 && run.errors.contains("read by this command"), "\(run)")
        #expect(try folder.text("results/a1/days.csv") == days)
    }

    @Test("persons.csv has some thirty columns, and all with --all-columns")
    func columns() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        func count(_ options: String...) throws -> Int {
            _ = try footfall(["summarize", results] + options)
            return try folder.text("results/persons.csv").split(separator: "\n")[0].split(separator: ",").count
        }
        #expect(try (25...40).contains(count()))
        #expect(try count("--all-columns") > 300)
    }

    @Test("logs of a person at the same time count once")
    func overlap() throws {
        try analyze(("a1", "commute", "2026-11-20 08:00"), ("a2", "commute", "2026-11-20 08:00"))
        let who = try folder.write("who.csv", "trace,person\na1,ann\na2,ann\n")
        let run = try footfall("summarize", results, "--persons", who, "-o", "json")
        #expect(run.errors.contains("a1 and a2, of ann, overlap in time"))
        let own = try rows(of: results + "/a1/days.csv")
        #expect(try rows(of: results + "/days.csv").map { $0["steps"] } == own.map { $0["steps"] })
    }

    @Test("--for ggir writes each quarter of an hour, with missing time, wear and steps, over a change of the clock")
    func ggir() throws {
        // 00:59 to 03:31 in Berlin before the clock goes from 2 to 3: ten minutes of motion, a gap of ten, a minute of
        // motion, and 71 min on a table.
        let start = 1_774_742_400 - 60
        let samples = (0..<92 * 750).filter { !(7500..<15_000).contains($0) }.map { row in
            let time = Double(row) / 12.5
            let z = row < 7500 || row < 15_750 ? 1 + 0.35 * sin(2 * .pi * 1.8 * time) : 1.00 + Double(row % 4) * 0.001
            let x = row < 15_750 ? 0.15 * sin(2 * .pi * 0.9 * time) : 0.01
            return String(format: "%.2f,%.4f,0.1,%.4f\n", Double(start) + time, x, z)
        }
        let log = try folder.write("a1.csv", "time,x,y,z\n" + samples.joined())
        try #require(try footfall("analyze", log, "--tables", results, "--tz", "Europe/Berlin").status == 0)
        let run = try footfall("summarize", results, "--for", "ggir")
        #expect(run.status == 0, "\(run.errors)")
        let lines = try folder.text("results/ggir/a1.csv").split(separator: "\n").map(String.init)
        let times = "2026-03-29 01:00:00 - 2026-03-29 03:29:55"
        #expect(lines[0] == "acceleration (mg) - \(times) - sampleRate = 5 seconds,imputed,steps")
        #expect(lines.count == 1 + 6 * 180)
        func slot(_ time: String?) throws -> Int {
            let date = try Date(try #require(time).prefix(19) + "Z", strategy: .iso8601)
            return Int(((date.timeIntervalSince1970 - Double(start + 60)) / 5).rounded(.down))
        }
        var expected = [String](repeating: "0,1,", count: 6 * 180)
        for epoch in try rows(of: results + "/a1/epochs.csv") {
            let slot = try slot(epoch["start"])
            guard expected.indices.contains(slot) else { continue }
            let enmo = try #require(epoch["enmoMg"])
            expected[slot] = "\(enmo),\(epoch["worn"] == "true" ? 0 : 1),"
        }
        var steps = [Int](repeating: 0, count: 6 * 180)
        for step in try rows(of: results + "/a1/steps.csv") {
            let slot = try slot(step["time"])
            if steps.indices.contains(slot) { steps[slot] += 1 }
        }
        #expect(Array(lines.dropFirst()) == zip(expected, steps).map { "\($0)\($1)" })
        #expect(lines[120...220].allSatisfy { $0 == "0,1,0" } && steps.reduce(0, +) > 500)
        #expect(lines.dropFirst(400).count { $0.contains(",1,") } > 500)
    }

    @Test("--for ggir names the logs without a file")
    func withoutFile() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        let run = try footfall("summarize", results, "--for", "ggir")
        #expect(run.status == 0 && run.errors.contains("a1 has no quarter of an hour"), "\(run.errors)")
        #expect(try footfall("summarize", results, "--for", "excel").status == 64)
    }

    @Test(
        "a table of persons is read as people, spreadsheets and R write it",
        arguments: [
            "trace,person\na1,Ann\nb1,Bob", "\u{FEFF}trace;person\r\na1;Ann\r\nb1;Bob\r\n",
            "trace\tperson\n\na1\tAnn\n  \nb1\tBob\n\n", "Trace,PERSON\na1,Ann\nb1,Bob\n",
            "trace, person\n a1 , Ann\nb1, Bob\n", "\"trace\",\"person\"\n\"a1\",\"Ann\"\n\"b1\",\"Bob\"\n",
            "\"\",\"trace\",\"person\"\n\"1\",\"a1\",\"Ann\"\n\"2\",\"b1\",\"Bob\"\n",
            "trace;person;start\na1;Ann;\nb1;Bob\n",
        ])
    func forms(table: String) throws {
        try week()
        let run = try footfall("summarize", results, "--persons", folder.write("who.csv", table), "-o", "json")
        try #require(run.status == 0, "\(run.errors)")
        #expect(try run.records().compactMap { $0["person"] as? String }.starts(with: ["Ann", "Bob"]))
    }

    @Test("names of logs and persons with line ends, quotes and separators are read back")
    func anyName() throws {
        let names = ["a\nb", "a\"b", "a,b;c", " a ", "ä\u{1F600}", "=a"]
        for name in names {
            try FileManager.default.copyItem(
                atPath: RecordedHistory.trace("walk-wrist"), toPath: folder.path(name + ".csv"))
        }
        let run = try footfall(["analyze"] + names.map { $0 + ".csv" } + ["--tables", "results"], in: folder.url)
        #expect(run.status == 0, "\(run.errors)")
        let summary = try footfall("summarize", results, "-o", "json")
        #expect(summary.status == 0, "\(summary.errors)")
        #expect(try Set(summary.records().compactMap { $0["person"] as? String }) == Set(names))
        let more = try footfall(["analyze", names[1] + ".csv", "--tables", "results", "--resume"], in: folder.url)
        #expect(more.status == 0, "\(more.errors)")
    }

    @Test("wrong folders and wrong tables of persons are refused")
    func refusals() throws {
        try analyze(("a1", "walk-wrist", "2026-11-20 08:00"))
        let empty = folder.url.appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let stopped = try folder.write("stopped/footfall.study", "")
        try folder.write("stopped/.footfall-draft", "")
        for (path, problem) in [
            (folder.path("none"), "does not exist"), (empty.path, "has no results"),
            ((stopped as NSString).deletingLastPathComponent, "has no results"),
            (folder.path("a1.csv"), "is no folder"),
        ] {
            let run = try footfall("summarize", path)
            #expect(run.status == 66 && run.errors.contains(problem) && run.output.isEmpty, "\(run)")
        }
        for (text, problem) in [
            ("log,who\na1,ann\n", "has no column trace"),
            ("trace,person\na1,\n", "who.csv:2: the row of 'a1' has no person"),
            ("trace,person\na1,ann\na1.csv,ben\n", "who.csv:3: 'a1.csv' is of ben, but of ann in row 2"),
            ("", "is empty"),
        ] {
            let run = try footfall("summarize", results, "--persons", try folder.write("who.csv", text))
            #expect(run.status == 65 && run.errors.contains(problem), "\(run.errors)")
        }
        #expect(try footfall("summarize", results, "--persons", folder.path("none.csv")).status == 66)
        #expect(try footfall("summarize", results, "--valid-day", "25h").status == 64)
        try Data("mine\n".utf8).write(to: URL(filePath: results + "/persons.csv"))
        #expect(try footfall("summarize", results).status == 73)
        #expect(try String(contentsOfFile: results + "/persons.csv", encoding: .utf8) == "mine\n")
    }
}
