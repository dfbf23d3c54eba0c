import Foundation
import TestSupport
import Testing

@Suite("Activity counts in the tables of analyze")
struct CountTablesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Ten minutes from a full minute on: y moves by 0.5 g at 2 Hz in the third to the seventh, and rests in the
    /// others.
    private func tables(_ options: String...) throws -> String {
        var text = "time,x,y,z\n"
        for row in 0..<600 * 30 {
            let second = Double(row) / 30
            let y = (120..<420).contains(second) ? 0.5 * sin(4 * .pi * second) : 0
            text += String(format: "%.6f,0,%.4f,-1\n", 1_700_000_040 + second, y)
        }
        let log = try folder.write("hip.csv", text)
        let results = folder.path("results")
        let run = try footfall(["analyze", log, "--unit", "g", "--tables", results, "--force"] + options)
        try #require(run.status == 0, "\(run.errors)")
        return results + "/hip"
    }

    private func numbers(_ name: String, _ rows: [[String: String]]) -> [Double?] {
        rows.map { Double($0[name] ?? "") }
    }

    @Test("minutes have the sums of their epochs, and days the mean of minutes")
    func sums() throws {
        let tables = try tables()
        let epochs = try rows(of: tables + "/epochs.csv")
        let minutes = numbers("countsY", try rows(of: tables + "/minutes.csv"))
        #expect(epochs.count == 120 && minutes.count == 10)
        for (minute, sum) in minutes.enumerated() {
            let parts = numbers("countsY", Array(epochs[minute * 12..<(minute + 1) * 12])).compactMap(\.self)
            #expect(parts.count == 12 && parts.reduce(0, +) == sum)
        }
        #expect(minutes[2...6].allSatisfy { $0 ?? 0 > 4000 } && minutes[..<2] == [0, 0] && minutes[8...] == [0, 0])
        #expect(numbers("countsX", epochs).allSatisfy { $0 == 0 })
        let day = try #require(rows(of: tables + "/days.csv").first)
        let mean = minutes.reduce(0) { $0 + ($1 ?? 0) } / 10
        #expect(abs(try #require(Double(day["countsYPerMinute"] ?? "")) - mean) < 0.051)
        #expect(day["countsVmPerMinute"] == day["countsYPerMinute"])
    }

    @Test("sets for counts take whole minutes, and a summary has them too")
    func cutPoints() throws {
        let tables = try tables("--cut-points", "freedson-adults-hip-actigraph", "--valid-day", "1min")
        let day = try #require(rows(of: tables + "/days.csv").first)
        // The band-pass rings for less than a minute after the motion.
        #expect(day["sedentaryMinutes"] == "5.0" && day["lightMinutes"] == "0.0" && day["mvpaMinutes"] == "5.0")
        #expect(day["mvpaBouts5Count"] == "1")
        let records = try footfall(
            "summarize", folder.path("results"), "--valid-day", "1min", "--cut-points", "counts-vm:1000,20000", "-o",
            "json"
        ).records()
        #expect(records.numbers("mvpaMinutesMean") == [5])
    }
}
