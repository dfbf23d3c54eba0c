import Foundation
import TestSupport
import Testing

@Suite("Times of tables")
struct LocalTimeTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Each column of times, its values in UTC and by the clock.
    private func times(_ table: String) throws -> [(column: String, utc: [String], local: [String])] {
        let rows = try rows(of: folder.path("results/walk-wrist/\(table).csv"))
        let columns = try #require(rows.first).keys.filter { $0.hasSuffix("Local") }.map { String($0.dropLast(5)) }
        return columns.map { column in
            // The night of a log of two minutes is not known.
            let known = rows.filter { $0[column] != "" || $0[column + "Local"] != "" }
            return (column, known.compactMap { $0[column] }, known.compactMap { $0[column + "Local"] })
        }
    }

    @Test("are UTC, and those of the wearer's clock are in columns of their own, over a change of the clock")
    func tables() throws {
        // The clock in Berlin goes back from 3:00 to 2:00 at 1:00 UTC, in the middle of the walk.
        let run = try footfall(
            "analyze", RecordedHistory.trace("walk-wrist"), "--start", "2026-10-25T00:59:00Z", "--tz", "Europe/Berlin",
            "--tables", folder.path("results"))
        try #require(run.status == 0, "\(run.errors)")
        for table in ["steps", "epochs", "gait", "bouts", "activities", "minutes", "hours", "days"] {
            let times = try times(table)
            #expect(!times.isEmpty, "\(table)")
            for (column, utc, local) in times {
                #expect(utc.allSatisfy { $0.hasSuffix("Z") }, "\(table) \(column)")
                for (moment, clock) in zip(utc, local) {
                    // Summer time before 1:00 UTC, then winter time: both are 2 o'clock.
                    let offset = moment < "2026-10-25T01:00" ? 2 : 1
                    let hour = try #require(Int(moment.dropFirst(11).prefix(2)))
                    let text = String(format: "%02d", (hour + offset) % 24)
                    #expect(clock.dropFirst(11).prefix(2) == text, "\(table) \(column) \(moment) \(clock)")
                    #expect(clock.dropFirst(13) == moment.dropFirst(13).dropLast(), "\(table) \(column)")
                }
            }
        }
    }

    @Test("of queries are UTC too, and --tz adds those of its clock to CSV")
    func queries() throws {
        let history = try RecordedHistory.walk()
        let options = ["-o", "csv", "--since", "2026-11-20", "--until", "2026-11-21", "--history", history.path]
        let plain = try footfall(["query", "steps"] + options).output
        let zoned = try footfall(["query", "steps", "--tz", "Europe/Berlin"] + options).output
        #expect(plain.hasPrefix("start,end,") && !plain.contains("Local"))
        let lines = zoned.split(separator: "\n")
        #expect(lines.first?.hasSuffix(",startLocal,endLocal") == true)
        #expect(lines.last?.hasPrefix("2026-11-19T23:00:00.000Z,2026-11-20T23:00:00.000Z,") == true, "\(zoned)")
        #expect(lines.last?.hasSuffix(",2026-11-20T00:00:00.000,2026-11-21T00:00:00.000") == true, "\(zoned)")
    }
}
