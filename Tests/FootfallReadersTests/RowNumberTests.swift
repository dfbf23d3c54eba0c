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
