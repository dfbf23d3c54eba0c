import Footfall
import FootfallReaders
import Foundation
import Testing

/// A log as a program or a device writes it, with the place where it was found, made from ``SwingingWalk``.
struct FoundTable: Sendable, CustomTestStringConvertible {
    /// What happens with the log.
    enum Outcome: Sendable {
        /// It is read; the largest error of an axis at the median, in g.
        case read(within: Double)
        /// It is refused with these words, and is read with the options of the remedy.
        case advised(String)
    }

    var testDescription: String
    var outcome = Outcome.read(within: 0.02)
    var rate: Double?
    var head = ""
    var end = "\n"
    var tail = ""
    var line: @Sendable (_ row: Int, _ g: SIMD3<Double>) -> String

    var text: String {
        let lines = (0..<SwingingWalk.count).map { line($0, SwingingWalk.g($0)) }
        return head + lines.joined(separator: end) + (tail.isEmpty ? end : tail)
    }
}

extension FoundTable {
    /// Tables beside whose acceleration something resembles a time, a title or another sensor.
    static let misleading = [
        FoundTable(testDescription: "a pulse behind the axes, and a rate", rate: 50) {
            axes($1, times: metres) + ",\(512 + $0 % 7)"
        },
        FoundTable(
            testDescription: "MT Manager of Xsens",
            head: "// Update Rate: 50.0Hz\nPacketCounter\tSampleTimeFine\tAcc_X\tAcc_Y\tAcc_Z\n"
        ) {
            "\($0)\t\(5000 + $0 * 200)\t" + axes($1, "\t", times: metres)
        },
        FoundTable(testDescription: "Physics Toolbox", head: "time,gFx,gFy,gFz,ax,ay,az\n") {
            s($0) + "," + axes($1) + "," + axes($1 - SIMD3(0, 0, 1), times: metres)
        },
        FoundTable(testDescription: "InvenSense's names of registers", head: "ms,ACCEL_XOUT,ACCEL_YOUT,ACCEL_ZOUT\n") {
            "\(ms($0))," + counts($1, zero: [0, 0, 0], perG: 16384)
        },
        FoundTable(testDescription: "blanks below a message", rate: 50, head: "Adafruit MPU6050 test!\n") {
            axes($1, " ", times: metres)
        },
        FoundTable(testDescription: "Python's dictionaries of two sensors", rate: 50) {
            let g = axes($1, times: metres).split(separator: ",")
            return "Accel: {'x': \(g[0]), 'y': \(g[1]), 'z': \(g[2])} Gyro: {'x': \($0 % 7), 'y': 2, 'z': -1}"
        },
        FoundTable(testDescription: "headings without a colon", rate: 50) {
            let g = axes($1, times: metres).split(separator: ",")
            return "Accelerometer data\nx: \(g[0])\ny: \(g[1])\nz: \(g[2])\nGyroscope data\nx: \($0 % 7)\ny: 2\nz: -1"
        },
    ]

    static func ms(_ row: Int) -> Int { row * 20 }
    static func s(_ row: Int) -> String { String(format: "%.2f", Double(row) / 50) }
    /// The axes with so many decimals, in multiples of g.
    static func axes(
        _ g: SIMD3<Double>, _ separator: String = ",", times factor: Double = 1, decimals: Int = 4
    ) -> String {
        (0..<3).map { String(format: "%.\(decimals)f", g[$0] * factor) }.joined(separator: separator)
    }
    /// Counts of a converter.
    static func counts(_ g: SIMD3<Double>, zero: [Double], perG: Double, _ separator: String = ",") -> String {
        (0..<3).map { "\(Int((zero[$0] + g[$0] * perG).rounded()))" }.joined(separator: separator)
    }
    static func wrapped(_ g: SIMD3<Double>, bits: Int, perG: Double) -> [Int] {
        (0..<3).map { Int((g[$0] * perG).rounded()) & (1 << bits - 1) }
    }
    static func clock(_ row: Int, _ mark: String = ".") -> String {
        String(format: "09:30:%02d\(mark)%03d", row / 50, row % 50 * 20)
    }
    static let metres = 9.80665

    static let all: [FoundTable] = tables + shifted + converters + documents + refused + kinds

    private static let tables: [FoundTable] = [
        // kazumakano/pdr.py, log/README.md: seven columns without titles.
        FoundTable(testDescription: "date-times and two sensors without titles") {
            "2024-05-13 \(clock($0))000,\(axes($1)),\(axes($1 * [0.1, -0.3, 0.01]))"
        },
        // The acquisitions of PicoQuake.
        FoundTable(
            testDescription: "titles below comments",
            head: "# PLab\n# Config: data_rate = 50.0 Hz\ncount,t,a_x,a_y,a_z\n"
        ) {
            "\($0),\(s($0)),\(axes($1))"
        },
        // SensorLog for iOS.
        FoundTable(
            testDescription: "bars, and units in brackets",
            head: "loggingTime(txt)|loggingSample(N)|accelerometerAccelerationX(G)|accelerometerAccelerationY(G)|"
                + "accelerometerAccelerationZ(G)\n"
        ) { "2024-05-13T\(clock($0))+02:00|\($0)|\(axes($1, "|"))" },
        // The console of MakeCode: each axis with a time of its own.
        FoundTable(testDescription: "a time for each axis", head: "time (x),x,time (y),y,time (z),z\n") { row, g in
            (0..<3).map { "\(s(row)),\(Int((g[$0] * 1000).rounded()))" }.joined(separator: ",")
        },
        // A spreadsheet in German: units in a second row of titles, and a separator at the end.
        FoundTable(
            testDescription: "units in a second row",
            head: "Zeit;Beschleunigung x;Beschleunigung y;Beschleunigung z;\r\ns;m/s²;m/s²;m/s²;\r\n", end: "\r\n"
        ) { (s($0) + ";" + axes($1, ";", times: metres)).replacingOccurrences(of: ".", with: ",") + ";" },
        // A spreadsheet in French.
        FoundTable(
            testDescription: "titles in French",
            head: "Temps (s);Accélération x (m/s²);Accélération y (m/s²);Accélération z (m/s²)\n"
        ) { (s($0) + ";" + axes($1, ";", times: metres)).replacingOccurrences(of: ".", with: ",") },
        // WitMotion's app.
        FoundTable(testDescription: "titles in Chinese", head: "时间\t加速度X(g)\t加速度Y(g)\t加速度Z(g)\n") {
            clock($0) + "\t" + axes($1, "\t")
        },
        // An SD card whose file has its full size before the first row.
        FoundTable(testDescription: "zero bytes behind the rows", head: "\u{FEFF}t,x,y,z\r\n", tail: "\n\0\0\0\0\0\0") {
            s($0) + "," + axes($1)
        },
        // iNavFlight/inav#3690: the columns of a flight recorder are numbered from 0.
        FoundTable(
            testDescription: "axes numbered from 0",
            head:
                "loopIteration, time (us), gyroADC[0], gyroADC[1], gyroADC[2], accSmooth[0], accSmooth[1], accSmooth[2]\n"
        ) { "\($0), \(ms($0) * 1000), 3, -5, 9, \(counts($1, zero: [0, 0, 0], perG: 2048, ", "))" },
        // Mjrovai/Sensor_DataLogger.
        FoundTable(testDescription: "axes of the first sensor", head: "ms,X1,Y1,Z1\n") { "\(ms($0)),\(axes($1))" },
        // CircuitPython: print(time.monotonic(), sensor.acceleration).
        FoundTable(testDescription: "a tuple behind a time") {
            String(format: "%.3f (", 100 + Double($0) / 50) + axes($1, ", ", times: metres) + ")"
        },
        // The sketch of the GY-521, of a sensor that moves from the first line on.
        FoundTable(testDescription: "labels of a GY-521", rate: 50) { _, g in
            let v = counts(g, zero: [0, 0, 0], perG: 16384).split(separator: ",")
            return "AcX = \(v[0]) | AcY = \(v[1]) | AcZ = \(v[2]) | GyX = -50 | GyY = 30 | GyZ = 12"
        },
    ]

    /// Rows with one column more than titles.
    private static let shifted: [FoundTable] = [
        // wolfins/accel_workshop.
        FoundTable(testDescription: "a time without a title", head: "Acceleration in G's\r\nX\tY\tZ\r\n", end: "\r\n") {
            "\(ms($0))\t" + axes($1, "\t", decimals: 2)
        },
        // R, write.table: the names of the rows have no title.
        FoundTable(testDescription: "names of rows", head: "\"time\" \"x\" \"y\" \"z\"\n") {
            "\"\($0 + 1)\" \(s($0)) " + axes($1, " ")
        },
    ]

    private static let converters: [FoundTable] = [
        // sparkfun/SparkFun_ADXL345_Arduino_Library#14.
        FoundTable(testDescription: "32 counts a g without a sign", outcome: .read(within: 0.05), head: "ms,x,y,z\n") {
            "\(ms($0))," + wrapped($1, bits: 16, perG: 31.2).map(String.init).joined(separator: ",")
        },
        // A Nunchuk at an Arduino.
        FoundTable(testDescription: "10 bits of a Nunchuk", outcome: .read(within: 0.2), head: "ms,ax,ay,az\n") {
            "\(ms($0))," + counts($1, zero: [508, 520, 497], perG: 205)
        },
        // An ADXL335 at 3.3 V: data sheet.
        FoundTable(testDescription: "volts", outcome: .read(within: 0.2), head: "Time (s),Vx (V),Vy (V),Vz (V)\n") {
            s($0) + "," + axes($1 * 0.33 + 1.65, decimals: 3)
        },
        FoundTable(testDescription: "two settings before the axes") { "\(s($0)),7,1.5,\(axes($1))" },
        // Two titles with a comma between them where semicolons separate the others.
        FoundTable(testDescription: "a slip in the titles", head: "timestamp;accX;accY;accZ,gyroX;gyroY;gyroZ\n") {
            "\(ms($0));\(axes($1, ";", times: metres));0.01;0.02;0.05"
        },
        // The same at 3 V.
        FoundTable(testDescription: "millivolts", outcome: .read(within: 0.2), head: "time_s,x_mV,y_mV,z_mV\n") {
            s($0) + "," + counts($1, zero: [1500, 1500, 1500], perG: 300)
        },
    ]

    /// Documents of JSON on one line.
    private static let documents: [FoundTable] = [
        FoundTable(testDescription: "a list of objects", head: "[", end: ",", tail: "]") {
            #"{"timestamp":\#(1_715_592_600_000 + ms($0)),"x":"#
                + axes($1, "|", times: metres)
                .replacing("|", with: #","y":"#, maxReplacements: 1).replacing("|", with: #","z":"#) + "}"
        },
        // Sensor Logger for phones: numbers in quotes, several sensors in one list.
        FoundTable(testDescription: "the export of a phone", head: "[", end: ",", tail: "]") { row, g in
            let time = #""time":"\#(1_715_592_600_000 + ms(row))000000""#
            func object(_ sensor: String, _ v: SIMD3<Double>) -> String {
                let v = axes(v, "|").split(separator: "|")
                return #"{"sensor":"\#(sensor)",\#(time),"x":"\#(v[0])","y":"\#(v[1])","z":"\#(v[2])"}"#
            }
            return object("TotalAcceleration", g * metres) + "," + object("Gyroscope", g * 0.2)
        },
    ]

    /// The axes in brackets over several lines.
    private static func indented(_ g: SIMD3<Double>) -> String { "    [\n      \(axes(g, ",\n      "))\n    ]" }

    /// Logs that leave a choice to the user.
    private static let refused: [FoundTable] = [
        // The acquisitions of Edge Impulse, on one line and over several.
        FoundTable(
            testDescription: "a list in a document", outcome: .advised("sampleRate"),
            head: #"{"payload":{"interval_ms":20,"sensors":[{"name":"accX"},{"name":"accY"}],"values":["#, end: ",",
            tail: #"]},"signature":[[1,2,3]]}"#
        ) { "[\(axes($1))]" },
        FoundTable(
            testDescription: "a list in a document over several lines", outcome: .advised("sampleRate"),
            head: "{\n  \"acc\": [\n", end: ",\n", tail: "\n  ]\n}\n"
        ) { indented($1) },
        // The export of a channel of ThingSpeak.
        FoundTable(
            testDescription: "titles that say nothing", outcome: .advised("no column for x or y or z"),
            head: "created_at,entry_id,field1,field2,field3\n"
        ) { "2024-05-13 \(clock($0)) UTC,\($0 + 1),\(axes($1))" },
        // The raw rows of the HHAR data set, and of loggers for Android.
        FoundTable(
            testDescription: "two sensors in one column", outcome: .advised("several series"),
            head: "timestamp,sensor,x,y,z\n"
        ) {
            "\(ms($0)),accelerometer,\(axes($1, times: metres))\n\(ms($0) + 1),gyroscope,\(axes($1 * 0.3))"
        },
        FoundTable(
            testDescription: "titles of a gyroscope", outcome: .advised("gyroscope"), head: "ms,gyr_x,gyr_y,gyr_z\n"
        ) {
            "\(ms($0)),\(axes($1))"
        },
        FoundTable(
            testDescription: "titles of a magnetic field", outcome: .advised("magnetometer"),
            head: "s,x (µT),y (µT),z (µT)\n"
        ) {
            "\(s($0)),\(axes($1, times: metres))"
        },
        FoundTable(testDescription: "a number for each row", outcome: .advised("sampleRate"), head: ",x,y,z\n") {
            "\($0),\(axes($1))"
        },
        FoundTable(testDescription: "lines without times", outcome: .advised("sampleRate")) { _, g in
            (0..<3).map { ["X", "Y", "Z"][$0] + String(format: "=%.4f", g[$0]) }.joined(separator: " ")
        },
        // The magic wand of TensorFlow Lite for microcontrollers.
        FoundTable(testDescription: "no times", outcome: .advised("sampleRate"), head: "ax,ay,az\n") { axes($1) },
    ]
}

@Suite("Logs of public programs")
struct FoundTableTests {
    @Test(
        "are read as what they are, or with the options that their refusal gives",
        arguments: FoundTable.all + FoundTable.misleading)
    func found(table: FoundTable) throws {
        let options = TraceOptions(sampleRate: table.rate)
        switch table.outcome {
        case .read(let tolerance): try expect(table, options, within: tolerance)
        case .advised(let words):
            let error = try #require(throws: TraceError.self) { try ReadTrace(text: table.text, options) }
            #expect(error.description.contains(words), "\(error)")
            try expect(table, Self.following(error, options), within: 0.02)
        }
    }

    @Test("with values three times too large are read with a note that says so")
    func threeTimesTooLarge() throws {
        let table = SwingingWalk.table("time,acc_x,acc_y,acc_z") { String(format: "%.4f", $1 * 3) }
        let trace = try ReadTrace(text: table)
        #expect(trace.notes.contains { $0.contains("the median |a| is 3.") }, "\(trace.notes)")
        #expect(trace.layout.table?.unitEvidence == .assumption)
    }

    @Test("with one axis after the other ask for another order of the rows")
    func oneAxisAfterTheOther() throws {
        let rows = ["x", "y", "z"].flatMap { axis in
            (0..<200).map { "2024-05-13 \(FoundTable.clock($0)),\(axis),0.\($0 % 9)" }
        }
        let text = "time,axis,value\n" + rows.joined(separator: "\n") + "\n"
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.description.contains("sort -s -t ',' -k1,1;"), "\(error)")
    }

    private func expect(_ table: FoundTable, _ options: TraceOptions, within tolerance: Double) throws {
        let trace = try ReadTrace(text: table.text, options)
        #expect(trace.samples.count == SwingingWalk.count, "\(trace.layout)")
        #expect(SwingingWalk.error(of: trace.samples) <= tolerance, "\(trace.layout) \(trace.notes)")
        let times = trace.milliseconds
        #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 20) <= 1 }, "\(trace.layout)")
    }

    /// The options with those that a refusal proposes. A rate that it asks for is 50 Hz.
    private static func following(_ error: TraceError, _ options: TraceOptions) -> TraceOptions {
        var options = options
        _ = error.remedy?.text { parameter in
            switch parameter {
            case .columns(let columns?): options.columns = columns
            case .unit(let unit?): options.unit = unit
            case .zero(let coding?): options.zero = coding.zero
            case .sampleRate(let rate): options.sampleRate = rate ?? 50
            case .rows(let condition?): options.rows = [RowCondition(condition)].compactMap(\.self)
            default: break
            }
            return ""
        }
        return options
    }
}
