import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Several series in one table")
struct SeriesTests {
    /// Three sensors that take turns: acceleration in m/s², a rate of turn, a magnetic field.
    private static func sensors(_ header: String?, _ fields: (_ row: Int, _ sensor: Int) -> [String]) -> String {
        Walk.lines(header, rows: 0..<Walk.count * 3) { line in
            let (row, sensor) = (line / 3, line % 3)
            let phase = Double(row) / 9
            let values: [String] =
                switch sensor {
                case 0: Walk.metres(row)
                case 1: [sin(phase), cos(phase), 0.3 * sin(phase)].map { String(format: "%.5f", $0) }
                default: [22 + sin(phase), -14 + cos(phase), 38.5].map { String(format: "%.5f", $0) }
                }
            return Walk.joined(fields(row, sensor) + values)
        }
    }

    private static func expectRefusal(_ text: String, _ words: String...) throws {
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        for word in words { #expect(error.description.contains(word), "\(error)") }
    }

    private static func expectWalk(_ text: String, _ condition: String, _ scale: Double = 1) throws {
        let condition = try #require(RowCondition(condition))
        let trace = try ReadTrace(text: text, TraceOptions(rows: [condition]))
        try #require(trace.samples.count == Walk.count, "\(trace.layout) \(trace.warnings)")
        for (row, sample) in trace.samples.enumerated() {
            #expect(sample.time.nanosecondsSince1970 == Int64(Walk.milliseconds(row)) * 1_000_000)
            try #require(abs(Double(sample.z) - Walk.g(row)[2]) < 2e-6)
        }
        #expect(trace.warnings.isEmpty)
    }

    @Test("of sensors that take turns is refused without a header, and read with a condition")
    func sensorsInTurn() throws {
        let text = Self.sensors(nil) { [Walk.seconds($0), "\($1 + 1)"] }
        try Self.expectRefusal(text, "several series", "column 2 (1: 200 rows, 2: 200", "rows='2=1'")
        try Self.expectWalk(text, "2=1")
    }

    @Test("of sensors is refused with a header, and the remedy names the accelerometer")
    func sensorsByName() throws {
        let names = ["LSM6 accel", "LSM6 gyro", "mag"]
        let text = Self.sensors("sensor,t,x,y,z") { [names[2 - (2 - $1)], Walk.seconds($0)] }
        try Self.expectRefusal(text, "'sensor' (LSM6 accel: 200 rows,", "rows='sensor=LSM6 accel'")
        try Self.expectWalk(text, "sensor=LSM6 accel")
        let last = Self.sensors("t,kind,x,y,z") { [Walk.seconds($0), ["7", "8", "9"][$1]] }
        try Self.expectRefusal(last, "'kind' (7: 200 rows, 8: 200", "rows='kind=7'")
    }

    @Test("of persons whose times overlap is refused, also in blocks", arguments: [true, false])
    func persons(areInTurn: Bool) throws {
        let text = Walk.lines("time,user,x,y,z", rows: 0..<Walk.count * 2) { line in
            let row = areInTurn ? line / 2 : line % Walk.count
            let user = areInTurn ? line % 2 : line / Walk.count
            let lead = user == 0 || !areInTurn ? 0 : 5
            return Walk.joined([Walk.seconds(row - lead + 20), "\(17 + user * 16)"] + Walk.text(row))
        }
        try Self.expectRefusal(text, "several series", "'user' (17: 200 rows, 33: 200 rows)", "rows='user=17'")
        try Self.expectWalk(text, "user=33")
    }

    @Test("of sensors that share times is refused, also where the samples of one hardly resemble each other")
    func sharedTimes() throws {
        var random = SeededGenerator(seed: 5)
        let text = Walk.lines("time,sensor,x,y,z", rows: 0..<Walk.count * 2) { line in
            let values = [0, line % 2, 1 - line % 2].map { axis in
                String(format: "%.4f", Double(axis) + Double.random(in: -1.2...1.2, using: &random))
            }
            return Walk.joined([Walk.seconds(line / 2), ["acc", "gyr"][line % 2]] + values)
        }
        try Self.expectRefusal(text, "several series", "'sensor' (acc: 200 rows, gyr: 200 rows)", "rows='sensor=acc'")
    }

    @Test("beside each other are named: the first by a usual title is read")
    func columns() throws {
        func text(_ first: String, _ second: String) -> String {
            let titles = ["time"] + [first, second].flatMap { name in "xyz".map { "\(name)_\($0)" } }
            return Walk.lines(titles.joined(separator: ",")) {
                Walk.joined([Walk.seconds($0)] + Walk.text($0) + Walk.text($0).reversed())
            }
        }
        let trace = try ReadTrace(text: text("acc1", "acc2"))
        #expect(trace.samples.last?.z == Float(Walk.g(Walk.count - 1)[2]))
        #expect(trace.notes.contains { $0.contains("columns='time,acc2_x,acc2_y,acc2_z'") })
        #expect(try ReadTrace(text: text("acc", "acc_filtered")).notes.allSatisfy { !$0.contains("series") })
        try Self.expectRefusal(
            text("left", "right"), "columns='time,left_x,left_y,left_z'", "columns='time,right_x,right_y,right_z'")
    }

    @Test("is not seen in a label, a flag or a counter beside one series")
    func labels() throws {
        let columns: [(Int) -> String] = [
            { $0 < 90 ? "walking" : "standing" }, { $0 % 37 == 0 ? "1" : "0" }, { "\($0 % 2)" }, { "\($0 % 16)" },
            { _ in "3" },
        ]
        for column in columns {
            for header in ["time,label,x,y,z", nil] {
                let text = Walk.lines(header) { Walk.joined([Walk.seconds($0), column($0)] + Walk.text($0)) }
                let trace = try ReadTrace(text: text)
                #expect(trace.samples.count == Walk.count)
                #expect(trace.samples.last?.z == Float(Walk.g(Walk.count - 1)[2]), "\(column(1)) \(trace.layout)")
            }
        }
    }

    @Test("is chosen far behind the opening of the file, however the file is cut", arguments: [1 << 18, 5000])
    func farBehind(chunkSize: Int) throws {
        func user(_ user: Int, _ count: Int) -> String {
            Walk.lines(rows: 0..<count) { row in
                Walk.joined(
                    ["\(user)", "Jogging", "\(49_105_962_326_000 + row * 10_000_000)"] + Walk.metres(row % 200)) + ";"
            }
        }
        let text = user(33, 12_000) + user(17, 12_000) + user(20, Walk.count)
        let condition = try #require(RowCondition("1=20"))
        let trace = try ReadTrace(text: text, TraceOptions(rows: [condition]), chunkSize: chunkSize)
        #expect(trace.samples.count == Walk.count)
        #expect(trace.samples.first?.time == .epoch)
        #expect(try abs(#require(trace.samples.last).time.seconds(since: .epoch) - 1.99) < 1e-9)
    }

    @Test("is chosen by conditions that all hold; a condition without its column is refused")
    func conditions() throws {
        let text = Walk.lines("time,user,hand,x,y,z", rows: 0..<Walk.count * 4) { line in
            Walk.joined([Walk.seconds(line / 4), "\(line % 2)", line % 4 < 2 ? "left" : "right"] + Walk.text(line / 4))
        }
        let conditions = try ["user=1.0", "hand=left"].map { try #require(RowCondition($0)) }
        #expect(try ReadTrace(text: text, TraceOptions(rows: conditions)).samples.count == Walk.count)
        for condition in ["foot=left", "9=1"] {
            let options = TraceOptions(rows: [try #require(RowCondition(condition))])
            let error = try #require(throws: TraceError.self) { try ReadTrace(text: text, options) }
            #expect(error.description.contains("no column for 'rows' \(condition)"))
        }
        let none = TraceOptions(rows: [try #require(RowCondition("hand=both"))])
        #expect(throws: TraceError.self) { try ReadTrace(text: text, none) }
    }

    @Test("is chosen by a text with a column and a value", arguments: ["user", "=3", "user=", "0=1", "-1=2", ""])
    func noCondition(text: String) { #expect(RowCondition(text) == nil) }
}

@Suite("Columns without a header")
struct UntitledColumnTests {
    @Test(
        "that are a flag, a number or a status are no axis",
        arguments: [["0", "1"], ["1", "2", "3"], ["0"], ["7"], ["12", "40", "99", "103", "8"]])
    func flags(values: [String]) throws {
        let text = Walk.lines { row in
            Walk.joined([Walk.seconds(row), values[row / 3 % values.count]] + Walk.text(row) + ["21.5"])
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.layout.description.contains("axes in column 3, column 4, column 5"))
        #expect(trace.samples.last?.z == Float(Walk.g(Walk.count - 1)[2]))
    }

    @Test("of counts beside a flag are the three that hold gravity")
    func counts() throws {
        let text = Walk.lines { row in
            Walk.joined([Walk.seconds(row), "\(row % 2)"] + Walk.g(row).map { "\(Int($0 * 4096))" })
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.layout.table?.axisColumns.map(\.number) == [3, 4, 5])
        let options = TraceOptions(columns: SensorColumns("1,3,4,5"))
        #expect(try ReadTrace(text: text, options).samples.count == trace.samples.count)
    }
}
