import Foundation
import TestSupport
import Testing

/// The measures of gait in the tables of `footfall analyze`, and those of days in `footfall query`.
@Suite("Measures")
struct MeasureTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A simulated walk of a minute and its tables of gait, as rows by column.
    private func gait(rate: Double, _ options: String...) throws -> (
        bouts: [[String: String]], days: [[String: String]]
    ) {
        let walk = folder.path("walk.csv")
        let simulation = [
            "walk", "--placement", "hip", "--duration", "45", "--rate", "\(rate)", "--out", walk, "--force",
        ]
        try #require(try footfall(["simulate"] + simulation).status == 0)
        let run = try footfall(
            ["analyze", walk, "--tables", folder.path("results"), "--start", "2026-11-20 08:00"] + options)
        try #require(run.status == 0, "\(run.errors)")
        return (try table("gait"), try table("gaitdays"))
    }

    private func table(_ name: String) throws -> [[String: String]] {
        let text = try String(contentsOfFile: folder.path("results/walk/\(name).csv"), encoding: .utf8)
        let rows = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(rows[0], $0)) }
    }

    @Test("of gait are in a row for each gait bout, and in one for each day")
    func gaitTables() throws {
        let (bouts, days) = try gait(rate: 50, "--placement", "lower-back")
        let bout = try #require(bouts.first)
        #expect(bouts.count == 1)
        #expect(bout["start"]?.hasPrefix("2026-11-20T08:00:0") == true)
        #expect(abs(try #require(Double(bout["stepTime"] ?? "")) - 60.0 / 110) < 0.02)
        for measure in [
            "strideTimeSd", "stepTimeAsymmetry", "stepRegularity", "harmonicRatio", "spectralArcLength", "rmsXMg",
            "rmsZMg", "verticalExcursion",
        ] {
            #expect(Double(bout[measure] ?? "") != nil, "\(measure)")
        }
        #expect(bout["withheld"] == "")
        let day = try #require(days.first)
        #expect(days.count == 1 && day["date"] == "2026-11-20" && day["bouts"] == "1")
        #expect(day["harmonicRatioMedian"] == bout["harmonicRatio"] && day["harmonicRatioIqr"] == "0.0")
    }

    @Test("of gait are withheld where rate or placement cannot carry them, with the reason")
    func withheldGait() throws {
        let slow = try #require(try gait(rate: 12.5, "--placement", "lower-back").bouts.first)
        #expect(slow["harmonicRatio"] == "" && slow["stepTime"] != "")
        let text = try String(contentsOfFile: folder.path("results/walk/gait.csv"), encoding: .utf8)
        #expect(text.contains("harmonicRatio: 12.5 Hz is too low, 3"))
        let wrist = try #require(try gait(rate: 50, "--placement", "wrist").bouts.first)
        #expect(wrist["withheld"]?.hasSuffix("not validated at the placement wrist") == true)
        let unknown = try gait(rate: 50)
        #expect(unknown.bouts.first?["withheld"]?.hasSuffix("the placement is not stated") == true)
        #expect(unknown.days.first?["harmonicRatioMedian"] == "" && unknown.days.first?["stepTimeMedian"] != "")
    }

    @Test("of gait take bouts of the length of --gait-bout")
    func boutLength() throws {
        #expect(try gait(rate: 25, "--gait-bout", "50s").bouts.isEmpty)
        #expect(try gait(rate: 25, "--gait-bout", "20s").bouts.count == 1)
        let log = folder.path("walk.csv")
        #expect(try footfall("analyze", log, "--placement", "wrist").status == 64)
        #expect(try footfall("analyze", log, "--tables", folder.path("t"), "--gait-bout", "2min").status == 64)
        #expect(try footfall("analyze", log, "--tables", folder.path("t"), "--placement", "back").status == 64)
    }

    @Test("of days follow from the steps of a history")
    func days() throws {
        let history = try RecordedHistory.walk()
        let steps = try history.records("steps", "--since", "2026-11-20", "--until", "2026-11-21")
        let days = try history.records("measures", "--since", "2026-11-20", "--until", "2026-11-21", "--by", "day")
        let day = try #require(days.first)
        #expect(days.count == 1)
        #expect(day["steps"] as? Int == steps.first?["steps"] as? Int)
        #expect(day["coverage"] as? Double == steps.first?["coverage"] as? Double)
        // Minutes of a walk: the best one has the cadence of the walk, and there are no 30.
        let minutes = try history.records("steps", "--since", "2026-11-20", "--until", "2026-11-21", "--by", "1m")
        #expect(
            day["peakCadence1Spm"] as? Double == (minutes.compactMap { $0["steps"] as? Int }.max().map(Double.init)))
        #expect(day["peakCadence30Spm"] is NSNull)
        #expect(day["valid"] as? Bool == false)
        let valid = try history.records(
            "measures", "--since", "2026-11-20", "--until", "2026-11-21", "--valid-day", "1min")
        #expect(valid.first?["valid"] as? Bool == true)
        let table = try history.query("measures", "--since", "2026-11-20", "--until", "2026-11-21").output
        #expect(table.contains("Friday 2026-11-20") && table.contains("not valid"))
        #expect(table.contains("; 0 of 1 day valid"), "\(table)")
        #expect(try history.query("measures", "--by", "hour").status == 64)
    }

    @Test("of days are the same in a query of a history and in the tables, also of parts of days")
    func sameDays() throws {
        let (history, tables) = (folder.path("steps.sqlite"), folder.path("tables"))
        let run = try footfall(
            "analyze", RecordedHistory.trace("commute"), "--start", "2026-11-20 23:54", "--tz", "Europe/Berlin",
            "--history", history, "--source", "wrist", "--tables", tables)
        try #require(run.status == 0, "\(run.errors)")
        let answers = try footfall("query", "measures", "--history", history, "-o", "json").records()
        let days = try rows(of: tables + "/days.csv")
        #expect(days.count == 2 && answers.count == 2)
        for (answer, day) in zip(answers, days) {
            let shared = Set(answer.keys).intersection(day.keys).subtracting(["start", "end", "valid"])
            #expect(shared.count > 40 && shared.contains("steps5AtHours"))
            for name in shared {
                #expect((answer[name] as? NSNumber)?.doubleValue == day[name].flatMap(Double.init), "\(name)")
            }
        }
        #expect(days[0]["steps5AtHours"].flatMap(Double.init).map { $0 > 23.8 } == true)
    }

    @Test("of a day without data are empty, not 0")
    func noData() throws {
        let day = try #require(
            try RecordedHistory.walk().records("measures", "--since", "2026-11-22", "--until", "2026-11-23").first)
        #expect(day["peakCadence1Spm"] is NSNull && day["cadence0Minutes"] is NSNull)
        #expect(day["coverage"] as? Double == 0)
    }

    @Test("of bouts have the time since the last one, and how the cadence spreads")
    func bouts() throws {
        let run = try footfall("analyze", RecordedHistory.trace("commute"), "--tables", folder.path("tables"))
        try #require(run.status == 0, "\(run.errors)")
        let bouts = try rows(of: folder.path("tables/commute/bouts.csv"))
        let steps = try rows(of: folder.path("tables/commute/steps.csv")).compactMap {
            $0["offset"].flatMap(Double.init)
        }
        #expect(bouts.count > 1 && bouts[0]["sinceLast"] == "")
        let breaks = zip(steps, steps.dropFirst()).map { $1 - $0 }.filter { $0 > 10 }
        let stated = bouts.compactMap { $0["sinceLast"].flatMap(Double.init) }
        #expect(zip(breaks, stated).allSatisfy { abs($0 - $1) < 0.002 } && breaks.count == stated.count)
        for bout in bouts where (bout["steps"].flatMap(Int.init) ?? 0) > 100 {
            let values = ["cadenceQ25", "cadenceQ50", "cadenceQ75", "cadence"].compactMap {
                bout[$0].flatMap(Double.init)
            }
            #expect(values.count == 4 && values[0] <= values[1] && values[1] <= values[2])
            // A pause within a bout lowers its mean cadence only, and a run after a walk raises the upper quartile
            // more.
            #expect(values[3] < values[2] + 5 && bout["cadenceSd"].flatMap(Double.init) ?? -1 >= 0)
        }
    }
}
