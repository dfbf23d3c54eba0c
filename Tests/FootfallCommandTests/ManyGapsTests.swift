import Foundation
import TestSupport
import Testing

/// A log with more gaps than are kept in memory.
@Suite("A log with many gaps")
struct ManyGapsTests {
    private static let pieces = 20_000
    private let folder: Folder
    private let log: String

    /// Pieces of a second, four seconds apart; then a walk; then a rest of two hours.
    init() throws {
        folder = try Folder()
        var text = "time,x,y,z\n"
        for piece in 0..<Self.pieces {
            for row in 0..<13 { text += "\(piece * 4).\(row * 7 + 10),0.01,0.00\(row % 7),1.0\(row % 3)\n" }
        }
        let start = Double(Self.pieces * 4) + 10
        for row in 0..<1500 {
            let time = Double(row) / 12.5
            let x = 0.15 * sin(2 * .pi * 0.9 * time)
            let z = 1 + 0.35 * sin(2 * .pi * 1.8 * time) + Double(row % 7) * 0.0005
            text += String(format: "%.2f,%.4f,0.1,%.4f\n", start + time, x, z)
        }
        for row in 1500..<91_500 {
            text += "\(Double(Self.pieces * 400 + 1000 + row * 8) / 100),0.01,0.1,1.00\(row % 4)\n"
        }
        log = try folder.write("gaps.csv", text)
    }

    @Test("has all of them, and what follows, in each output")
    func outputs() throws {
        let trace = try #require(try footfall("analyze", log, "--output", "json").records().first)
        let gaps = try #require(trace["gaps"] as? [[String: Any]])
        let activities = try #require(trace["activities"] as? [[String: Any]])
        #expect(gaps.count == Self.pieces)
        #expect(gaps.first?["end"] as? String == "1970-01-01T00:00:04.000Z")
        #expect(activities.prefix(Self.pieces).allSatisfy { $0["reason"] as? String == "tooShort" })
        let last = activities.dropFirst(Self.pieces).map { ($0["activity"] as? String, $0["reason"] as? String) }
        #expect(last.contains { $0.0 == "walking" })
        #expect(last.contains { $0.1 == "notWorn" } && (trace["nonWear"] as? [Any])?.count == 1)
        let starts = activities.compactMap { $0["offset"] as? Double }
        #expect(starts.count == activities.count && starts == starts.sorted())
        let steps = activities.reduce(0) { $0 + ($1["steps"] as? Int ?? 0) }
        #expect(steps == trace["steps"] as? Int && steps > 150)

        // CSV has the lists as JSON between quotes.
        let csv = try footfall("analyze", log, "--output", "csv").output
        let list = try #require(
            csv.split(separator: "\"[").dropFirst().first.map { "[" + $0 }?.components(separatedBy: "]\"").first)
        let spans = try JSONSerialization.jsonObject(with: Data((list + "]").replacing("\"\"", with: "\"").utf8))
        #expect((spans as? [[String: String]]) == (gaps as? [[String: String]]))

        let table = try footfall("analyze", log).output.split(separator: "\n")
        #expect(table.count(where: { $0.contains("too short") }) == Self.pieces)
        #expect(table.last?.hasPrefix("\(steps) steps in ") ?? false)

        #expect(try footfall("analyze", log, "--tables", folder.path("tables")).status == 0)
        let rows = try folder.text("tables/gaps/activities.csv").split(separator: "\n")
        #expect(rows.count == activities.count + 1)
        let line = try folder.text("tables/traces.ndjson")
        let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect((entry?["gaps"] as? [Any])?.count == Self.pieces)
    }
}
