import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Logs of lines")
struct LineLogTests {
    private static let samples = (0..<Walk.count).map { row -> SIMD3<Float> in
        let g = Walk.g(row)
        return SIMD3(Float(g[0]), Float(g[1]), Float(g[2]))
    }

    private static let boot = "ets Jun  8 2016 00:22:57\nrst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\n"

    @Test("that a program printed are read as the live stream", arguments: ProgramLines.all, ["", boot])
    func lines(lines: ProgramLines, before: String) throws {
        let rate = lines.time == .none ? 50.0 : nil
        let text = before + lines.text(Self.samples, end: "\n")
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: rate), chunkSize: 1000)
        #expect(trace.samples.count == Walk.count, "\(trace.layout) \(trace.warnings)")
        for (sample, vector) in zip(trace.samples, Self.samples) {
            let difference = SIMD3(sample.x, sample.y, sample.z) - vector
            let largest = max(abs(difference.x), abs(difference.y), abs(difference.z))
            #expect(largest <= lines.tolerance, "\(sample), not \(vector): \(trace.layout)")
            guard largest <= lines.tolerance else { return }
        }
        // 2024-05-13T09:30:00Z.
        let start: Int64 = lines.time == .since1970 ? 1_715_592_600_000 : 0
        #expect(trace.milliseconds == (0..<Walk.count).map { start + Int64($0) * 20 }, "\(trace.layout)")
        // A list in brackets is also the row of a table, and the lines above a table are no rows.
        #expect(trace.layout.table != nil || trace.warnings.isEmpty == before.isEmpty, "\(trace.warnings)")
    }

    @Test("with several samples in an object have a time for each", arguments: ProgramLines.packets)
    func packets(lines: ProgramLines) throws {
        let still = Array(repeating: SIMD3<Float>(0.02, -0.01, 0.99), count: 30)
        let trace = try ReadTrace(text: lines.text(still, end: "\n"))
        #expect(trace.samples.count == still.count * lines.packet)
        #expect(zip(trace.milliseconds.dropFirst(), trace.milliseconds).allSatisfy { $0 - $1 == 20 })
    }

    @Test("without times ask for the rate", arguments: ProgramLines.all.filter { $0.time == .none })
    func withoutTimes(lines: ProgramLines) throws {
        let text = lines.text(Self.samples, end: "\n")
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.description.contains("sampleRate"), "\(error)")
    }

    @Test("of other sensors are refused", arguments: ProgramLines.others.map(\.lines), [50.0])
    func others(lines: ProgramLines, rate: Double) throws {
        let text = lines.text(Self.samples, end: "\n")
        let error = try #require(throws: TraceError.self) {
            try ReadTrace(text: text, TraceOptions(sampleRate: rate))
        }
        let words = ProgramLines.others.first { $0.lines.testDescription == lines.testDescription }?.words
        #expect(error.description.contains(words ?? ""), "\(error)")
    }

    @Test("are read with the columns, the unit and the rate of the options")
    func options() throws {
        let text = Self.samples.map { "p:\($0.x * 100) q:\($0.y * 100) r:\($0.z * 100)\n" }.joined()
        let options = TraceOptions(columns: SensorColumns("p,q,r"), unit: .counts(perG: 100), sampleRate: 25)
        let trace = try ReadTrace(text: text, options)
        #expect(trace.samples.count == Walk.count)
        #expect(abs((trace.samples.first?.z ?? 0) - Self.samples[0].z) < 1e-4)
        #expect(trace.milliseconds.prefix(3) == [0, 40, 80])
    }

    @Test("continue past midnight, on the date of the start")
    func midnight() throws {
        let text = Self.samples.indices.map { index in
            let hundredths = (8_639_900 + index * 2) % 8_640_000
            let clock = String(
                format: "%02d:%02d:%02d.%02d0", hundredths / 360_000, hundredths / 6000 % 60, hundredths / 100 % 60,
                hundredths % 100)
            return clock
                + String(
                    format: " -> x: %.3f y: %.3f z: %.3f\n", Self.samples[index].x, Self.samples[index].y,
                    Self.samples[index].z)
        }.joined()
        // 2024-05-13.
        let day: Int64 = 1_715_558_400
        let trace = try ReadTrace(text: text, TraceOptions(start: Timestamp(nanosecondsSince1970: day * 1_000_000_000)))
        #expect(trace.milliseconds.first == (day + 86_399) * 1000)
        #expect(trace.milliseconds.last == (day + 86_399) * 1000 + 3980)
        #expect(try ReadTrace(text: text).notes.contains { $0.contains("have no date") })
    }

    /// Lines of two devices in turns, which a form tells apart: its name `@`, and the axes of its vector.
    private static func turns(
        _ form: String, _ names: [String], _ second: (SIMD3<Float>) -> SIMD3<Float> = { SIMD3($0.z, $0.x, $0.y) }
    ) -> String {
        func line(_ name: String, _ vector: SIMD3<Float>) -> String {
            zip(["@", "$x", "$y", "$z"], [name, "\(vector.x)", "\(vector.y)", "\(vector.z)"])
                .reduce(form + "\n") { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        return samples.map { line(names[0], $0) + line(names[1], second($0)) }.joined()
    }

    private static let named = [
        "@,$x,$y,$z", "@: $x $y $z", "@ x=$x y=$y z=$z", "Sensor @: ax=$x, ay=$y, az=$z", "@ ax=$x ay=$y az=$z",
        #"{"device":"@","x":$x,"y":$y,"z":$z}"#, #"{"@":{"x":$x,"y":$y,"z":$z}}"#,
        #"{"mac":"@","data":{"acc":[$x,$y,$z]}}"#, #"{"imu":{"id":"@","ax":$x,"ay":$y,"az":$z}}"#,
    ]
    private static let numbered = [
        "[@] $x,$y,$z", "Sensor @: $x $y $z", "Node @ ax=$x ay=$y az=$z", "id:@,ax:$x,ay:$y,az:$z",
        #"{"sensor":@,"x":$x,"y":$y,"z":$z}"#, #"{"device":{"id":@},"acc":{"x":$x,"y":$y,"z":$z}}"#,
    ]

    @Test(
        "of two devices say that one is left out, and read it once its columns are given",
        arguments: named.map { ($0, ["A", "B"]) } + numbered.map { ($0, ["1", "2"]) })
    func twoDevices(form: String, names: [String]) throws {
        let text = Self.turns(form, names)
        let word = ["Sensor", "Node"].first { form.hasPrefix($0) }.map { $0 + " " } ?? ""
        let axes = "xyz".map { "\(word)\(names[1]) \($0)" }.joined(separator: ",")
        let first = try ReadTrace(text: text, TraceOptions(sampleRate: 50))
        #expect(first.samples.count == Walk.count)
        #expect(
            first.notes.contains { $0.contains("several series") && $0.contains("columns='\(axes)'") }, "\(first.notes)"
        )
        #expect(abs((first.samples.first?.x ?? 0) - Self.samples[0].x) < 1e-4)
        let second = try ReadTrace(text: text, TraceOptions(columns: SensorColumns(axes), sampleRate: 50))
        #expect(second.samples.count == Walk.count)
        #expect(abs((second.samples.first?.x ?? 0) - Self.samples[0].z) < 1e-4)
        #expect(second.notes.allSatisfy { !$0.contains("series") })

        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        decoder.decode(Array(("\n" + text).utf8), into: &readings)
        #expect(abs(readings.count - Walk.count) <= 1)
        #expect(decoder.quality.problem?.description.contains("columns='\(axes)'") ?? false)
    }

    @Test("without a label that is named are refused, and say which one", arguments: ["time", "x"])
    func missingLabel(part: String) throws {
        let text = Walk.lines { row in
            let g = Walk.text(row)
            return "T: \(row * 20) ax: \(g[0]) ay: \(g[1]) az: \(g[2])"
        }
        let columns = SensorColumns(part == "time" ? "nosuch,ax,ay,az" : "T,nosuch,ay,az")
        do {
            _ = try ReadTrace(text: text, TraceOptions(columns: columns))
            Issue.record("read without the label")
        } catch let error as TraceError {
            let problem = "\(error)"
            #expect(problem.contains("no label for 'nosuch' among: T, ax, ay, az"), "\(problem)")
        }
        #expect(
            try ReadTrace(text: text, TraceOptions(columns: SensorColumns("T,ax,ay,az"))).samples.count == Walk.count)
    }

    @Test(
        "behind a time in any usual form have that time",
        arguments: [
            "@ss acc: $", "[@ss] acc: $", "[@ms] acc: $", "t=@ms a=($)", "10:00:@: acc: $", "10:00:@: $",
            "2024-05-13 10:00:@ $", "May 13 10:00:@ $", "10:00:@\t$",
        ])
    func prefixes(form: String) throws {
        let text = Walk.lines { row in
            let seconds = String(format: "%02d.%03d", row / 50, row % 50 * 20)
            let time = form.contains("@ms") ? "\(row * 20)" : form.contains("@s") ? "\(Double(row) / 50)" : seconds
            return form.replacingOccurrences(of: "@ss", with: "@s").replacingOccurrences(of: "@", with: time)
                .replacingOccurrences(of: "$", with: Walk.joined(Walk.text(row)))
        }
        let trace = try ReadTrace(text: text)
        try #require(trace.samples.count == Walk.count, "\(trace.layout)")
        #expect(trace.milliseconds.map { $0 - trace.milliseconds[0] } == (0..<Walk.count).map { Int64($0) * 20 })
    }

    @Test(
        "with decimal commas between blanks are read",
        arguments: [
            "X: $x Y: $y Z: $z", "ax:$x ay:$y az:$z", "t=@ ax=$x ay=$y az=$z", "$x $y $z", "09:30:00.020 -> $x $y $z",
        ])
    func decimalCommas(form: String) throws {
        let text = Walk.lines { row in
            let g = Walk.text(row).map { $0.replacingOccurrences(of: ".", with: ",") }
            return zip(["@", "$x", "$y", "$z"], ["\(row * 20)"] + g)
                .reduce(form) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 50))
        #expect(trace.samples.count == Walk.count)
        #expect(abs((trace.samples.first?.x ?? 0) - Self.samples[0].x) < 1e-4)
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        decoder.decode(Array(("\n" + text).utf8), into: &readings)
        #expect(abs(readings.count - Walk.count) <= 1)
        #expect(readings.allSatisfy { abs($0.z) < 4 })
        #expect(abs((readings.last?.x ?? 0) - (Self.samples.last?.x ?? 0)) < 1e-4)
    }

    @Test(
        "with positive decimal commas, as of a device at rest, are read", arguments: ["$x $y $z", "X: $x Y: $y Z: $z"])
    func positiveCommas(form: String) {
        let text = Walk.lines { row in
            let g = [0.05, 0.31, 0.94 + 0.05 * sin(Double(row))].map { String(format: "%.2f", $0) }
            return zip(["$x", "$y", "$z"], Walk.comma(g))
                .reduce(form) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        var decoder = WireDecoder(.text)
        var readings: [WireReading] = []
        decoder.decode(Array(("\n" + text).utf8), into: &readings)
        #expect(readings.count >= Walk.count - 1)
        #expect(readings.allSatisfy { abs($0.x - 0.05) < 1e-3 && abs($0.y - 0.31) < 1e-3 })
    }

    @Test(
        "of whole numbers with blanks on one side of each comma have no decimals",
        arguments: ["@ > $x ,$y ,$z ,-47", "$x,  $y,  $z,   -42", "[@] $x ,$y ,$z"])
    func blanksBesideCommas(form: String) throws {
        let text = Walk.lines { row in
            let phase = Double(row) * 0.3
            let counts = [0.05 * sin(phase) - 0.95, 0.05 * cos(phase), 0.2 * cos(phase)].map { "\(Int($0 * 16384))" }
            return zip(["@", "$x", "$y", "$z"], ["\(5000 + row * 20)"] + counts)
                .reduce(form) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 50))
        #expect(trace.samples.count == Walk.count)
        #expect(trace.samples.allSatisfy { abs($0.x + 0.95) < 0.06 && abs($0.y) < 0.06 })
    }

    @Test(
        "of whole numbers behind a time, or before one with its unit as label, keep all samples",
        arguments: [
            "09:30:@ss $x,$y,$z", "17155926@ss $x,$y,$z", "x = $x y = $y z = $z ms = @ms",
            "x: $x y: $y z: $z millis : @ms",
        ])
    func wholeNumbers(form: String) throws {
        let text = Walk.lines { row in
            let counts = Walk.g(row).map { "\(Int($0 * 1000))" }
            let time = ["\(row * 20)", String(format: "%02d.%02d0", row / 50, row % 50 * 2)]
            return zip(["@ms", "@ss", "$x", "$y", "$z"], time + counts)
                .reduce(form) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        let times = try ReadTrace(text: text, TraceOptions(unit: .counts(perG: 1000))).milliseconds
        #expect(times.count == Walk.count && (times.last ?? 0) - (times.first ?? 0) == 3980)
    }

    @Test("that begin with a label are a table where columns of numbers are given")
    func labeledTable() throws {
        let text = Walk.lines { Walk.joined(["user=33", "Jogging", "\(5000 + $0 * 20)"] + Walk.text($0)) }
        let trace = try ReadTrace(text: text, TraceOptions(columns: SensorColumns("3,4,5,6")))
        #expect(trace.samples.count == Walk.count)
    }

    @Test("behind messages of a program are all read", arguments: ["connecting", "attempt %d"], [63, 64, 65, 300])
    func messages(form: String, count: Int) throws {
        let messages = (0..<count).map { form.replacingOccurrences(of: "%d", with: "\($0)") + "\n" }.joined()
        let text = Walk.lines(rows: 0..<600) { row in
            let g = Walk.text(row % Walk.count)
            return "ax:\(g[0]) ay:\(g[1]) az:\(g[2]) ms:\(row * 20)"
        }
        #expect(try ReadTrace(text: messages + text).samples.count == 600)
    }

    @Test("of two devices in one orientation are read as those of one")
    func oneOrientation() throws {
        let text = Self.turns(#"{"device":"@","x":$x,"y":$y,"z":$z}"#, ["A", "B"]) { $0 + SIMD3(0.01, 0, 0) }
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 50))
        #expect(trace.samples.count == Walk.count)
        #expect(trace.notes.contains { $0.contains("several series") })
    }

    @Test(
        "of one device state no other",
        arguments: [
            ("@,$x,$y,$z", ["A", "G"]), ("@: $x $y $z", ["Accel", "Gyro"]), ("@ x=$x y=$y z=$z", ["Acc", "Mag"]),
            (#"{"sensor":"@","x":$x,"y":$y,"z":$z}"#, ["accelerometer", "gyroscope"]),
            (#"{"sensor":@,"x":$x,"y":$y,"z":$z}"#, ["1", "4"]), (#"{"type":@,"x":$x,"y":$y,"z":$z}"#, ["1", "4"]),
            (#"{"sensorType":"@","x":$x,"y":$y,"z":$z}"#, ["1", "4"]),
        ])
    func otherSensors(form: String, names: [String]) throws {
        let text = Self.turns(form, names) { _ in SIMD3(0.2, -0.1, 0.05) }
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 50))
        #expect(trace.samples.count == Walk.count)
        #expect(trace.notes.allSatisfy { !$0.contains("series") }, "\(trace.notes)")
    }

    @Test(
        "with states, counters and places in a list are those of one device",
        arguments: [
            #"{"label":"STATE","x":$x,"y":$y,"z":$z}"#, #"{"id":COUNT,"x":$x,"y":$y,"z":$z}"#,
            #"{"id":PLACE,"x":$x,"y":$y,"z":$z}"#, #"{"type":PLACE,"x":$x,"y":$y,"z":$z}"#, "[PLACE] $x,$y,$z",
            "Sample COUNT: ax=$x ay=$y az=$z",
            "Sample PLACE: ax=$x ay=$y az=$z",
        ])
    func oneDevice(form: String) throws {
        let text = Self.samples.indices.map { index in
            let sample = Self.samples[index]
            let values = [
                "STATE": index % 6 < 3 ? "walking" : "still", "COUNT": "\(index)", "PLACE": "\(index % 8)",
                "$x": "\(sample.x)", "$y": "\(sample.y)", "$z": "\(sample.z)",
            ]
            return values.reduce(form + "\n") { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        }.joined()
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 50))
        #expect(trace.samples.count == Walk.count)
        #expect(trace.notes.allSatisfy { !$0.contains("series") }, "\(trace.notes)")
    }

    @Test("count their foreign lines")
    func foreign() throws {
        var lines = Self.samples.map { "ax: \($0.x) ay: \($0.y) az: \($0.z)\n" }
        lines.insert("WiFi connected\n", at: 50)
        lines.insert("E (300) i2c: timeout\n", at: 100)
        let trace = try ReadTrace(text: lines.joined(), TraceOptions(sampleRate: 50))
        #expect(trace.samples.count == Walk.count)
        #expect(trace.warnings == ["2 lines hold no sample"])
    }
}
