import Foundation
import TestSupport
import Testing

/// The table of WISDM (Lockhart et al. 2011): one person after the other, each with a clock of the phone since its
/// start.
@Suite("A table of several persons")
struct EachTests {
    private let folder: Folder
    private let table: String
    private let counts: [Int]

    init() throws {
        folder = try Folder()
        var text = "user,activity,timestamp,x,y,z\n"
        var counts: [Int] = []
        for (user, clock) in [(33, 49_000.0), (17, 12_000.0)] {
            let log = try folder.write(
                "one.csv",
                try footfall(
                    "simulate", "walk", "--placement", "wrist", "--rate", "50", "--duration", "60", "--seed",
                    "\(user)", "--out", "-"
                ).output)
            let rows = try folder.text("one.csv").split(separator: "\n").dropFirst()
            for row in rows {
                let numbers = row.split(separator: ",").compactMap { Double($0) }
                guard numbers.count >= 4 else { continue }
                let values = numbers[1...3].map { String(format: "%.4f", $0 * 9.80665) }
                text += "\(user),Walking,\(Int64((clock + numbers[0]) * 1e9)),\(values.joined(separator: ","))\n"
            }
            let record = try #require(try footfall("analyze", log, "-o", "json").records().first)
            #expect((record["steps"] as? Int ?? 0) > 40)
            counts.append(record["steps"] as? Int ?? 0)
        }
        (table, self.counts) = (try folder.write("persons.csv", text), counts)
    }

    @Test("is refused with the options that choose one, or analyze all")
    func refusal() throws {
        let run = try footfall("analyze", table)
        #expect(run.status == 65)
        for word in ["'user' (33: ", "--where user=33", "--where user=17", "--each user"] {
            #expect(run.errors.contains(word), "\(run.errors)")
        }
        for (user, count) in zip([33, 17], counts) {
            let record = try #require(
                try footfall("analyze", table, "--where", "user=\(user)", "-o", "json").records().first)
            #expect(record["steps"] as? Int == count)
        }
    }

    @Test("is refused too where each clock is later than the one before", arguments: [true, false])
    func laterClock(hasTitles: Bool) throws {
        let rows = try folder.text("persons.csv").split(separator: "\n")
        let sorted = rows.filter { $0.hasPrefix("17,") } + rows.filter { $0.hasPrefix("33,") }
        let later = try folder.write(
            "later.csv", ((hasTitles ? [rows[0]] : []) + sorted).joined(separator: "\n") + "\n")
        let run = try footfall("analyze", later)
        let column = hasTitles ? "user" : "1"
        #expect(run.status == 65 && run.errors.contains("--where \(column)=17"), "\(run)")
        // The explanation reads the opening, which has one person.
        let explanation = try footfall("analyze", "--explain", later)
        #expect(explanation.status == 65 && explanation.output.contains("--where \(column)=17"), "\(explanation)")
        let records = try footfall("analyze", later, "--each", column, "-o", "json").records()
        #expect(records.map { $0["steps"] as? Int } == Array(counts.reversed()))
    }

    @Test("has a result and a row of tables for each with --each")
    func each() throws {
        let records = try footfall("analyze", table, "--each", "user", "--tables", folder.path("results"), "-o", "json")
            .records()
        #expect(records.map { $0["trace"] as? String } == ["persons-33.csv", "persons-17.csv"])
        #expect(records.map { $0["steps"] as? Int } == counts)
        let persons = try folder.text("results/persons.csv")
        #expect(persons.contains("persons-33") && persons.contains("persons-17"), "\(persons)")
        let other = try footfall("analyze", table, "--each", "nobody")
        #expect(other.status == 65 && other.errors.contains("nobody"))
    }

    @Test("is not divided by the time, an axis or a number of each row", arguments: ["timestamp", "y", "5", "row"])
    func noSeries(column: String) throws {
        let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
        let log = try folder.write(
            "rows.csv", rows.enumerated().map { "\($1),\($0 == 0 ? "row" : "\($0 / 9)")\n" }.joined())
        let run = try footfall("analyze", log, "--each", column)
        #expect(run.status == 65 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("column '\(column)'") && run.errors.contains("no series apart"), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("names the series that cannot be analyzed")
    func shortSeries() throws {
        let log = try folder.write(
            "short.csv", try String(contentsOfFile: table, encoding: .utf8) + "9,Walking,1,0.1,0.2,9.8\n")
        let run = try footfall("analyze", log, "--each", "user")
        #expect(run.status == 65 && run.errors.hasPrefix("footfall: short-9.csv:"), "\(run.errors)")
    }
}
