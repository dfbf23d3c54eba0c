import Foundation
import TestSupport
import Testing

@Suite("Files of other sensors")
struct OtherSensorTests {
    /// 20 s of walking at 50 Hz, as rows of `Time (s)` and three axes, with gravity in m/s².
    private static let rows = (0..<1000).map { row in
        let phase = Double(row) / 50 * 2 * .pi * 1.8
        return "\(Double(row) / 50),\(0.8 * sin(phase)),\(-1.2 * cos(phase / 2)),\(9.8 + 2.5 * sin(phase))\n"
    }.joined()

    private static func table(_ unit: String) -> String {
        "\"Time (s)\",\"X (\(unit))\",\"Y (\(unit))\",\"Z (\(unit))\"\n" + rows
    }

    /// A folder as phyphox exports it, by name and unit.
    private func export(_ files: [(name: String, unit: String)]) throws -> Folder {
        let folder = try Folder()
        for (name, unit) in files { try folder.write(name, Self.table(unit)) }
        return folder
    }

    @Test("beside a file of the accelerometer are left out, in one line that names them")
    func folder() throws {
        let folder = try export([
            ("Accelerometer.csv", "m/s^2"), ("Gyroscope.csv", "rad/s"), ("Linear Acceleration.csv", "m/s^2"),
        ])
        let whole = try footfall("analyze", folder.url.path, "--output", "json")
        #expect(whole.status == 0, "\(whole)")
        #expect(whole.errors.split(separator: "\n").count == 1, "\(whole.errors)")
        for name in ["Gyroscope.csv", "Linear Acceleration.csv"] { #expect(whole.errors.contains(name)) }
        let records = try whole.records()
        #expect(records.map { $0["trace"] as? String } == ["Accelerometer.csv"])
        let alone = try footfall("analyze", folder.path("Accelerometer.csv"), "--output", "json").records()
        #expect(records.first?["steps"] as? Int == alone.first?["steps"] as? Int)
    }

    @Test("of an unpacked export are read as in the archive: gravity is added, metadata are no log")
    func unpacked() throws {
        let folder = try Folder()
        func table(_ values: (Double) -> [Double]) -> String {
            "time,seconds_elapsed,z,y,x\n"
                + (0..<3000).map { row in
                    let time = Double(row) / 50
                    let fields =
                        ["\(1_382_349_608_000_000_000 + row * 20_000_000)", "\(time)"]
                        + values(2 * .pi * 1.8 * time).map { "\($0)" }
                    return fields.joined(separator: ",") + "\n"
                }.joined()
        }
        try folder.write("Accelerometer.csv", table { [2.5 * sin($0), -1.2 * cos($0 / 2), 0.8 * sin($0)] })
        try folder.write("Gravity.csv", table { [9.7, 0.4 + 0.1 * sin($0 / 2), 1.1] })
        try folder.write("Gyroscope.csv", table { [0.3 * sin($0), 0.9 * cos($0 / 2), 0.1] })
        try folder.write("Metadata.csv", "version,device name\n3,phone\n")
        try folder.write("Annotation.csv", "time,seconds_elapsed,text\n")
        let whole = try footfall("analyze", folder.url.path, "--output", "json")
        #expect(whole.status == 0, "\(whole)")
        #expect(whole.errors.contains("Gyroscope.csv") && !whole.errors.contains("Metadata.csv"), "\(whole.errors)")
        let record = try #require(whole.records().first)
        #expect(try whole.records().count == 1)
        #expect(try #require(record["steps"] as? Int) > 95)
        let file = try footfall("analyze", folder.path("Accelerometer.csv"), "--output", "json").records().first
        #expect(file?["steps"] as? Int == record["steps"] as? Int)
    }

    @Test("of Sensor Logger with an uncalibrated twin of the accelerometer are one recording")
    func twins() throws {
        let folder = try Folder()
        let table =
            "time,seconds_elapsed,z,y,x\n"
            + (0..<1000).map { row in
                let (time, phase) = (Double(row) / 50, Double(row) / 50 * 2 * .pi * 1.8)
                let axes = [9.8 + 2.5 * sin(phase), -1.2 * cos(phase / 2), 0.8 * sin(phase)].map { "\($0)" }
                return (["\(1_382_349_608_000_000_000 + row * 20_000_000)", "\(time)"] + axes).joined(separator: ",")
                    + "\n"
            }.joined()
        try folder.write("TotalAcceleration.csv", table)
        try folder.write("AccelerometerUncalibrated.csv", table)
        try folder.write("Pedometer.csv", "time,seconds_elapsed,steps\n1382349608000000000,0,3\n")
        let run = try footfall("analyze", folder.url.path, "--output", "json")
        #expect(run.status == 0, "\(run)")
        #expect(try run.records().map { $0["trace"] as? String } == ["TotalAcceleration.csv"])
    }

    @Test("are analyzed in a folder without a file of the accelerometer, with a warning or a refusal")
    func alone() throws {
        let folder = try export([("Gyroscope.csv", "rad/s"), ("Linear Acceleration.csv", "m/s^2")])
        let run = try footfall("analyze", folder.url.path, "--output", "json")
        #expect(run.status == 65)
        #expect(run.errors.contains("Gyroscope.csv") && run.errors.contains("gyroscope"), "\(run.errors)")
        let record = try #require(run.records().first)
        let warnings = try #require(record["warnings"] as? [String]).joined(separator: "\n")
        #expect(warnings.contains("file name") && warnings.contains("without gravity"))
    }

    @Test("are warned of, unless the caller names the columns or the header states the accelerometer")
    func warning() throws {
        let folder = try Folder()
        let header = "time,x,y,z\n"
        func warnings(_ name: String, _ contents: String, _ options: String...) throws -> String {
            let run = try footfall(["analyze", try folder.write(name, contents), "--output", "json"] + options)
            #expect(run.status == 0, "\(run)")
            return try #require(run.records().first?["warnings"] as? [String]).joined(separator: "\n")
        }
        #expect(try warnings("Gyroscope.csv", header + Self.rows).contains("gyroscope"))
        #expect(try !warnings("Gyroscope.csv", header + Self.rows, "--columns", "time,x,y,z").contains("gyroscope"))
        #expect(try !warnings("Gyroscope.csv", "time,accX,accY,accZ\n" + Self.rows).contains("gyroscope"))
        #expect(try !warnings("walk.csv", header + Self.rows).contains("file name"))
    }
}
