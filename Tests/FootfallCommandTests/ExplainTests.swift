import Foundation
import TestSupport
import Testing

@Suite("analyze --explain")
struct ExplainTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Ten seconds at rest at 50 Hz, between a number and a word.
    private static let rows = (0..<500).map { "7;\(20 * $0);0,01;-0,0\($0 % 5);9,81;still\n" }.joined()

    private func explanation(_ arguments: String...) throws -> [String: Any] {
        try #require(try footfall(["analyze", "--explain", "-o", "json"] + arguments).records().first)
    }

    @Test("says what each column is taken for and why, and the command line that fixes it")
    func columns() throws {
        let log = try folder.write("a.csv", "id;t [ms];Acc X;Acc Y;Acc Z;note\n" + Self.rows)
        let record = try explanation(log)
        #expect(record["delimiter"] as? String == ";" && record["decimalSeparator"] as? String == ",")
        #expect(record["headerLine"] as? Int == 1 && record["sampleRate"] as? Double == 50)
        #expect(abs((record["magnitude"] as? Double ?? 0) - 1) < 0.01)
        let columns = try #require(record["columns"] as? [[String: Any]])
        #expect(columns.map { $0["number"] as? Int } == [1, 2, 3, 4, 5, 6])
        #expect(columns.map { $0["role"] as? String } == [nil, "time", "x", "y", "z", nil])
        #expect(columns[4]["values"] as? [String] == ["9,81", "9,81", "9,81"])
        #expect(columns[5]["reason"] as? String == "the values are no numbers")
        let command = try #require(record["command"] as? String)
        #expect(command.contains("--columns 't [ms],Acc X,Acc Y,Acc Z' --unit mss --time-unit ms"), "\(command)")
        let text = try footfall("analyze", log, "--explain").output
        for word in ["'t [ms]'", "the title names a time", "still", command] { #expect(text.contains(word), "\(text)") }
    }

    @Test("gives options that read the log in the same way")
    func options() throws {
        let log = try folder.write("b.csv", Self.rows)
        let command = try #require(try explanation(log)["command"] as? String)
        let arguments = command.split(separator: " ").dropFirst().map { $0.filter { $0 != "'" } }
        #expect(arguments.contains("2,3,4,5"), "\(command)")
        func samples(_ arguments: [String]) throws -> String {
            let record = try #require(try footfall(arguments + ["-o", "json"]).records().first)
            return "\(record["samples"] ?? "") \(record["duration"] ?? "")"
        }
        #expect(try samples(arguments) == samples(["analyze", log]))
    }

    /// The first 20 s of a walk at the wrist, in g at 50 Hz.
    private static let walk: [SIMD3<Float>] = {
        let rows = try? String(contentsOfFile: RecordedHistory.trace("walk-wrist"), encoding: .utf8)
        return (rows ?? "").split(separator: "\n").dropFirst().prefix(1000).map { row in
            let values = row.split(separator: ",").map { Float($0) ?? .nan }
            return SIMD3(values[1], values[2], values[3])
        }
    }()

    /// A converter of 10 bits whose zero is at 338, as an ADXL335 at 5 V has it.
    private static func converted(_ v: SIMD3<Float>) -> [Int] { (0..<3).map { Int((338 + 67.6 * v[$0]).rounded()) } }

    /// Reads a log as it is, then by the printed command line.
    private func expectSameReading(_ log: String, _ rate: [String]) throws -> [String: Any] {
        let record = try #require(try footfall(["analyze", "--explain", "-o", "json", log] + rate).records().first)
        let command = try #require(record["command"] as? String, "\(record)")
        let first = try #require(try footfall(["analyze", "-o", "json", log] + rate).records().first)
        let again = try shell(command.replacing("footfall ", with: "'\(executable.path)' ") + " -o json")
        let second = try #require(try again.records().first, "\(command): \(again)")
        for key in ["samples", "steps"] { #expect(first[key] as? Int == second[key] as? Int, "\(command)") }
        #expect(first["steps"] as? Int ?? 0 > 25, "\(command)")
        return first
    }

    /// A log as it is read without options, and the printed command line.
    private struct Reading: Sendable {
        var command: String
        var samples: Int?
        var steps: Int?
    }

    /// A log of each kind of lines, by its name. Two commands read all logs with times, and two those without.
    private static let programs = Result {
        let folder = try Folder()
        let logs = try ProgramLines.all.enumerated().map { number, lines in
            let options = lines.time == .none ? ["--rate", "50"] : []
            return (lines.testDescription, try folder.write("\(number).log", lines.text(walk)), options)
        }
        var readings: [String: Reading] = [:]
        for options in [[], ["--rate", "50"]] {
            let chosen = logs.filter { $0.2 == options }
            let analyze = ["analyze", "-o", "json"] + options + chosen.map(\.1)
            let explained = try footfall(analyze + ["--explain"]).records()
            let read = try footfall(analyze).records()
            try #require(explained.count == chosen.count && read.count == chosen.count)
            for (log, (explanation, reading)) in zip(chosen, zip(explained, read)) {
                readings[log.0] = Reading(
                    command: try #require(explanation["command"] as? String, "\(explanation)"),
                    samples: reading["samples"] as? Int, steps: reading["steps"] as? Int)
            }
        }
        return (folder, readings)
    }

    @Test(
        "of lines that programs print gives a command line that reads them in the same way",
        arguments: ProgramLines.all)
    func programs(lines: ProgramLines) throws {
        let reading = try #require(try Self.programs.get().1[lines.testDescription])
        let command = reading.command
        let again = try shell(command.replacing("footfall ", with: "'\(executable.path)' ") + " -o json")
        let record = try #require(try again.records().first, "\(command): \(again)")
        #expect(reading.samples == record["samples"] as? Int && reading.steps == record["steps"] as? Int, "\(command)")
        #expect(reading.steps ?? 0 > 25, "\(command)")
    }

    @Test("of counts with another zero states what is assumed, and no activity is certain", arguments: [true, false])
    func assumed(hasLabels: Bool) throws {
        let lines = Self.walk.map { vector in
            let v = Self.converted(vector)
            return hasLabels ? "X: \(v[0]) Y: \(v[1]) Z: \(v[2])\n" : "\(v[0]),\(v[1]),\(v[2])\n"
        }
        let record = try expectSameReading(folder.write("adc.log", lines.joined()), ["--rate", "50"])
        #expect(record["unit"] as? String == "assumed")
        let warnings = record["warnings"] as? [String] ?? []
        #expect(warnings.contains { $0.contains("--zero") }, "\(warnings)")
        let activities = record["activities"] as? [[String: Any]] ?? []
        #expect(!activities.isEmpty && activities.allSatisfy { $0["confidence"] as? String != "high" })
    }

    /// A log that is refused, or read by an assumption, and words of the evidence.
    struct Settled: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var head = ""
        var words: String
        var line: @Sendable (_ row: Int, _ g: SIMD3<Float>) -> String

        static let all = [
            Settled(testDescription: "titles of a gyroscope", head: "ms,gyr_x,gyr_y,gyr_z\n", words: "gyroscope") {
                "\(20 * $0),\(axes($1))"
            },
            Settled(testDescription: "a unit of another sensor", head: "s,x (°/s),y (°/s),z (°/s)\n", words: "°/s") {
                "\(Double($0) / 50),\(axes($1))"
            },
            Settled(testDescription: "no times", head: "x,y,z\n", words: "no column of times") { axes($1) },
            Settled(testDescription: "the number of a row", head: "time,x,y,z\n", words: "counts the rows") {
                "\($0),\(axes($1))"
            },
            Settled(testDescription: "a time in the wrong unit", head: "t (ns),x,y,z\n", words: "50000 samples") {
                "\(20_000 * $0),\(axes($1))"
            },
            Settled(testDescription: "dates of unknown order", head: "time,x,y,z\n", words: "'3/4/2019") {
                "3/4/2019 \(9 + $0 / 180_000):30:\(String(format: "%05.2f", Double($0) / 50)),\(axes($1))"
            },
            Settled(testDescription: "unknown titles", head: "ms,u,v,w\n", words: "no column for x or y or z") {
                "\(20 * $0),\(axes($1))"
            },
            Settled(testDescription: "unknown titles of counts", head: "ms,u,v,w\n", words: "no column for x or y or z")
            { row, g in
                "\(20 * row),\((0..<3).map { "\(Int((g[$0] * 16_384).rounded()))" }.joined(separator: ","))"
            },
            Settled(testDescription: "counts of an unknown scale", head: "ms,x,y,z\n", words: "the median |a| is 5") {
                row, g in
                "\(20 * row),\((0..<3).map { "\(Int((g[$0] * 60).rounded()))" }.joined(separator: ","))"
            },
            Settled(
                testDescription: "numbers with decimals of an unknown scale", head: "ms,x,y,z\n",
                words: "the median |a| is 5"
            ) { "\(20 * $0),\(axes($1 * 60))" },
            Settled(testDescription: "labels of an unknown scale", words: "the median |a| is 3.8") {
                "t: \(20 * $0) x: \($1.x * 4) y: \($1.y * 4) z: \($1.z * 4)"
            },
            Settled(testDescription: "titles of a magnetometer", head: "ms,mag_x,mag_y,mag_z\n", words: "magnetometer")
            {
                "\(20 * $0),\(axes($1))"
            },
            Settled(
                testDescription: "titles without gravity", head: "ms,linear_x,linear_y,linear_z\n",
                words: "gravity is missing"
            ) { "\(20 * $0),\(axes($1))" },
            Settled(
                testDescription: "a line of titles of a gyroscope above", head: "gyroscope\nms,x,y,z\n",
                words: "gyroscope"
            ) {
                "\(20 * $0),\(axes($1))"
            },
            Settled(testDescription: "an angle in the unit", head: "ms,x (deg),y (deg),z (deg)\n", words: "(deg)") {
                "\(20 * $0),\(axes($1))"
            },
            Settled(testDescription: "labels of a gyroscope", words: "no acceleration among the labels t, gx, gy, gz") {
                "t: \(20 * $0) gx: \($1.x) gy: \($1.y) gz: \($1.z)"
            },
            Settled(testDescription: "labels without gravity", words: "without gravity") {
                "t: \(20 * $0) linear_x: \($1.x) linear_y: \($1.y) linear_z: \($1.z)"
            },
            Settled(testDescription: "two series", head: "ms,sensor,x,y,z\n", words: "accelerometer: ") {
                "\(20 * $0),accelerometer,\(axes($1))\n\(20 * $0 + 1),gyroscope,\(axes($1 * 0.3))"
            },
            Settled(testDescription: "counts with another zero", head: "ms,x,y,z\n", words: "zero at 338, 67") {
                "\(20 * $0)," + converted($1).map { "\($0)" }.joined(separator: ",")
            },
        ]

        private static func axes(_ g: SIMD3<Float>) -> String { "\(g.x),\(g.y),\(g.z)" }
    }

    @Test("gives the evidence and the command line that settles a refusal or an assumption", arguments: Settled.all)
    func settled(log: Settled) throws {
        let text = log.head + Self.walk.enumerated().map { log.line($0.offset, $0.element) + "\n" }.joined()
        let path = try folder.write("settled.csv", text)
        let record = try #require(try footfall("analyze", "--explain", "-o", "json", path).records().first)
        let evidence = "\(record["refusal"] ?? "") \(record["notes"] ?? "")"
        #expect(evidence.contains(log.words), "\(evidence)")
        let command = try #require(record["command"] as? String, "\(record)")
        let run = try shell(
            command.replacing("footfall ", with: "'\(executable.path)' ").replacing("HERTZ", with: "50") + " -o json")
        let steps = try #require(try run.records().first?["steps"] as? Int, "\(command): \(run)")
        let plain = try folder.write(
            "plain.csv", Self.walk.enumerated().map { "\(20 * $0),\($1.x),\($1.y),\($1.z)\n" }.joined())
        let expected = try #require(try footfall("analyze", "-o", "json", plain).records().first?["steps"] as? Int)
        #expect(expected > 25 && abs(steps - expected) <= 2, "\(command): \(steps) of \(expected)")
    }

    @Test(
        "keeps the options that are given, of a log that is read and of a refused one",
        arguments: [
            ("u,v,w\n", ["--rate", "50.0"]), ("x,y,z\n", ["--rate", "50.0", "--unit", "g"]),
            ("gx,gy,gz\n", ["--rate", "50.0", "--lenient", "--start", "2026-11-20 08:00"]),
            ("u,v,w\n", ["--rate", "50.0", "--columns", "u,v,w"]),
            ("gx,gy,gz,hand\n", ["--rate", "50.0", "--where", "hand=left"]),
        ])
    func given(head: String, options: [String]) throws {
        let rows = Self.walk.map { "\($0.x),\($0.y),\($0.z)\(head.contains("hand") ? ",left" : "")\n" }
        let log = try folder.write("given.csv", head + rows.joined())
        let command = try #require(
            try footfall(["analyze", "--explain", "-o", "json", log] + options).records().first?["command"] as? String)
        let words = command.replacing("'", with: "").split(separator: " ").map(String.init)
        for word in options.flatMap({ $0.split(separator: " ") }) {
            #expect(words.count { $0 == word } == 1, "\(word) in \(command)")
        }
        let run = try shell(command.replacing("footfall ", with: "'\(executable.path)' ") + " -o json")
        #expect(try run.records().first?["steps"] as? Int ?? 0 > 25, "\(command): \(run)")
    }

    @Test("of a refused log gives the reason, the columns, and the exit code of the refusal")
    func refused() throws {
        let rows = (0..<200).map { "\($0).5,1,2,3\n" }.joined()
        let log = try folder.write("gyro.csv", "time,gyroX,gyroY,gyroZ\n" + rows)
        let run = try footfall("analyze", log, "--explain", "-o", "json")
        #expect(run.status == 65)
        let record = try #require(try run.records().first)
        #expect((record["refusal"] as? String)?.contains("gyro") ?? false)
        #expect(record["layout"] is NSNull)
        #expect((record["command"] as? String)?.contains("--columns time,gyroX,gyroY,gyroZ") ?? false)
        let reasons = (record["columns"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
        #expect(reasons.count == 4 && reasons[1].contains("gyroscope"), "\(reasons)")
    }

    @Test("looks through all of a log, for a unit that changes and for rows that are dropped")
    func end() throws {
        let walk = Array((0..<6).map { _ in Self.walk }.joined())
        func log(_ name: String, _ row: (Int, SIMD3<Float>) -> String) throws -> String {
            try folder.write(name, "ms,x,y,z\n" + walk.enumerated().map { row($0, $1) + "\n" }.joined())
        }
        func text(_ row: Int, _ g: SIMD3<Float>) -> String { "\(20 * row),\(g.x),\(g.y),\(g.z)" }
        let change = walk.count * 3 / 4
        let changed = try explanation(
            log("unit.csv") { row, g in text(row, row < change ? g : g * 9.80665) })
        let refusal = changed["refusal"] as? String ?? ""
        #expect(refusal.contains("unit changes from g to m/s²"), "\(changed)")
        #expect(changed["layout"] is NSNull)
        let proposal = try footfall("analyze", "--explain", folder.path("unit.csv")).output
        #expect(proposal.contains("To read it all the same, all of it in g:"), "\(proposal)")
        let dropped = try explanation(log("rows.csv") { $0 == change ? "lost" : text($0, $1) })
        #expect("\(dropped["notes"] ?? "")".contains("row dropped"), "\(dropped)")
        #expect(dropped["refusal"] is NSNull && dropped["command"] is String)
    }

    @Test("of a missing log is an error")
    func missing() throws {
        let missing = try footfall("analyze", folder.path("none.csv"), "--explain")
        #expect(missing.status == 66)
    }
}
