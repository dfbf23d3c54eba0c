import Foundation
import TestSupport
import Testing

@Suite("The length of epochs")
struct EpochLengthTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("is that of --epoch in the tables, in all measures that follow, and when they are joined again")
    func tables() throws {
        let (log, results) = (RecordedHistory.trace("commute"), folder.path("results"))
        let options = [
            "--tables", results, "--start", "2026-11-20 08:00", "--cut-points", "hildebrand-adults-wrist-actigraph",
        ]
        var minutes: [String: Double] = [:]
        for length in [1, 5, 60] {
            let epoch = String(length)
            let run = try footfall(["analyze", log, "--epoch", epoch] + options)
            try #require(run.status == 0, "\(run.errors)")
            let epochs = try rows(of: results + "/commute/epochs.csv")
            let starts = epochs.compactMap { $0["start"].flatMap { Int($0.dropFirst(17).prefix(2)) } }
            #expect(starts.count == epochs.count)
            #expect(starts.allSatisfy { $0.isMultiple(of: length) })
            let day = try #require(rows(of: results + "/days.csv").first)
            #expect(day["epochSeconds"] == epoch)
            // The time of all levels is that of the epochs.
            let levels = ["sedentary", "light", "mvpa"].compactMap { day[$0 + "Minutes"].flatMap(Double.init) }
            let (time, expected) = (levels.reduce(0, +), Double(epochs.count * length) / 60)
            #expect(abs(time - expected) < 0.05)
            minutes[epoch] = day["mvpaMinutes"].flatMap(Double.init)
            let own = try folder.text("results/commute/days.csv")
            #expect(try footfall("summarize", results).status == 0)
            #expect(try folder.text("results/days.csv") == own)
            let note = try footfall("summarize", results, "--for", "ggir").errors
            let isRefused = note.contains("has epochs of \(epoch) s")
            #expect(isRefused == (length != 5))
        }
        // Long epochs average short efforts, so the times differ.
        #expect(Set(minutes.values).count > 1 && minutes.count == 3, "\(minutes)")
    }

    @Test("is one of five, needs tables, and divides the epochs of cut points in counts")
    func refusals() throws {
        let (log, tables) = (RecordedHistory.trace("walk-wrist"), folder.path("results"))
        #expect(try footfall("analyze", log, "--tables", tables, "--epoch", "7").status == 64)
        let bare = try footfall("analyze", log, "--epoch", "15")
        #expect(bare.status == 64 && bare.errors.contains("--epoch needs the folder of --tables"))
        let cut = ["--cut-points", "evenson-children-hip-actigraph"]
        let long = try footfall(["analyze", log, "--tables", tables, "--epoch", "30"] + cut)
        #expect(long.status == 64 && long.errors.contains("Write --epoch 15 or a shorter one"), "\(long.errors)")
        #expect(try footfall(["analyze", log, "--tables", tables, "--epoch", "15"] + cut).status == 0)
    }

    @Test("is one for a person: the epochs of a log with another are left out, with a message")
    func twoLengths() throws {
        for (name, epoch) in [("commute", "5"), ("walk-wrist", "15")] {
            let start = name == "commute" ? "2026-11-20 08:00" : "2026-11-20 18:00"
            let run = try footfall(
                "analyze", RecordedHistory.trace(name), "--tables", folder.path(name), "--epoch", epoch, "--start",
                start)
            try #require(run.status == 0, "\(run.errors)")
        }
        let who = try folder.write("who.csv", "trace,person\ncommute,ann\nwalk-wrist,ann\n")
        let alone = try #require(rows(of: folder.path("commute/days.csv")).first)
        let run = try footfall(
            "summarize", folder.path("commute"), folder.path("walk-wrist"), "--persons", who, "--out",
            folder.path("joined"))
        #expect(run.errors.contains("walk-wrist, of ann, has epochs of 15 s, but commute of 5 s"), "\(run.errors)")
        let joint = try #require(rows(of: folder.path("joined/days.csv")).first)
        #expect(joint["enmoMg"] == alone["enmoMg"] && joint["logs"] == "2" && joint["steps"] != alone["steps"])
    }
}
