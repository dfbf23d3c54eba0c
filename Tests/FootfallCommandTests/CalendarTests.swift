import Foundation
import TestSupport
import Testing

@Suite("Days and weeks of the wearer")
struct CalendarTests {
    /// Walks on 24 to 26 October 2026. On the 25th, the clock in Berlin goes back from 3:00 to 2:00.
    private static let autumn = Result {
        let history = try RecordedHistory()
        for start in [
            "2026-10-24T21:59:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T12:00:00Z",
            "2026-10-25T22:59:00Z",
        ] {
            try history.record("walk-wrist", start: start, tz: "Europe/Berlin")
        }
        return history
    }

    @Test("the day on which summer time ends has 25 hours")
    func longDay() throws {
        let history = try Self.autumn.get()
        let range = ["--since", "2026-10-24", "--until", "2026-10-27"]
        let days = try footfall(
            ["query", "steps", "--by", "day", "-o", "json", "--history", history.path] + range
        ).records()
        #expect(
            days.strings("start") == [
                "2026-10-23T22:00:00.000Z", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z",
            ])
        let steps = days.integers("steps")
        // Each midnight is in a walk of two minutes. The long day contains three further walks.
        #expect(steps[1] > 3 * steps[0] && steps.reduce(0, +) > 1000)
        #expect(steps[0] > 90 && steps[2] > 90)
        let hours = try footfall(
            ["query", "steps", "--by", "hour", "--since", "2026-10-25", "--until", "2026-10-26", "-o", "json"]
                + ["--history", history.path]
        ).records()
        #expect(hours.count == 25)
        #expect(
            hours[2].keys.count == 5 && (hours[2]["steps"] as? Int ?? 0) > 0 && (hours[3]["steps"] as? Int ?? 0) > 0)
        #expect(hours.integers("steps").reduce(0, +) == steps[1])
        // Hours without samples are included and have coverage 0.
        #expect(hours[5]["coverage"] as? Double == 0)
        let summary = try history.query("summary", "--since", "2026-10-25", "--until", "2026-10-26")
        #expect(summary.output.hasPrefix("Sunday 2026-10-25"))
        #expect(summary.output.contains("25 h 00 min"))
    }

    @Test("tables state the offsets where the clock changes, so that no end seems to be before its start")
    func offsets() throws {
        let history = try Self.autumn.get()
        let range = ["--since", "2026-10-25T01:00", "--until", "2026-10-25T04:00", "--history", history.path]
        for query in [["steps", "--by", "hour"], ["activities"], ["coverage"]] {
            let table = try footfall(["query"] + query + range).output
            #expect(table.contains("2026-10-25 02:30:00+02:00") || query[0] == "steps", "\(table)")
            #expect(table.contains("2026-10-25 02:00:00+01:00") || query[0] != "steps", "\(table)")
        }
        let analysis = try footfall(
            "analyze", RecordedHistory.trace("walk-wrist"), "--start", "2026-10-25T00:59:00Z", "--tz", "Europe/Berlin"
        ).output
        #expect(analysis.contains("02:59:00+02:00"), "\(analysis)")
        let winter = try history.query("steps", "--since", "2026-10-25T12:00", "--until", "2026-10-25T14:00").output
        #expect(!winter.contains("+01:00"), "\(winter)")
        let night = try RecordedHistory()
        try night.record("walk-wrist", start: "2026-10-25T00:59:00Z", tz: "Europe/Berlin")
        let cut = try night.query("activities", "--since", "2026-10-25T00:59:20Z", "--until", "2026-10-25T00:59:50Z")
            .output
        #expect(cut.contains("began 2026-10-25 02:59:00+02:00, went on until 2026-10-25 02:00"), "\(cut)")
    }

    @Test("another zone has other midnights")
    func otherZone() throws {
        let history = try Self.autumn.get()
        let run = try history.query(
            "steps", "--by", "day", "--tz", "America/New_York", "--since", "2026-10-25", "--until", "2026-10-26",
            "-o", "json")
        #expect(try run.records().strings("start") == ["2026-10-25T04:00:00.000Z"])
        #expect(try run.records().strings("end") == ["2026-10-26T04:00:00.000Z"])
        let table = try history.query("steps", "--tz", "Asia/Tokyo")
        #expect(table.output.contains("2026-10-25 06:59:00"))
    }

    @Test("weeks start on Monday and add up")
    func weeks() throws {
        let history = try RecordedHistory()
        for day in ["2026-11-01", "2026-11-02", "2026-11-08", "2026-11-18"] {
            try history.record("walk-wrist", start: "\(day)T12:00:00Z", "--keep", "30d")
        }
        let range = ["--since", "2026-11-02", "--until", "2026-11-23", "--history", history.path, "-o", "json"]
        let weeks = try footfall(["query", "steps", "--by", "week"] + range).records()
        #expect(
            weeks.strings("start") == ["02", "09", "16"].map { "2026-11-\($0)T00:00:00.000Z" })
        let steps = weeks.integers("steps")
        #expect(steps[0] == 2 * steps[2] && steps[1] == 0)
        #expect(weeks.compactMap { $0["coverage"] as? Double }[1] == 0)
        #expect(try footfall(["query", "steps"] + range).records().integers("steps") == [steps.reduce(0, +)])
    }

    @Test("times of a wearer who travels are in the zone of their recording")
    func travel() throws {
        let history = try RecordedHistory()
        try history.record("walk-wrist", start: "2026-11-18T12:00:00+01:00", tz: "Europe/Berlin")
        try history.record("walk-wrist", start: "2026-11-20T12:00:00-05:00", tz: "America/New_York")
        let table = try history.query("activities").output
        #expect(table.contains("2026-11-18 12:00:00") && table.contains("2026-11-20 12:00:00"), "\(table)")
    }
}
