import Foundation
import TestSupport
import Testing

@Suite("Parts of the day")
struct DayPartTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func analyze(_ options: String...) throws -> Run {
        let log = ["analyze", RecordedHistory.trace("commute"), "--tables", folder.path("results")]
        return try footfall(log + options)
    }

    @Test("have the measures of their time by the wearer's clock, and add up to the day")
    func measures() throws {
        // The log starts at 8:00 in Berlin, which is 7:00 UTC.
        let run = try analyze(
            "--start", "2026-11-20T08:00", "--tz", "Europe/Berlin", "--cut-points", "hildebrand-adults-wrist-actigraph",
            "--part",
            "early 00:00-8:05", "--part", "the rest 08:05-24:00", "--part", "evening 20:00-22:00")
        try #require(run.status == 0, "\(run.errors)")
        let day = try #require(rows(of: folder.path("results/days.csv")).first)
        let parts = try rows(of: folder.path("results/dayparts.csv"))
        // The evening has no samples.
        #expect(parts.map { $0["part"] } == ["early", "the rest"])
        let starts = parts.compactMap { $0["startLocal"].map { String($0.suffix(12)) } }
        #expect(starts == ["08:00:00.000", "08:05:00.000"])
        #expect(parts.allSatisfy { $0["start"]?.hasSuffix("Z") == true && $0["valid"] == day["valid"] })
        for column in [
            "steps", "wearHours", "walkingMinutes", "sedentaryMinutes", "mvpaMinutes", "cadence100PlusSteps",
        ] {
            let values = (parts + [day]).compactMap { $0[column].flatMap(Double.init) }
            try #require(values.count == 3, "\(column)")
            let difference = values[0] + values[1] - values[2]
            #expect(abs(difference) < 0.02, "\(column) \(values)")
        }
        let ofDays: Set = ["m10EnmoMg", "nightHours", "steps5AtHours", "adjustedSteps"]
        #expect(ofDays.isDisjoint(with: parts[0].keys))
        // Joined again, the parts are those of the options.
        let again = try footfall("summarize", folder.path("results"), "--part", "rest 08:05-24:00")
        #expect(again.status == 0)
        let joined = try rows(of: folder.path("results/dayparts.csv"))
        #expect(joined.count == 1 && joined[0]["steps"] == parts[1]["steps"] && joined[0]["part"] == "rest")
    }

    @Test("are none without a date, whose times are no times of the clock")
    func undated() throws {
        #expect(try analyze("--part", "school 00:00-24:00").status == 0)
        #expect(try rows(of: folder.path("results/dayparts.csv")).isEmpty)
    }

    @Test(
        "that are none are refused",
        arguments: ["08:00-13:00", "school", "school 13:00-08:00", "s 8-13", "s 23:00-24:30"])
    func refusals(part: String) throws {
        let run = try analyze("--part", part)
        #expect(run.status == 64 && run.errors.contains("such as 'school 08:00-13:00'"), "\(run.errors)")
    }

    @Test("have names of their own, and need tables")
    func names() throws {
        #expect(
            try analyze("--part", "a 8:00-9:00", "--part", "a 9:00-10:00").errors.contains("two parts have one name"))
        let bare = try footfall("analyze", RecordedHistory.trace("commute"), "--part", "a 8:00-9:00")
        #expect(bare.status == 64 && bare.errors.contains("need the folder of --tables"))
    }
}
