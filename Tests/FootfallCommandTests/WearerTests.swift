import Footfall
import Foundation
import TestSupport
import Testing

/// The night of a person in the table of `summarize --persons`.
@Suite("summarize --persons")
struct WearerTests {
    private let folder: Folder
    private var results: String { folder.path("results") }

    init() throws { folder = try Folder() }

    /// Analyses a simulated walk of 45 s at the lower back.
    private func walk() throws {
        let walk = folder.path("walk.csv")
        try #require(
            try footfall("simulate", "walk", "--placement", "hip", "--duration", "45", "--rate", "50", "--out", walk)
                .status == 0)
        let run = try footfall(
            "analyze", walk, "--tables", results, "--start", "2026-11-20 08:00", "--placement", "lower-back")
        try #require(run.status == 0, "\(run.errors)")
    }

    /// Adds a log of rest between two times in Berlin.
    private func log(_ name: String, from start: String, to end: String) throws {
        let range = try Timestamp(iso: start)..<Timestamp(iso: end)
        try RestingLog(name: name, range: range, timeZone: "Europe/Berlin", cutPoints: "enmo:45,100,430")
            .add(to: results)
    }

    private func days(_ who: String, errors: String? = nil) throws -> [[String: String]] {
        let table = try folder.write("who.csv", who)
        let run = try footfall("summarize", results, "--persons", table)
        #expect(run.status == 0, "\(run.errors)")
        if let errors { #expect(run.errors.contains(errors), "\(run.errors)") }
        let text = try folder.text("results/days.csv").replacing("\"enmo:45,100,430\"", with: "")
        let path = try folder.write("days.csv", text)
        return try rows(of: path)
    }

    @Test("a night has its hours by the clock, over midnight and over both changes of the clock")
    func night() throws {
        try log("spring", from: "2026-03-28T12:00:00+01:00", to: "2026-03-30T12:00:00+02:00")
        try log("autumn", from: "2026-10-24T23:30:00+02:00", to: "2026-10-26T12:00:00+01:00")
        func hours(_ night: String) throws -> [Double] {
            let who = "trace,person,night\nspring,ann,\(night)\nautumn,ben,\(night)\n"
            return try days(who).compactMap { $0["nightHours"].flatMap(Double.init) }
        }
        // The clock skips 2 to 3 on March 29, and repeats it on October 25; the autumn's log starts at 23:30.
        #expect(try hours("23:00-07:00") == [1, 7, 7, 0.5, 9, 7])
        #expect(try hours("0:30-07:00") == [0, 5.5, 6.5, 0, 7.5, 6.5])
        #expect(try hours("09:00-17:00") == [5, 8, 3, 0, 8, 3])
        #expect(try hours("02:30-04:00") == [0, 1, 1.5, 0, 2.5, 1.5])
        let day = try days("trace,person,night\nspring,ann,23:00-07:00\nautumn,ben,\n")[1]
        #expect(day["wornHoursWaking"] == "16.0" && day["sedentaryMinutesWaking"] == "960.0")
    }

    @Test(
        "a night that is none is not used, and the night is found in the samples",
        arguments: ["22:30", "24:00-06:00", "22:30-22:30", "bed", "22:30-6:5"])
    func noNight(text: String) throws {
        try walk()
        let found = try days("trace,person\nwalk.csv,ann\n")
        let message =
            "who.csv:2: night is '\(text)', which is not used; write two times, such as 22:30-06:30, or leave it empty"
        #expect(try days("trace,person,night\nwalk.csv,ann,\(text)\n", errors: message) == found)
    }

    @Test("of two nights of one person, the first is used, and the other is named")
    func twoNights() throws {
        try walk()
        let who = "trace,person,night\nwalk.csv,ann,22:30-06:30\nother.csv,ann,23:00-06:30\n"
        let message = "who.csv:3: night is '23:00-06:30', but an earlier row of ann has another, which is used"
        #expect(try days(who, errors: message).count == 1)
    }
}
