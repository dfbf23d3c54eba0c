import Foundation
import TestSupport
import Testing

@Suite("Nights in the tables")
struct NightTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Two simulated days.
    private static let simulated = Result {
        let folder = try Folder()
        let log = folder.path("wrist.csv")
        try #require(
            try footfall("simulate", "day", "--rate", "12.5", "--duration", "172800", "--out", log).status == 0)
        return folder
    }

    /// The days of the table of two days from a noon in Berlin, with nights.
    private func days(_ options: String...) throws -> [[String: String]] {
        let log = try Self.simulated.get().path("wrist.csv")
        let place = ["--start", "2026-11-20T12:00", "--tz", "Europe/Berlin", "--tables", folder.path("results")]
        let run = try footfall(["analyze", log] + place + options)
        try #require(run.status == 0, "\(run.errors)")
        return try rows(of: folder.path("results/days.csv"))
    }

    @Test("are empty unless the sensor is stated to be at the wrist, where the rule is validated")
    func placements() throws {
        for options in [[], ["--placement", "pocket"], ["--placement", "hip"]] {
            let days = try options.isEmpty ? days() : days(options[0], options[1])
            #expect(days.count == 3 && days.allSatisfy { $0["nightHours"] == "" && $0["enmoMgWaking"] == "" })
            #expect(days.allSatisfy { $0["nightStart"] == "" && $0["nightEndLocal"] == "" })
            let stated = options.last ?? ""
            #expect(days.allSatisfy { $0["placement"] == stated })
        }
    }

    @Test("start and end in columns of their own, and contain no bout of steps above a minute")
    func columns() throws {
        let days = try days("--placement", "wrist")
        let bouts = try rows(of: folder.path("results/wrist/bouts.csv"))
        var nights = 0
        for day in days {
            guard let start = day["nightStart"], let end = day["nightEnd"], !start.isEmpty else { continue }
            nights += 1
            #expect(start < end && start.hasSuffix("Z") && day["nightStartLocal"]?.hasSuffix("Z") == false)
            for bout in bouts {
                guard let duration = bout["duration"].flatMap(Double.init), duration > 60 else { continue }
                let (first, last) = (try #require(bout["start"]), try #require(bout["end"]))
                #expect(last <= start || first >= end, "\(bout)")
            }
        }
        // The tables of all logs are computed from those of each: with the placement that these state.
        let own = try folder.text("results/wrist/days.csv")
        #expect(try footfall("summarize", folder.path("results")).status == 0)
        #expect(try folder.text("results/days.csv") == own)
        #expect(nights > 0)
    }

    @Test("that a person states are used at any placement")
    func diary() throws {
        _ = try days("--placement", "pocket")
        let who = try folder.write("who.csv", "trace,person,night\nwrist,ann,22:30-06:30\n")
        #expect(try footfall("summarize", folder.path("results"), "--persons", who).status == 0)
        let day = try rows(of: folder.path("results/days.csv"))[1]
        #expect(day["nightStart"] == "2026-11-20T21:30:00.000Z" && day["nightEnd"] == "2026-11-21T05:30:00.000Z")
        #expect(day["nightStartLocal"] == "2026-11-20T22:30:00.000" && day["nightHours"] == "8.0")
    }
}
