import Footfall
import Foundation
import Testing

@testable import FootfallReaders

/// One way to write down the walk.
struct Variation: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var options = TraceOptions()
    /// Whether the text says when the walk was; if not, it starts in 1970.
    var isAbsolute = true
    var unit = AccelerationScale.g

    init(
        _ name: String, _ text: String, _ options: TraceOptions = TraceOptions(), isAbsolute: Bool = true,
        unit: AccelerationScale = .g
    ) {
        testDescription = name
        self.text = text
        self.options = options
        self.isAbsolute = isAbsolute
        self.unit = unit
    }

    private static func plain(_ row: Int) -> String { Walk.joined([Walk.epoch(row)] + Walk.text(row)) }
    private static func reversed(_ row: Int) -> [String] { Walk.text(row).reversed() }
    private static func since(_ header: String?, _ time: (Int) -> String) -> String {
        Walk.lines(header) { Walk.joined([time($0)] + Walk.text($0)) }
    }
    private static func scaled(_ row: Int, _ unit: Double) -> String { "\(Walk.milliseconds(row) * Int(unit))" }
    private static func dated(_ date: String, zone: String = "") -> String {
        Walk.lines("time,x,y,z") { Walk.joined(["\(date)\(Walk.clock($0))\(zone)"] + Walk.text($0)) }
    }

    static let ofTables: [Variation] = [
        Variation("time,x,y,z", Walk.lines("time,x,y,z", plain)),
        Variation("no header", Walk.lines(nil, plain)),
        Variation("CRLF", Walk.lines("time,x,y,z", end: "\r\n", plain)),
        Variation("CR alone", Walk.lines("time,x,y,z", end: "\r", plain)),
        Variation("no newline at the end", String(Walk.lines("time,x,y,z", plain).dropLast())),
        Variation("byte order mark", "\u{FEFF}" + Walk.lines("time,x,y,z", plain)),
        Variation("byte order mark without header", "\u{FEFF}" + Walk.lines(nil, plain)),
        Variation("blank lines", "\n\n" + Walk.lines("time,x,y,z") { "\n" + plain($0) + "\n  " }),
        Variation("upper case", Walk.lines("TIME,X,Y,Z", plain)),
        Variation(
            "other order",
            Walk.lines("z,y,Time,x") { row in
                let a = Walk.text(row)
                return Walk.joined([a[2], a[1], Walk.epoch(row), a[0]])
            }),
        Variation("units in the header", Walk.lines("Time (s), Ax(g), Ay(g), Az(g)", plain)),
        Variation("units in brackets", Walk.lines("timestamp [s],acc_x [g],acc_y [g],acc_z [g]", plain)),
        Variation("units after underscores", Walk.lines("time_s,acc_x_g,acc_y_g,acc_z_g", plain)),
        Variation("long names", Walk.lines("Timestamp,X Acceleration,Y Acceleration,Z Acceleration", plain)),
        Variation(
            "quoted",
            Walk.lines("\"time\",\"x\",\"y\",\"z\"") { row in
                Walk.joined(([Walk.epoch(row)] + Walk.text(row)).map { "\"\($0)\"" })
            }),
        Variation(
            "quoted with delimiters in other columns",
            Walk.lines("note,time,x,y,z") { row in
                Walk.joined(["\"a, \"\"b\"\", c\"", Walk.epoch(row)] + Walk.text(row))
            }),
        Variation("hash before the header", Walk.lines("# time,x,y,z", plain)),
        Variation("semicolons", Walk.lines("time;x;y;z") { Walk.joined([Walk.epoch($0)] + Walk.text($0), ";") }),
        Variation("tabs", Walk.lines("time\tx\ty\tz") { Walk.joined([Walk.epoch($0)] + Walk.text($0), "\t") }),
        Variation("spaces", Walk.lines("time x y z") { Walk.joined([Walk.epoch($0)] + Walk.text($0), " ") }),
        Variation("aligned with spaces", Walk.lines { "  " + Walk.joined([Walk.epoch($0)] + Walk.text($0), "   ") }),
        Variation(
            "spaces after commas", Walk.lines("time, x, y, z") { Walk.joined([Walk.epoch($0)] + Walk.text($0), ", ") }),
        Variation(
            "decimal comma, semicolons",
            Walk.lines("time;x;y;z") { Walk.joined(Walk.comma([Walk.epoch($0)] + Walk.text($0)), ";") }),
        Variation(
            "decimal comma, semicolon at the end, no header",
            Walk.lines { Walk.joined(Walk.comma([Walk.epoch($0)] + Walk.text($0)), ";") + ";" }),
        Variation(
            "decimal comma, tabs",
            Walk.lines("time\tx\ty\tz") { Walk.joined(Walk.comma([Walk.epoch($0)] + Walk.text($0)), "\t") }),
        Variation(
            "decimal comma, quoted, commas",
            Walk.lines("time,x,y,z") { row in
                Walk.joined(Walk.comma([Walk.epoch(row)] + Walk.text(row)).map { "\"\($0)\"" })
            }),
        Variation(
            "Unicode minus",
            Walk.lines("time,x,y,z") { plain($0).replacingOccurrences(of: "-", with: "\u{2212}") }),
        Variation("plus signs", Walk.lines("time,x,y,z") { plain($0).replacingOccurrences(of: ",0.", with: ",+.") }),
        Variation(
            "exponents",
            Walk.lines("time,x,y,z") { row in
                Walk.joined([Walk.epoch(row)] + Walk.g(row).map { String(format: "%.9E", $0) })
            }),
        Variation("trailing comma", Walk.lines("time,x,y,z,") { plain($0) + "," }),
        Variation(
            "more columns",
            Walk.lines("id,time,gx,gy,gz,x,y,z,label") { row in
                Walk.joined(["7", Walk.epoch(row), "1", "2", "3"] + Walk.text(row) + ["walking"])
            }),
        Variation("more columns, no header", Walk.lines { plain($0) + ",1.5,2.5,3.5" }),
        Variation("lines of prose above", "Recorded by a logger\nversion 3\n" + Walk.lines("time,x,y,z", plain)),
        Variation(
            "columns by name", Walk.lines("A,B,C,D", plain),
            TraceOptions(columns: SensorColumns("a,b,c,d"))),
        Variation(
            "columns by number",
            Walk.lines("A,B,C,D") { Walk.joined(reversed($0) + [Walk.epoch($0)]) },
            TraceOptions(columns: SensorColumns("4,3,2,1"))),
    ]

    static let ofTimes: [Variation] = [
        Variation("epoch seconds, 9 decimals", since("time,x,y,z") { Walk.epoch($0, digits: 9) }),
        Variation("epoch ms", since("time,x,y,z") { Walk.epoch($0, zeros: "") }),
        Variation("epoch µs", since("time,x,y,z") { Walk.epoch($0, zeros: "000") }),
        Variation("epoch ns", since("time,x,y,z") { Walk.epoch($0, zeros: "000000") }),
        Variation("epoch ns, no header", since(nil) { Walk.epoch($0, zeros: "000000") }),
        Variation("seconds since start", since("time,x,y,z") { Walk.seconds($0) }, isAbsolute: false),
        Variation("seconds since start, no header", since(nil) { Walk.seconds($0) }, isAbsolute: false),
        Variation("ms since start", since("time,x,y,z") { scaled($0, 1) }, isAbsolute: false),
        Variation("µs since start", since("time,x,y,z") { scaled($0, 1e3) }, isAbsolute: false),
        Variation("ns since start", since("time,x,y,z") { scaled($0, 1e6) }, isAbsolute: false),
        Variation(
            "ns since boot", since("time,x,y,z") { "\(579_518_702_739_258 + Walk.milliseconds($0) * 1_000_000)" },
            isAbsolute: false),
        Variation("ms by the header", since("time_ms,x,y,z") { scaled($0, 1) }, isAbsolute: false),
        Variation("millis", since("millis,x,y,z") { scaled($0, 1) }, isAbsolute: false),
        Variation("seconds_elapsed", since("seconds_elapsed,x,y,z") { Walk.seconds($0) }, isAbsolute: false),
        Variation(
            "ms by the option", since("time,x,y,z") { scaled($0, 1) }, TraceOptions(timeUnit: .milliseconds),
            isAbsolute: false),
        Variation(
            "since start, told when", since("time,x,y,z") { Walk.seconds($0) },
            TraceOptions(start: Timestamp(nanosecondsSince1970: Walk.start * 1_000_000_000))),
        Variation("naive date-time", dated("2013-10-21 ")),
        Variation("ISO with Z", dated("2013-10-21T", zone: "Z")),
        Variation("slashes, year first", dated("2013/10/21 ")),
        Variation("month in letters", dated("21-Oct-2013 ")),
        Variation("offset", dated("2013-10-21T", zone: "+00:00")),
        Variation("offset and name", dated("2013-10-21 ", zone: "+0000 [Europe/Lisbon]")),
        Variation("offset after a space", dated("2013-10-21 ", zone: " +0000")),
        Variation("UTC in letters", dated("2013-10-21 ", zone: " UTC")),
        Variation("quoted date-time", dated("\"2013-10-21 ", zone: "\"")),
        Variation(
            "other zone",
            dated("2013-10-21 ").replacingOccurrences(of: " 10:", with: " 12:"),
            TraceOptions(timeZone: TimeZone(identifier: "Europe/Paris") ?? .gmt)),
        Variation(
            "offset east", dated("2013-10-21T", zone: "+05:30").replacingOccurrences(of: "T10:00", with: "T15:30")),
        Variation(
            "offset west, past midnight",
            dated("2013-10-20T", zone: "-1100").replacingOccurrences(of: "T10:00", with: "T23:00")),
        Variation("clock times", dated(""), isAbsolute: false),
        Variation(
            "clock times with colons",
            dated("").replacingOccurrences(of: ".", with: ":")
                .replacingOccurrences(of: ",0:", with: ",0.").replacingOccurrences(of: ",-0:", with: ",-0.")
                .replacingOccurrences(of: ",1:", with: ",1."), isAbsolute: false),
        Variation(
            "no times, rate given", Walk.lines("x,y,z") { Walk.joined(Walk.text($0)) },
            TraceOptions(sampleRate: 100), isAbsolute: false),
        Variation(
            "no times, no header", Walk.lines { Walk.joined(Walk.text($0)) },
            TraceOptions(sampleRate: 100), isAbsolute: false),
        Variation(
            "no times, rate and start given", Walk.lines("x,y,z") { Walk.joined(Walk.text($0)) },
            TraceOptions(sampleRate: 100, start: Timestamp(nanosecondsSince1970: Walk.start * 1_000_000_000))),
        Variation("unnamed time column", since("Zeit,x,y,z") { Walk.seconds($0) }, isAbsolute: false),
    ]

    static let ofUnits: [Variation] = [
        Variation(
            "m/s² by values", Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.metres($0)) },
            unit: .metresPerSecondSquared),
        Variation("mg by values", Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.mg($0)) }, unit: .mg),
        Variation(
            "mg by header", Walk.lines("time,x (mg),y (mg),z (mg)") { Walk.joined([Walk.epoch($0)] + Walk.mg($0)) },
            unit: .mg),
        Variation(
            "m/s² by header",
            Walk.lines("time,x (m/s²),y (m/s²),z (m/s²)") {
                Walk.joined([Walk.epoch($0)] + Walk.metres($0))
            }, unit: .metresPerSecondSquared),
        Variation(
            "m/s² by option", Walk.lines("time,x,y,z") { Walk.joined([Walk.epoch($0)] + Walk.metres($0)) },
            TraceOptions(unit: .metresPerSecondSquared), unit: .metresPerSecondSquared),
    ]
}

/// One way to write rows with the same number of characters, apart from signs.
struct RowStyle: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var time: @Sendable (Int) -> String
    /// How x, y and z are written.
    var format: String
    var rest = ""
    var end = "\n"
    var options = RowStyle.options("1,2,3,4")

    private static func options(_ columns: String, rate: Double? = nil) -> TraceOptions {
        TraceOptions(columns: SensorColumns(columns), unit: .metresPerSecondSquared, sampleRate: rate)
    }

    func row(_ row: Int) -> String {
        let phase = Double(row)
        let axes = [0.5 * sin(phase), -0.3 * cos(phase), 9.1 + 0.4 * sin(phase / 7)]
        return time(row) + axes.map { "," + String(format: format, $0) }.joined() + rest
    }

    static let all = [
        RowStyle(testDescription: "seconds", time: { "\(100 + $0 / 100).\(1000 + $0 % 100)" }, format: "%.4f"),
        RowStyle(testDescription: "no zeros at the end", time: { "\(Double(100_000 + $0) / 100)" }, format: "%.5g"),
        RowStyle(testDescription: "hours", time: { "\(10_000_000 + $0).125" }, format: "%.6f", end: "\r\n"),
        RowStyle(testDescription: "whole numbers", time: { "\(10_000 + $0)" }, format: "%.0f"),
        RowStyle(testDescription: "many digits", time: { "1382349608.\(1_000_000 + $0)" }, format: "%.12f"),
        RowStyle(testDescription: "more columns", time: { "\(10_000 + $0).5" }, format: "%.3f", rest: ",walking,1"),
        RowStyle(testDescription: "milliseconds", time: { "\(1_382_349_608_000 + $0 * 10)" }, format: "%.2f"),
        RowStyle(testDescription: "nanoseconds", time: { "\(1_382_349_608_000_000_000 + $0)" }, format: "%.5f"),
        RowStyle(
            testDescription: "date-times",
            time: { "2013-10-21 \(10 + $0 / 5000):\(10 + $0 / 100 % 50):\(10 + $0 % 50).0" }, format: "%.4f"),
        RowStyle(
            testDescription: "date-times of a zone",
            time: { "2013-10-21T10:\(10 + $0 / 500):\(10 + $0 / 10 % 50).\($0 % 10)00000+01:00" }, format: "%.9f"),
        RowStyle(
            testDescription: "date-times of UTC", time: { "2013-10-21T10:10:10.\(100_000_000 + $0)Z" }, format: "%.6f"),
        RowStyle(
            testDescription: "columns before and behind the time", time: { "7,\(10_000 + $0).5,\($0 % 3)," },
            format: "%.4f",
            options: options("2,5,6,7")),
        RowStyle(
            testDescription: "z before y before x", time: { "\(10_000 + $0).5" }, format: "%.4f",
            options: options("1,4,3,2")),
        RowStyle(
            testDescription: "a column between the axes", time: { "\(10_000 + $0).5" }, format: "%.4f,walking",
            options: options("1,2,4,6")),
        RowStyle(testDescription: "no time", time: { _ in "1" }, format: "%.4f", options: options("2,3,4", rate: 50)),
    ]
}

@Suite("Variations of a table")
struct VariationTests {
    @Test("hold the same samples", arguments: Variation.ofTables + Variation.ofTimes + Variation.ofUnits)
    func sameSamples(variation: Variation) throws {
        let trace = try ReadTrace(text: variation.text, variation.options)
        try #require(trace.samples.count == Walk.count, "\(trace.layout) \(trace.warnings)")
        let start = variation.isAbsolute ? Walk.start * 1_000_000_000 : 0
        for (row, sample) in trace.samples.enumerated() {
            let nanoseconds = start + Int64(Walk.milliseconds(row)) * 1_000_000
            try #require(sample.time.nanosecondsSince1970 == nanoseconds, "row \(row): \(trace.layout)")
            let expected = Walk.g(row)
            try #require(abs(Double(sample.x) - expected[0]) < 1e-6, "row \(row): \(trace.layout)")
            try #require(abs(Double(sample.y) - expected[1]) < 1e-6, "row \(row): \(trace.layout)")
            try #require(abs(Double(sample.z) - expected[2]) < 1e-6, "row \(row): \(trace.layout)")
        }
        #expect(trace.layout.table?.unit == variation.unit)
        #expect(trace.warnings.isEmpty)
        #expect(trace.progress == 1)
    }

    @Test("give the same values, bit for bit, with fast rows and with others")
    func fastOrNot() throws {
        var state: UInt64 = 7
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return "\(state >> 60 % 10)"
            }.joined()
        }
        let rows = (0..<3000).map { row -> [String] in
            let fraction = row % 10 == 0 ? "0000" : digits(row % 17 + 1)
            return [
                "1382349608.\(digits(row % 9 + 1))", "-0.\(fraction)", ".\(fraction)1", "009.0\(fraction)",
            ]
        }
        let plain = rows.map { Walk.joined($0) }.joined(separator: "\n") + "\n"
        let other = rows.map { Walk.joined($0, " , ") }.joined(separator: "\r\n")
        let options = TraceOptions(columns: SensorColumns("1,2,3,4"), unit: .metresPerSecondSquared)
        let trace = try ReadTrace(text: plain, options)
        func bits(_ samples: [AccelerationSample]) -> [SIMD3<UInt32>] {
            samples.map { SIMD3($0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern) }
        }
        let others = try ReadTrace(text: other, options).samples
        #expect(trace.samples == others)
        #expect(bits(trace.samples) == bits(others))
        #expect(trace.samples.count == 3000)
        for (row, sample) in zip(rows, trace.samples) {
            let expected = try #require(Float(row[3])) * AccelerationUnit.metresPerSecondSquared.inG
            try #require(sample.z == expected)
        }
    }

    @Test("hold rows that read the same beside rows written like them and beside others", arguments: RowStyle.all)
    func amongOthers(style: RowStyle) throws {
        let pieces = ["0", "9", "-", "+", ".", ",", ":", "e", "\"", "\r", "é", "", "11"]
        var rows: [(text: String, isChanged: Bool)] = []
        for place in 0..<style.row(0).count {
            for piece in pieces {
                rows += (0..<24).map { (style.row(rows.count + $0), false) }
                var changed = style.row(rows.count)
                let index = changed.index(changed.startIndex, offsetBy: min(place, changed.count - 1))
                changed.replaceSubrange(index...index, with: piece)
                rows.append((changed, true))
            }
        }
        let alike = try ReadTrace(text: Walk.lines(end: style.end, rows: rows.indices) { rows[$0].text }, style.options)
        let unlike = try ReadTrace(
            text: Walk.lines(end: style.end, rows: rows.indices) { row in
                rows[row].isChanged ? rows[row].text : rows[row].text.replacingOccurrences(of: ",", with: " , ")
            }, style.options)
        #expect(alike.samples.count >= rows.count * 24 / 25)
        #expect(alike.samples.count == unlike.samples.count)
        let different = zip(alike.samples, unlike.samples).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(different == nil)
        #expect(alike.warnings == unlike.warnings)
    }

    @Test("may have numbers that only just fit, or just do not, wherever they stand")
    func nineteenDigits() throws {
        let numbers = ["9223372036854775807", "9223372036854775808", "9999999999999999999", "-9223372036854775807"]
        let axes = "0.01,-0.02,0.98"
        let times = (0..<3000).map { Walk.start * 1_000_000_000 + Int64($0) * 10_000_000 }
        let ordinary = times.map { "\($0),\(axes)" }
        let odd = numbers.flatMap { number in
            ["\(number),\(axes)", "\(Walk.start)000000000,\(number),0,1", "\(Walk.start)000000000,0,0,0.\(number)"]
        }
        // Wherever the reader begins to look at how rows are written, it finds such a row.
        let mixed = odd.flatMap { row in (0..<16).flatMap { ordinary.suffix($0) + [row] } }
        let rows = ordinary + mixed
        let options = TraceOptions(columns: SensorColumns("1,2,3,4"), timeUnit: .nanoseconds)
        let trace = try ReadTrace(text: rows.joined(separator: "\n") + "\n", options)
        #expect(trace.samples.prefix(3000).map(\.time.nanosecondsSince1970) == times)
        #expect(trace.samples.allSatisfy { abs($0.x) < 1 && abs($0.z) <= 1 })
        #expect(!trace.warnings.isEmpty)
    }

    @Test("may be raw counts, whose gravity states their scale", arguments: [256, 512, 1024, 2048, 4096, 8192, 16384])
    func rawCounts(perG: Int) throws {
        func counts(_ row: Int) -> [Int] { Walk.g(row).map { Int(($0 * Double(perG)).rounded()) } }
        let text = Walk.lines("time,ax,ay,az") { Walk.joined([Walk.epoch($0)] + counts($0).map { "\($0)" }) }
        for (options, told) in [(TraceOptions(), "values"), (TraceOptions(unit: .counts(perG: Float(perG))), "option")]
        {
            // A thousand and twenty-four look like so many thousandths.
            let looksLikeMilli = perG == 1024 && told == "values"
            let scale = looksLikeMilli ? 1000 : Float(perG)
            let trace = try ReadTrace(text: text, options)
            #expect(trace.layout.table?.unit == (looksLikeMilli ? .mg : .counts(perG: scale)))
            #expect(looksLikeMilli || trace.layout.description.hasSuffix("in counts of 1/\(perG) g (from the \(told))"))
            for (row, sample) in trace.samples.enumerated() {
                try #require(abs(sample.z - Float(counts(row)[2]) / scale) < 1e-6)
            }
        }
    }

    @Test("tell the user when a header and the values contradict each other")
    func contradiction() throws {
        let text = Walk.lines("time,x (g),y (g),z (g)") { Walk.joined([Walk.epoch($0)] + Walk.metres($0)) }
        let trace = try ReadTrace(text: text)
        #expect(trace.layout.table?.unit == .g)
        #expect(trace.notes.count == 1)
        for words in ["the header says g, but the values look like m/s²", "give unit='m/s²'"] {
            #expect(trace.notes.first?.contains(words) ?? false, "\(trace.notes)")
        }
    }

    @Test("may have a preamble that looks like a header")
    func preamble() throws {
        let text = "made,by,me,for,you\nrate 100\n" + Walk.lines { Walk.joined([Walk.epoch($0)] + Walk.text($0)) }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.count == Walk.count)
        #expect(trace.layout.table?.headerLine == nil)
        #expect(trace.notes == ["the lines above line 3 are not part of the table"])
    }

    @Test("do not depend on how the file is cut into chunks", arguments: [1, 7, 64, 4099])
    func chunks(size: Int) throws {
        // Long enough for the part after the opening to be cut.
        let rows = Walk.lines("time,x,y,z", rows: 0..<8000) { row in
            Walk.joined([Walk.seconds(row)] + Walk.text(row % 777)) + (row % 100 == 0 ? "\r\n" : "")
        }
        let tooLong = size > 1000 ? String(repeating: "9", count: 70000) : ""
        let text = rows + "bad,1\n" + tooLong + "\n80,0.1,0.2,0.9"
        let whole = try ReadTrace(text: text)
        let cut = try ReadTrace(text: text, chunkSize: size)
        #expect(whole.samples.count == 8001)
        #expect(cut.samples == whole.samples)
        #expect(cut.warnings == whole.warnings)
        #expect(whole.warnings.count == (tooLong.isEmpty ? 1 : 2))
    }
}
