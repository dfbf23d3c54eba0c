import Footfall
import FootfallReaders
import Foundation
import TestSupport
import Testing

@Suite("Columns of times")
struct RowNumberTests {
    private static func table(_ title: String, step: Int) -> String {
        Walk.lines("\(title),x,y,z") { Walk.joined(["\($0 * step)"] + Walk.text($0)) }
    }

    @Test("that count the rows need a rate, or the unit that makes them times", arguments: ["time", "timestamp", "t"])
    func counts(title: String) throws {
        let text = Self.table(title, step: 1)
        let error = try #require(throws: TraceError.self) { try ReadTrace(text: text) }
        #expect(error.description.contains("'\(title)' counts the rows"), "\(error)")
        #expect(error.description.contains("'sampleRate'") && error.description.contains("'timeUnit'"), "\(error)")
        let rated = try ReadTrace(text: text, TraceOptions(sampleRate: 100))
        let tens: [Int64] = (0..<Walk.count).map { Int64($0 * 10) }
        #expect(rated.milliseconds == tens)
        let timed = try ReadTrace(text: text, TraceOptions(timeUnit: .milliseconds))
        #expect(timed.milliseconds == (0..<Walk.count).map(Int64.init))
    }

    @Test("that are milliseconds by their steps or their title are times")
    func times() throws {
        #expect(try ReadTrace(text: Self.table("time", step: 10)).milliseconds.last == 1990)
        #expect(try ReadTrace(text: Self.table("time (ms)", step: 1)).milliseconds.last == 199)
    }

    @Test(
        "are seconds, milliseconds or a clock, whatever else the title says",
        arguments: [
            "time_of_day_s", "Time [s] of day", "Time since last hour (s)", "Recording time since day start [ms]",
            "Clock (UTC)", "Uhr (MEZ)",
        ])
    func words(title: String) throws {
        let text = Walk.lines("\(title),x,y,z") { row in
            let (second, part) = (row / 100, String(format: "%02d0", row % 100))
            let isClock = title.contains("C") || title.contains("U")
            let time = isClock ? "09:30:0\(second).\(part)" : title.contains("ms") ? "\(row * 10)" : "\(second).\(part)"
            return Walk.joined([time] + Walk.text(row))
        }
        let times = try ReadTrace(text: text).milliseconds
        #expect(times.count == Walk.count && (times.last ?? 0) - (times.first ?? 0) == 1990)
    }

    @Test("are not below T where that is a temperature", arguments: ["millis", "Clock"], [-0.01, 0.01])
    func temperatures(title: String, slope: Double) throws {
        let text = Walk.lines("\(title),x,y,z,T") { row in
            let time = title == "millis" ? "\(row * 10)" : String(format: "09:30:0%d.%02d0", row / 100, row % 100)
            return Walk.joined([time] + Walk.text(row) + [String(format: "%.2f", 25 + slope * Double(row / 20))])
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.layout.table?.timeColumn?.name == title)
        #expect((trace.milliseconds.last ?? 0) - (trace.milliseconds.first ?? 0) == 1990)
    }

    @Test("of intervals count those of bad rows")
    func intervals() throws {
        for title in ["dt_ms,x,y,z", "x,y,z,dt_ms"] {
            let text = Walk.lines(title) { row in
                var g = Walk.text(row)
                if row % 15 == 7 { g[1] = row % 2 == 0 ? "nan" : "err" }
                return Walk.joined(title.hasPrefix("dt") ? ["10"] + g : g + ["10"])
            }
            let times = try ReadTrace(text: text).milliseconds
            #expect(times.count == Walk.count - 13 && (times.last ?? 0) - (times.first ?? 0) == 1990)
        }
    }

    @Test("in microseconds do not begin again with a row that is late, or has a time of 0", arguments: [false, true])
    func lateRows(isZero: Bool) throws {
        let text = Walk.lines("micros,x,y,z") { row in
            let late = row == 100 ? isZero ? -1 : 98 : row
            return Walk.joined(["\(late < 0 ? 0 : (1 << 31) - 995_000 + late * 10_000)"] + Walk.text(row))
        }
        let times = try ReadTrace(text: text).milliseconds
        #expect((times.last ?? 0) - (times.first ?? 0) == 1990)
    }

    /// `Phones_accelerometer.csv` of HHAR: the arrival in ms since 1970, and the clock of the sensor in ns.
    private static func arrivals(_ created: @escaping (Int) -> String) -> String {
        Walk.lines("Index,Arrival_Time,Creation_Time,x,y,z,User,Model,Device,gt") { row in
            Walk.joined(
                ["\(row)", Walk.epoch(row, zeros: ""), created(row)] + Walk.text(row) + ["a,nexus4,nexus4_1,walk"])
        }
    }

    @Test("of arrivals give the date where the clock of the sensor has none")
    func hhar() throws {
        let booted = try ReadTrace(text: Self.arrivals { "\(27_920_678_471_000 + $0 * 10_000_000)" })
        #expect(booted.layout.table?.timeColumn?.name == "Arrival_Time")
        #expect(booted.milliseconds.first == Walk.start * 1000)
        let dated = try ReadTrace(text: Self.arrivals { Walk.epoch($0, zeros: "000000") })
        #expect(dated.layout.table?.timeColumn?.name == "Creation_Time")
        #expect(dated.milliseconds.first == Walk.start * 1000)
    }
}
