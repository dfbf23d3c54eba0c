import Footfall
import Foundation
import TestSupport
import Testing

@testable import FootfallStudy

/// The tables under the names of other programs, and the columns that these programs have too.
@Suite("Columns of other programs")
struct NamedTablesTests {
    private let folder: Folder
    private var results: String { folder.path("results") }

    init() throws { folder = try Folder() }

    /// Adds a log of two days in UTC: the first is worn and has a step each minute, the second ends at 20:00.
    private func log() throws {
        let first = try Timestamp(iso: "2026-11-20T00:00:00Z")
        let log = RestingLog(
            name: "log", range: first..<first.advanced(bySeconds: 44 * 3600),
            calibration: CalibrationState(word: "noGain", errorBeforeMg: 14.2, errorAfterMg: 14.2),
            steps: (0..<1440).map { Step(time: first.advanced(bySeconds: 60 * Double($0))) })
        try log.add(to: results, enmoMg: { Double($0 * 5 % 3600 / 36) }, clipped: 0.01)
    }

    private func summarize(_ options: String...) throws {
        let run = try footfall(["summarize", results] + options)
        try #require(run.status == 0, "\(run.errors)")
    }

    @Test("stepcount's names have days, and statistics of days where all days are valid")
    func stepcount() throws {
        try log()
        try summarize("--names", "stepcount")
        let days = try rows(of: results + "/days-stepcount.csv")
        #expect(days.map { $0["Date"] } == ["2026-11-20", "2026-11-21"] && days.map { $0["Steps"] } == ["1440", "0"])
        let own = try rows(of: results + "/days.csv")
        #expect(days.map { $0["ENMO(mg)"] } == own.map { $0["enmoMg"] })
        let person = try #require(try rows(of: results + "/persons-stepcount.csv").first)
        #expect(person["Filename"] == "log" && person["TotalSteps"] == "1440")
        #expect(person["WearTime(days)"].flatMap(Double.init).map { abs($0 - 44.0 / 24) < 1e-4 } == true)
        #expect(person["StepsDayMin"] == "0" && person["StepsDayMax"] == "1440" && person["StepsDayAvg"] == "720.0")
        try summarize("--names", "stepcount", "--valid-day", "22h", "--force")
        let part = try #require(try rows(of: results + "/persons-stepcount.csv").first)
        #expect(part["StepsDayMin"] == "" && part["StepsDayAvg"] == "" && part["TotalSteps"] == "1440")
    }

    @Test("GGIR's names have the day, and ENMO where no time is missing")
    func ggir() throws {
        try log()
        try summarize("--names", "ggir", "--valid-day", "16h")
        let days = try rows(of: results + "/days-ggir.csv")
        #expect(days.map { $0["calendar_date"] } == ["2026-11-20", "2026-11-21"])
        #expect(days.map { $0["N valid hours"] } == ["24.0", "20.0"])
        #expect(days.map { $0["mean_ENMO_mg_0-24hr"] == "" } == [false, true])
        let person = try #require(try rows(of: results + "/persons-ggir.csv").first)
        #expect(person["N valid WKdays"] == "1" && person["N valid WEdays"] == "1")
    }

    @Test("the names of both programs have their tables")
    func both() throws {
        try log()
        let run = try footfall("summarize", results, "--names", "stepcount", "--names", "ggir", "--names", "stepcount")
        #expect(run.output.contains("persons.csv, days.csv, persons-stepcount.csv, days-stepcount.csv, "), "\(run)")
        for name in ["days-stepcount", "persons-stepcount", "days-ggir", "persons-ggir"] {
            #expect(try rows(of: results + "/\(name).csv").count == (name.hasPrefix("days") ? 2 : 1), "\(name)")
        }
    }

    @Test("persons have the extremes of valid days, and the means of the hours of the clock")
    func hours() throws {
        try log()
        try summarize("--all-columns")
        let person = try #require(try rows(of: results + "/persons.csv").first)
        #expect(person["stepsMin"] == "0" && person["stepsMax"] == "1440")
        // Both days have 10:00, only the first has 23:00.
        #expect(person["stepsHour10"] == "30.0" && person["stepsHour23"] == "60.0")
        #expect(person["enmoMgHour10"] == "49.44" && person["enmoMgHour23"] == "49.44")
    }

    @Test("days and persons state the calibration, its error and the clipped samples")
    func calibration() throws {
        try log()
        try summarize("--all-columns")
        let day = try #require(try rows(of: results + "/days.csv").first)
        #expect(day["calibration"] == "noGain" && day["calibrationErrorAfterMg"] == "14.2")
        #expect(day["clippedPercent"] == "1.0")
        let person = try #require(try rows(of: results + "/persons.csv").first)
        #expect(person["calibration"] == "noGain" && person["calibrationErrorAfterMgMean"] == "14.2")
        let log = RecordedHistory.trace("walk-wrist")
        for (options, state) in [([], "notAsked"), (["--calibrate", "--force"], "tooLittleStillness")] {
            let run = try footfall(["analyze", log, "--tables", folder.path("tables")] + options)
            #expect(run.status == 0, "\(run.errors)")
            let row = try #require(try rows(of: folder.path("tables/walk-wrist/days.csv")).first)
            #expect(row["calibration"] == state && row["calibrationErrorAfterMg"] == "")
        }
    }
}
