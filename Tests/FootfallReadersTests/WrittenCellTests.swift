import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

/// Tables as spreadsheets, databases and programs write them.
@Suite("Cells as other programs write them")
struct WrittenCellTests {
    /// Expects the walk, at the times since its first row.
    private static func expectWalk(
        _ trace: ReadTrace, step: Int64 = 10, within error: Double = 2e-6, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try #require(trace.samples.count == Walk.count, "\(trace.layout) \(trace.warnings)", sourceLocation: location)
        let first = trace.milliseconds[0]
        #expect(
            trace.milliseconds.map { $0 - first } == (0..<Walk.count).map { Int64($0) * step }, sourceLocation: location
        )
        for (row, sample) in trace.samples.enumerated() {
            let g = Walk.g(row)
            let found = [sample.x, sample.y, sample.z].map(Double.init)
            try #require(zip(found, g).allSatisfy { abs($0 - $1) < error }, sourceLocation: location)
        }
    }

    /// A cell in quotes with thousands, as Excel exports it in the United States, Germany, Switzerland, France.
    @Test("with thousands apart", arguments: [",", ".", "'", "’", "\u{202F}", "\u{A0}"])
    func thousands(mark: String) throws {
        let isGerman = mark == "."
        func cell(_ number: Double) -> String {
            let (sign, size) = (number < 0 ? "-" : "", abs(number))
            let (whole, tenths) = (Int(size), Int((size * 10).rounded()) % 10)
            let digits = whole < 1000 ? "\(whole)" : "\(whole / 1000)\(mark)" + String(format: "%03d", whole % 1000)
            return "\"\(sign)\(digits)\(isGerman ? "," : ".")\(tenths)\""
        }
        let text = Walk.lines("t (ms);x (mg);y (mg);z (mg)") { row in
            let values = Walk.g(row).map { cell(($0 * 10_000).rounded() / 10) }
            return ([cell(Double(row * 10 + 5000))] + values).joined(separator: ";")
        }
        let separated = mark == "," ? text.replacingOccurrences(of: ";", with: ",") : text
        try Self.expectWalk(ReadTrace(text: separated), within: 1e-3)
    }

    /// Three decimals behind a comma look like thousands where no value is below 1. An integer time is no proof.
    @Test("whose decimals look like thousands", arguments: [",", "."])
    func decimals(mark: String) throws {
        let text = Walk.lines("Zeit;X;Y;Z") { row in
            let values = zip(Walk.g(row), [4, 3.5, 7.4]).map { String(format: "%.3f", $0 + $1) }
            let cells = ["\(row * 10)"] + values.map { $0.replacingOccurrences(of: ".", with: mark) }
            return cells.joined(separator: ";")
        }
        let trace = try ReadTrace(text: text)
        try #require(trace.samples.count == Walk.count)
        for (row, sample) in trace.samples.enumerated() {
            #expect(abs(Double(sample.x) * 9.80665 - Walk.g(row)[0] - 4) < 1e-3)
        }
    }

    /// The raw bytes of ST's BLE app, and the vectors that pandas and Android apps write.
    @Test("with lists")
    func lists() throws {
        let beside = Walk.lines("t (ms);raw;X (mg);Y (mg);Z (mg)") { row in
            (["\(row * 10)", "[1 2 3 4 5 6 7 8 9 10 11]"] + Walk.mg(row)).joined(separator: ";")
        }
        try Self.expectWalk(ReadTrace(text: beside))
        let commas = Walk.lines("t (ms),raw,X (mg),Y (mg),Z (mg)") { row in
            (["\(row * 10)", "[1, 2, 3, \(row)]"] + Walk.mg(row)).joined(separator: ",")
        }
        try Self.expectWalk(ReadTrace(text: commas))
        for (open, close) in [("[", "]"), ("\"[", "]\""), ("\"(", ")\""), ("\"", "\"")] {
            for (separator, comma) in [(",", ", "), (",", ";"), (",", "; "), ("\t", ","), ("\t", ";"), (";", ",")] {
                let vector = Walk.lines("time\(separator)acceleration") { row in
                    Walk.seconds(row) + separator + open + Walk.text(row).joined(separator: comma) + close
                }
                try Self.expectWalk(ReadTrace(text: vector))
            }
        }
    }

    /// Excel quotes only the cells that hold a comma.
    @Test("with thousands apart in some cells")
    func someThousands() throws {
        func cell(_ number: Int) -> String {
            let size = abs(number)
            guard size >= 1000 else { return "\(number)" }
            return "\"\(number < 0 ? "-" : "")\(size / 1000)," + String(format: "%03d", size % 1000) + "\""
        }
        let text = Walk.lines("ms,x (mg),y (mg),z (mg)") { row in
            (["\(row * 10)"] + Walk.g(row).map { cell(Int(($0 * 1000).rounded())) }).joined(separator: ",")
        }
        try Self.expectWalk(ReadTrace(text: text), within: 1e-3)
    }

    @Test("with empty columns between tabs")
    func emptyColumns() throws {
        let text = Walk.lines("time\tnote\tax\tay\taz\ttemp") { row in
            ([Walk.seconds(row), ""] + Walk.text(row) + ["24.1"]).joined(separator: "\t")
        }
        try Self.expectWalk(ReadTrace(text: text))
    }

    @Test("with several rows in a line", arguments: [3, 100])
    func rowsInLines(count: Int) throws {
        let rows = (0..<9000).map { Walk.joined(["\($0 * 10)"] + Walk.text($0 % Walk.count)) + ";" }
        let lines = stride(from: 0, to: rows.count, by: count).map { rows[$0..<min($0 + count, rows.count)].joined() }
        let trace = try ReadTrace(text: lines.joined(separator: "\n") + "\n")
        #expect(trace.samples.count == rows.count, "\(trace.layout)")
    }

    @Test("whose decimal comma also divides the cells are refused")
    func dividedDecimals() throws {
        let decimals = Walk.lines("Zeit,X,Y,Z") { row in
            Walk.comma([Walk.seconds(row)] + Walk.text(row)).joined(separator: ",")
        }
        let times = Walk.lines("time,x,y,z") { row in
            let clock = Walk.clock(row).replacingOccurrences(of: ".", with: ",")
            return Walk.joined(["2024-05-13 \(clock)"] + Walk.text(row))
        }
        for text in [decimals, times] {
            let error = #expect(throws: TraceError.self) { try ReadTrace(text: text) }
            #expect(error.map { "\($0)".contains("more cells than titles") } ?? false, "\(error.map { "\($0)" } ?? "")")
        }
    }

    /// Excel's "Unicode text".
    @Test("in UTF-16", arguments: [true, false], [true, false])
    func utf16(isBigEndian: Bool, hasMark: Bool) throws {
        let text = Walk.lines("Zeit\tx (g)\ty (g)\tz (g)", end: "\r\n") { row in
            let clock = Walk.clock(row).replacingOccurrences(of: ".", with: ",")
            return (["03.05.2024 \(clock)"] + Walk.comma(Walk.text(row))).joined(separator: "\t")
        }
        let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
        let bytes = units.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
        for chunk in [7, 1 << 18] {
            let trace = try withFile(bytes) { try ReadTrace($0, chunkSize: chunk) }
            try Self.expectWalk(trace)
            #expect("\(trace.samples[0].time)".hasPrefix("2024-05-03T10:00:08"))
        }
    }

    /// Java's `yyyyMMddHHmmssSSS`, ISO 8601's basic format, and dates as spreadsheets and MATLAB count them.
    @Test("with compact and serial dates")
    func dates() throws {
        for mark in ["", "T", "_"] {
            let text = Walk.lines("time,x,y,z") { row in
                let time = Walk.clock(row).filter { $0 != ":" && $0 != "." }
                return Walk.joined(["20131021\(mark)\(time)"] + Walk.text(row))
            }
            let trace = try ReadTrace(text: text)
            try Self.expectWalk(trace)
            #expect(trace.milliseconds[0] == Walk.start * 1000)
        }
        for space in [" ", "\u{202F}", "\u{A0}"] {
            let text = Walk.lines("time,x,y,z") { row in
                Walk.joined(["\"5/13/2024, \(Walk.clock(row).drop { $0 == "0" })\(space)AM\""] + Walk.text(row))
            }
            try Self.expectWalk(ReadTrace(text: text))
        }
        let behind = Walk.lines("time,date,x,y,z") { Walk.joined([Walk.clock($0), "2024-05-13"] + Walk.text($0)) }
        try #expect("\(ReadTrace(text: behind).samples[0].time)".hasPrefix("2024-05-13T"))
        for zero in [25_569.0, 719_529.0] {
            let text = Walk.lines("Date,x,y,z") { row in
                let days = Double(Walk.start * 1000 + Int64(row * 10)) / 86_400_000 + zero
                return Walk.joined([String(format: "%.12f", days)] + Walk.text(row))
            }
            let trace = try ReadTrace(text: text)
            #expect(trace.samples.count == Walk.count)
            let errors = trace.milliseconds.enumerated().map { abs($1 - Walk.start * 1000 - Int64($0 * 10)) }
            #expect(errors.max() ?? 99 <= 1, "\(trace.layout)")
        }
    }

    /// ActiGraph's LEAP (OxWearables/stepcount#155).
    @Test("between bars, with the order of day and month above the table")
    func bars() throws {
        let head = """
            ------------ Data File Created By ActiGraph LEAP v2 ActiLife v7.0.0 date format   dd/MM/yyyy at 100 Hz  -----
            Serial Number: XXX2E00000000
            Start Time 10:00:08
            Start Date 11/12/2024
            Epoch Period (hh:mm:ss) 00:00:00
            --------------------------------------------------
            Timestamp | Accelerometer X | Accelerometer Y | Accelerometer Z

            """
        let rows = Walk.lines { row in
            (["11/12/2024   \(Walk.clock(row))"] + Walk.text(row)).joined(separator: " | ")
        }
        let trace = try ReadTrace(text: head + rows)
        try Self.expectWalk(trace)
        #expect("\(trace.samples[0].time)".hasPrefix("2024-12-11T10:00:08"), "\(trace.samples[0].time)")
    }

    /// `rostopic echo -p` and exports of bags: seconds and nanoseconds apart, beside an orientation at rest.
    @Test("of ROS, whose linear acceleration includes gravity")
    func ros() throws {
        let header =
            "seq,header.stamp.secs,header.stamp.nsecs,frame_id,orientation.x,orientation.y,orientation.z,orientation.w,"
            + "angular_velocity.x,angular_velocity.y,angular_velocity.z,"
            + "linear_acceleration.x,linear_acceleration.y,linear_acceleration.z"
        let text = SwingingWalk.table(header) { axis, g in String(format: "%.5f", g * 9.80665) }
            .split(separator: "\n").enumerated().map { line, row in
                guard line > 0 else { return String(row) }
                let cells = row.split(separator: ",")
                let (second, rest) = ((line - 1) / 50, (line - 1) % 50 * 20_000_000)
                let lead = "\(line),\(Walk.start + Int64(second)),\(rest),imu,0.0,0.0,0.0,1.0,0.01,0.02,0.0"
                return ([lead] + cells.dropFirst().map(String.init)).joined(separator: ",")
            }.joined(separator: "\n")
        let trace = try ReadTrace(text: text)
        #expect(SwingingWalk.error(of: trace.samples) < 1e-4)
        let times: [Int64] = (0..<SwingingWalk.count).map { Walk.start * 1000 + Int64($0 * 20) }
        #expect(trace.milliseconds == times)
    }

    @Test("of acceleration without gravity by its titles, where forty seconds of values have it")
    func wrongTitles() throws {
        let header = "time,userAcceleration.x,userAcceleration.y,userAcceleration.z"
        let trace = try ReadTrace(text: SwingingWalk.table(header) { axis, g in String(format: "%.5f", g) })
        #expect(SwingingWalk.error(of: trace.samples) < 1e-4)
        #expect(trace.notes.contains { $0.contains("gravity is missing") }, "\(trace.notes)")
    }

    @Test("with the newest row first", arguments: [false, true])
    func newestFirst(isCompressed: Bool) throws {
        let rows = (0..<Walk.count).reversed().map { Walk.joined([Walk.seconds($0)] + Walk.text($0)) }
        let text = "a log\ntime,x,y,z\n" + rows.joined(separator: "\n")
        for chunk in [11, 1 << 18] {
            let bytes = isCompressed ? gzipped(Array(text.utf8)) : Array(text.utf8)
            try Self.expectWalk(withFile(bytes) { try ReadTrace($0, chunkSize: chunk) })
        }
        let dated = (0..<Walk.count).reversed().map { Walk.joined(["2024-05-13 \(Walk.clock($0))"] + Walk.text($0)) }
        try Self.expectWalk(ReadTrace(text: dated.joined(separator: "\n") + "\n"))
    }

    @Test("beside counters, a pulse and a temperature, which are no times")
    func otherColumns() throws {
        let pulse = Walk.lines("Heart Rate,x,y,z") { Walk.joined(["\(72 + $0 / 90)"] + Walk.text($0)) }
        #expect(throws: TraceError.self) { try ReadTrace(text: pulse) }
        try Self.expectWalk(ReadTrace(text: pulse, TraceOptions(sampleRate: 100)))
        let position = Walk.lines("time,x,y,z,accX,accY,accZ") { row in
            Walk.joined([Walk.seconds(row), "0.0\(row % 7)", "1.5", "0.2"] + Walk.text(row))
        }
        try Self.expectWalk(ReadTrace(text: position))
        for (title, unit) in [("Time (min)", "minutes"), ("time_h", "hours")] {
            let text = Walk.lines("\(title),x,y,z") { Walk.joined(["\(Double($0) / 6000)"] + Walk.text($0)) }
            let error = #expect(throws: TraceError.self) { try ReadTrace(text: text) }
            #expect(error.map { "\($0)".contains("times in \(unit)") } ?? false)
        }
        let lossy = Walk.lines("Nr,x,y,z") { Walk.joined(["\($0 < 90 ? $0 : $0 + 1)"] + Walk.text($0)) }
        #expect(throws: TraceError.self) { try ReadTrace(text: lossy) }
        try Self.expectWalk(ReadTrace(text: lossy, TraceOptions(sampleRate: 100)))
        for title in ["distance", "Path (m)", "elevation"] {
            let text = Walk.lines("\(title),ax,ay,az") { Walk.joined(["\(Double($0) * 0.013)"] + Walk.text($0)) }
            #expect(throws: TraceError.self) { try ReadTrace(text: text) }
            try Self.expectWalk(ReadTrace(text: text, TraceOptions(sampleRate: 100)))
        }
        let halves = Walk.lines("Date,Time,AM/PM,X,Y,Z") { row in
            Walk.joined(["05/13/2024", "03" + Walk.clock(row).dropFirst(2), "PM"] + Walk.text(row))
        }
        let error = #expect(throws: TraceError.self) { try ReadTrace(text: halves) }
        #expect(error.map { "\($0)".contains("join the two columns") } ?? false)
        for value in ["22.5", "22.%d"] {
            let text = Walk.lines("x,y,z,T") { row in
                Walk.joined(Walk.text(row) + [value.replacingOccurrences(of: "%d", with: "\(row % 3)")])
            }
            try Self.expectWalk(ReadTrace(text: text, TraceOptions(sampleRate: 100)))
        }
        let packets = Walk.lines("packet_id,x,y,z") { Walk.joined(["\($0 * 3)"] + Walk.text($0)) }
        try Self.expectWalk(ReadTrace(text: packets, TraceOptions(sampleRate: 100)))
    }

    @Test("of channels without titles: the three that hold gravity are the axes")
    func extraChannels() throws {
        func table(_ cells: @escaping (_ row: Int, _ g: SIMD3<Double>) -> [String]) -> String {
            Walk.lines(rows: 0..<SwingingWalk.count) { row in
                Walk.joined([String(format: "%.2f", Double(row) / 50)] + cells(row, SwingingWalk.g(row)))
            }
        }
        func text(_ number: Double) -> String { String(format: "%.4f", number) }
        let tables = [
            table { row, g in [text(21.5 + Double(row) * 1e-4), text(g.x), text(g.y), text(g.z)] },
            table { row, g in [text(3.7 + 0.3 * sin(Double(row) / 40)), text(g.x), text(g.y), text(g.z)] },
            table { row, g in [text((g * g).sum().squareRoot()), text(g.x), text(g.y), text(g.z)] },
            table { row, g in [text(g.x), text(g.y), text(g.z), text((g * g).sum().squareRoot())] },
        ]
        for (number, table) in tables.enumerated() {
            let trace = try ReadTrace(text: table)
            #expect(SwingingWalk.error(of: trace.samples) < 1e-3, "\(number): \(trace.layout)")
        }
    }
}
