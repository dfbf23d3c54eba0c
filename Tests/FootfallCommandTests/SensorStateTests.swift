import Foundation
import TestSupport
import Testing

/// What an analysis says of the sensor itself: whether it was worn, its range, its rate and its scale.
@Suite("The sensor of a log")
struct SensorStateTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func lines(_ path: String) throws -> [String] {
        try folder.text(path).split(separator: "\n").map(String.init)
    }

    @Test("non-wear, clipping and a sensor slower than its log are reported")
    func sensor() throws {
        // Ten minutes of motion, 75 minutes on a table, ten minutes of motion.
        let table = (0..<95 * 750).map { row in
            let (time, rests) = (Double(row) / 12.5, (600.0..<5100).contains(Double(row) / 12.5))
            let way = rests ? 0 : (time / 20).rounded(.down) * 0.3
            return "\(time),\(sin(way) * 0.9),\(Double(row % 7) * (rests ? 0.0005 : 0.01)),\(cos(way))\n"
        }
        let unworn = try footfall(
            "analyze", folder.write("table.csv", "time,x,y,z\n" + table.joined()), "--tables", folder.path("results"),
            "--output", "json")
        let record = try #require(unworn.records().first)
        let spans = try #require(record["nonWear"] as? [[String: String]])
        let activities = try #require(record["activities"] as? [[String: Any]])
        #expect(activities.count { $0["reason"] as? String == "notWorn" } == 1)
        for rest in activities where rest["activity"] as? String == "stationary" {
            let (start, end) = (rest["start"] as? String ?? "", rest["end"] as? String ?? "")
            #expect(spans.allSatisfy { end <= $0["start"] ?? "" || start >= $0["end"] ?? "" })
        }
        // Start, end, steps, coverage, six activities, non-wear.
        let day = try #require(lines("results/table/days.csv").last).split(separator: ",").prefix(11)
            .compactMap { Double($0) }
        #expect(day.count == 9 && abs(day[8] - 4500) <= 60 && day[2] + day[8] < day[1] + 0.1 && day[7] >= day[8])
        #expect(spans.count == 1)
        #expect(spans.first?["start"]?.hasPrefix("1970-01-01T00:10") == true)
        #expect(spans.first?["end"]?.hasPrefix("1970-01-01T01:2") == true)
        let minutes = try lines("results/table/minutes.csv").dropFirst().map { $0.split(separator: ",")[10] }
        #expect(abs(minutes.reduce(0) { $0 + (Double($1) ?? 0) } - 4500) <= 60)
        let epochs = try rows(of: folder.path("results/table/epochs.csv"))
        #expect(abs(epochs.count { $0["worn"] == "false" } * 5 - 4500) <= 60)

        func warnings(_ name: String, _ sample: (Int) -> (x: Double, z: Double)) throws -> String {
            let rows = (0..<6000).map { row in
                let (x, z) = sample(row)
                return String(format: "%.2f,%.4f,0,%.4f\n", Double(row) / 100, x, z)
            }
            let log = try folder.write("\(name).csv", "time,x,y,z\n" + rows.joined())
            let run = try footfall("analyze", log, "--output", "json")
            return try #require(run.records().first?["warnings"] as? [String]).joined(separator: "\n")
        }
        func wave(_ row: Int) -> Double { sin(Double(row) / 100 * 2 * .pi * 1.8) }
        #expect(try warnings("cut") { (0.1 * wave($0 * 2), min(2, 1 + 1.6 * wave($0))) }.contains("clipped"))
        let leaving = try warnings("leaving") { row in
            let z = 1 + 1.05 * wave(row)
            return (0.1 * wave(row * 2), z > 2 ? z - 4 : z)
        }
        #expect(leaving.contains("left the sensor's range") && !leaving.contains("clipped"))
        let held = try warnings("held") { (0.1 * wave($0 / 4 * 8), 1 + 0.4 * wave($0 / 4 * 4)) }
        #expect(held.contains("slower than its data"))
        let live = try footfall("live", "--replay", folder.path("cut.csv"), "--speed", "max", "--no-history")
        #expect((live.output + live.errors).contains("clipped at the end of the sensor's range"))
        #expect(try warnings("well") { (0.1 * wave($0 * 2), 1 + 0.4 * wave($0)) }.isEmpty)
    }

    @Test("calibration reports its errors, or the reason why it is not possible")
    func calibration() throws {
        let run = try footfall(
            "analyze", RecordedHistory.trace("walk-wrist"), "--calibrate", "--output", "json")
        #expect(run.status == 0)
        let warnings = try #require(run.records().first?["warnings"] as? [String])
        #expect(warnings.contains { $0.contains("not calibrated") && $0.contains("50 are needed") })

        let turned = try footfall("analyze", rested(), "--calibrate", "--output", "json")
        let calibration = try #require(turned.records().first?["calibration"] as? [String: Any])
        let (before, after) = (calibration["errorBefore"] as? Double, calibration["errorAfter"] as? Double)
        #expect(try #require(before) > 0.01)
        #expect(try #require(after) < 0.002)
    }

    /// A log of a sensor with a wrong scale at rest in sixty orientations.
    private func rested() throws -> String {
        var text = "time,x,y,z\n"
        for tenth in 0..<60 * 210 {
            let way = Double(tenth / 210)
            let z = 1 - 2 * (way + 0.5) / 60
            let (radius, angle) = ((1 - z * z).squareRoot(), way * 2.4)
            let noise = Double(tenth % 5) * 0.001
            text += "\(Double(tenth) / 10),\(radius * cos(angle) * 1.04 + noise),\(radius * sin(angle)),\(z * 0.95)\n"
        }
        return try folder.write("rested.csv", text)
    }
}
