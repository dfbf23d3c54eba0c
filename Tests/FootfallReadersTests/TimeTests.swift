import Footfall
import FootfallReaders
import Foundation
import Testing

@Suite("Times in traces")
struct TimeTests {
    private func still(_ times: [String], _ options: TraceOptions = TraceOptions()) throws -> ReadTrace {
        try ReadTrace(text: "time,x,y,z\n" + times.map { "\($0),0,0.01,1\n" }.joined(), options)
    }

    @Test("that step back are passed on and counted")
    func stepsBack() throws {
        let trace = try still(["0.00", "0.02", "0.01", "0.03", "0.04", "0.04", "0.02", "0.05"])
        #expect(trace.milliseconds == [0, 20, 10, 30, 40, 40, 20, 50])
        #expect(trace.warnings == ["2 rows step back in time (first at line 4)"])
    }

    @Test("in nanoseconds keep every digit")
    func nanoseconds() throws {
        let times = (0..<50).map { "\(1_767_620_467_350_470_701 + $0 * 10_000_003)" }
        let trace = try still(times)
        #expect(trace.samples.map { "\($0.time.nanosecondsSince1970)" } == times)
    }

    @Test("of dates keep nanoseconds, and cut what is finer")
    func fractions() throws {
        let trace = try still([
            "2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.2234567891234Z", "2026-01-02T03:04:06Z",
        ])
        #expect(
            trace.samples.map { $0.time.nanosecondsSince1970 % 1_000_000_000 } == [123_456_789, 223_456_789, 0])
    }

    @Test("begin at 1970 when they count from another moment, whatever that was")
    func origin() throws {
        let trace = try still((0..<40).map { "\(Double(9000 + $0) / 100 + 0.005)" })
        #expect(trace.samples.first?.time == .epoch)
        #expect(trace.milliseconds.last == 390)
    }

    @Test("without a zone follow the clocks of the zone given, also when these change")
    func clockChange() throws {
        let paris = try #require(TimeZone(identifier: "Europe/Paris"))
        let trace = try still(
            [
                "2026-03-29 01:59:59.500", "2026-03-29 03:00:00.000", "2026-10-25 01:59:59", "2026-10-25 02:00:00",
                "2026-10-25 03:00:00",
            ], TraceOptions(timeZone: paris))
        #expect(
            trace.samples.map(\.time.description) == [
                "2026-03-29T00:59:59.500Z", "2026-03-29T01:00:00.000Z", "2026-10-24T23:59:59.000Z",
                "2026-10-25T00:00:00.000Z", "2026-10-25T02:00:00.000Z",
            ])
        #expect(trace.notes == ["date-times state no zone; they were read as Europe/Paris"])
        #expect(trace.warnings.isEmpty)
    }

    /// Date-times of every tenth of a second on a wall clock, between two moments.
    private func wall(_ zone: TimeZone, from start: Int, seconds: Int) -> [String] {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = zone
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return (0..<seconds).flatMap { second in
            let text = format.string(from: Date(timeIntervalSince1970: Double(start + second)))
            return (0..<10).map { "\(text).\($0)" }
        }
    }

    /// Three hours around the changes of 2026-03-29 and 2026-10-25, at 01:00 UTC, and how far clocks in Berlin are
    /// ahead before it.
    private static let changes = [(start: 1_774_740_600, offset: 3600), (start: 1_792_884_600, offset: 7200)]

    @Test("are in order in the night in which clocks change, also between rows that are written in another way")
    func nightOfChange() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        for (start, _) in Self.changes {
            var times = wall(berlin, from: start, seconds: 10_800)
            // Rows that only the general reader takes, at the same minutes of both passes.
            for index in stride(from: 7, to: times.count, by: 611) { times[index] = "\"\(times[index])\"" }
            let trace = try still(times, TraceOptions(timeZone: berlin))
            #expect(trace.warnings.isEmpty)
            #expect(
                trace.samples.map(\.time.nanosecondsSince1970)
                    == times.indices.map { Int64(start) * 1_000_000_000 + Int64($0) * 100_000_000 })
        }
    }

    @Test("of a clock that is not set in that night keep their offset")
    func clockThatIsNotSet() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        for (start, offset) in Self.changes {
            let own = try #require(TimeZone(secondsFromGMT: offset))
            let times = wall(own, from: start, seconds: 10_800)
            let trace = try still(times, TraceOptions(timeZone: berlin))
            #expect(
                trace.samples.map(\.time.nanosecondsSince1970)
                    == times.indices.map { Int64(start) * 1_000_000_000 + Int64($0) * 100_000_000 })
            let local = offset == 3600 ? "02:00:00.0" : "03:00:00.0"
            let line = try #require(times.firstIndex { $0.hasSuffix(local) }) + 2
            #expect(trace.warnings.count == 1)
            #expect(
                trace.warnings.first?.hasPrefix("the clock was not set when local time changed (first at line \(line))")
                    ?? false)
        }
    }

    @Test("of day are in order in that night, by a clock that is set and by one that is not")
    func timesOfDayInTheNight() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        for (change, offset) in Self.changes {
            // From the evening before.
            let start = Timestamp(nanosecondsSince1970: Int64(change - 7200) * 1_000_000_000)
            for zone in [berlin, try #require(TimeZone(secondsFromGMT: offset))] {
                let times = wall(zone, from: change - 7200, seconds: 18_000).map { String($0.dropFirst(11)) }
                let trace = try still(times, TraceOptions(timeZone: berlin, start: start))
                #expect(trace.warnings.count == (zone == berlin ? 0 : 1), "\(trace.warnings)")
                #expect(
                    trace.samples.map(\.time.nanosecondsSince1970)
                        == times.indices.map { start.nanosecondsSince1970 + Int64($0) * 100_000_000 })
            }
        }
    }

    @Test("out of order by a moment stay in their pass of the repeated hour")
    func outOfOrderInTheNight() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let trace = try still(
            [
                "2026-10-25 01:59:59.9", "2026-10-25 02:30:00.0", "2026-10-25 02:29:59.5", "2026-10-25 02:59:59.0",
                "2026-10-25 02:00:00.0", "2026-10-25 02:20:00.0", "2026-10-25 03:00:00.0",
            ], TraceOptions(timeZone: berlin))
        #expect(
            trace.samples.map { String($0.time.description.dropFirst(11).prefix(8)) } == [
                "23:59:59", "00:30:00", "00:29:59", "00:59:59", "01:00:00", "01:20:00", "02:00:00",
            ])
    }

    @Test("with a zone do not ask for another, row by row")
    func statedZone() throws {
        let paris = try #require(TimeZone(identifier: "Europe/Paris"))
        let trace = try still(
            [
                "2026-10-25T02:59:59.9+02:00", "2026-10-25T02:00:00.0+01:00",
                "2026-10-25T02:00:00.1+0100 [Europe/Paris]",
            ],
            TraceOptions(timeZone: paris))
        #expect(
            trace.samples.map(\.time.description) == [
                "2026-10-25T00:59:59.900Z", "2026-10-25T01:00:00.000Z", "2026-10-25T01:00:00.100Z",
            ])
        #expect(trace.layout.timeZone == TimeZone(secondsFromGMT: 7200))
    }

    @Test("in UTC state no zone of the wearer")
    func statedUTC() throws {
        let trace = try still(["2026-10-25T02:59:59.9Z", "2026-10-25T03:00:00.0Z", "2026-10-25T03:00:00.1Z"])
        #expect(trace.samples.first?.time.description == "2026-10-25T02:59:59.900Z")
        #expect(trace.layout.timeZone == nil)
    }

    @Test("of day go on past midnight")
    func midnight() throws {
        let trace = try still(["23:59:59.980", "23:59:59.990", "00:00:00.000", "00:00:00.010"])
        #expect(trace.milliseconds == [0, 10, 20, 30])
        #expect(trace.warnings.isEmpty)
    }

    @Test(
        "of a recording without a time column begin when its preamble says, by the order of dates that it says",
        arguments: [
            ("M/d/yyyy", "3/4/2019", "18:40:00", "2019-03-04T18:40"),
            ("d/M/yyyy", "3/4/2019", "18:40:00", "2019-04-03T18:40"),
            ("dd.MM.yyyy", "03.04.2019", "18:40:00", "2019-04-03T18:40"),
            ("yyyy-MM-dd", "2019-04-03", "18:40:00", "2019-04-03T18:40"),
            ("M/d/yyyy", "3/4/2019", "6:40:00 PM", "2019-03-04T18:40"),
        ])
    func preamble(format: String, date: String, clock: String, start: String) throws {
        let preamble = """
            ------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.4 date format \(format) at 30 Hz -----------
            Start Time \(clock)
            Start Date \(date)
            Epoch Period (hh:mm:ss) 00:00:00
            --------------------------------------------------
            Accelerometer X,Accelerometer Y,Accelerometer Z

            """
        let trace = try ReadTrace(text: preamble + Walk.lines { Walk.joined(Walk.text($0)) })
        #expect(trace.samples.first?.time.description == "\(start):00.000Z")
        #expect(trace.samples.count == Walk.count)
    }

    @Test(
        "of dates in any order are read where a day beyond 12 tells the order",
        arguments: ["10/21/2013 10:", "21/10/2013 10:", "21.10.2013 10:"], [(" AM", "10"), (" PM", "22"), ("", "10")])
    func orderByValues(date: String, half: (suffix: String, hour: String)) throws {
        let text = Walk.lines("time,x,y,z") { row in
            let clock = Walk.clock(row).dropFirst(3)
            return Walk.joined(["\(date)\(clock)\(half.suffix)"] + Walk.text(row))
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.first?.time.description == "2013-10-21T\(half.hour):00:08.000Z")
        #expect(trace.samples.count == Walk.count)
        #expect(trace.warnings.isEmpty)
    }

    @Test("of a long trace without a time column do not drift")
    func rate() throws {
        let text = "x,y,z\n" + String(repeating: "0,0,1\n", count: 30001)
        let trace = try ReadTrace(text: text, TraceOptions(sampleRate: 30))
        #expect(trace.samples.last?.time.nanosecondsSince1970 == 1_000_000_000_000)
        #expect(trace.samples[1].time.nanosecondsSince1970 == 33_333_333)
    }

    @Test("are read, not made, though a rate is given, and the user is told")
    func unusedOptions() throws {
        let trace = try still(
            ["1382349608", "1382349609", "1382349610"], TraceOptions(sampleRate: 100, start: .epoch))
        #expect(trace.samples.first?.time.description == "2013-10-21T10:00:08.000Z")
        #expect(trace.notes.count == 2)
    }

    @Test("are found in traces of a row or two", arguments: [true, false], [1, 2, 3])
    func shortTraces(hasHeader: Bool, count: Int) throws {
        let rows = (0..<count).map { "138234960\($0).5,0.01,0.02,\(1 - Double($0) / 100)\n" }.joined()
        let trace = try ReadTrace(text: (hasHeader ? "time,x,y,z\n" : "") + rows)
        #expect(trace.samples.count == count)
        #expect(trace.samples.first?.time.nanosecondsSince1970 == 1_382_349_600_500_000_000)
        #expect(trace.samples.last?.z == Float(1 - Double(count - 1) / 100))
    }

    @Test(
        "of day take their date from the column before",
        arguments: [
            ("date,time,x,y,z", "2013-10-21", ""),
            ("rtcDate,rtcTime,aX,aY,aZ,gX,gY,gZ,imu_degC", "10/21/2013", ",1,2,3,21.5,"),
            ("id;date;time;x;y;z", "w1;21.10.2013", ""), (nil, "2013/10/21", ""),
        ] as [(String?, String, String)])
    func dateColumn(header: String?, date: String, rest: String) throws {
        let delimiter = header?.contains(";") ?? false ? ";" : ","
        let text = Walk.lines(header) { Walk.joined([date, Walk.clock($0)] + Walk.text($0), delimiter) + rest }
        let trace = try ReadTrace(text: text)
        try #require(trace.samples.count == Walk.count)
        #expect(trace.milliseconds == (0..<Walk.count).map { Walk.start * 1000 + Int64(Walk.milliseconds($0)) })
        #expect(trace.notes == ["date-times state no zone; they were read as UTC"])
        #expect(trace.layout.description.contains(" as date and time in UTC"))
    }

    @Test("of day go on over midnight when their date does")
    func dateColumnAtMidnight() throws {
        let rows = ["2026-01-01,23:59:59.98", "2026-01-01,23:59:59.99", "2026-01-02,00:00:00.00", "soon,00:00:00.01"]
        let trace = try ReadTrace(text: "date,time,x,y,z\n" + rows.map { "\($0),0,0.01,1\n" }.joined())
        #expect(trace.samples.map(\.time.description).last == "2026-01-02T00:00:00.000Z")
        #expect(trace.warnings == ["1 row dropped: unreadable time (first at line 5)"])
    }

    @Test("of day stay without a date whose month is not told")
    func ambiguousDateColumn() throws {
        let text = Walk.lines("date,time,x,y,z") { Walk.joined(["3/4/2019", Walk.clock($0)] + Walk.text($0)) }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.first?.time == .epoch)
        #expect(trace.notes == ["the dates were not used; the order of day and month is unknown"])
    }

    @Test(
        "since the row above add up",
        arguments: [
            ("dt", "10"), ("delta (ms)", "10"), ("dt_s", "0.01"), ("deltaTime", "0.01"), ("interval_us", "10000"),
        ])
    func intervals(title: String, step: String) throws {
        let first = try ReadTrace(text: Walk.lines("\(title),x,y,z") { Walk.joined([step] + Walk.text($0)) })
        #expect(first.milliseconds == (0..<Walk.count).map { Int64(Walk.milliseconds($0)) })
        let last = try ReadTrace(text: Walk.lines("x,y,z,\(title)") { Walk.joined(Walk.text($0) + [step]) })
        #expect(last.samples == first.samples)
    }

    @Test("that rise are times, whatever their title", arguments: ["Interval", "interval (s)", "dt"])
    func risingIntervals(title: String) throws {
        let text = Walk.lines("\(title),x,y,z") {
            Walk.joined(["\(42 + Walk.milliseconds($0) / 1000).\($0 % 100 + 100)"] + Walk.text($0))
        }
        let trace = try ReadTrace(text: text)
        #expect(trace.samples.first?.time == .epoch)
        #expect(trace.milliseconds.last == 1099)
        let coarse = Walk.lines("\(title),x,y,z", rows: 0..<1000) {
            Walk.joined(["\(42 + $0 * 1220 / 1000)"] + Walk.text($0 % 200))
        }
        #expect(try ReadTrace(text: coarse, TraceOptions(timeUnit: .seconds)).milliseconds.last == 1_218_000)
    }

    @Test("of day are of the date of the first sample, in the wearer's zone")
    func timesOfDayWithDate() throws {
        let paris = try #require(TimeZone(identifier: "Europe/Paris"))
        let start = try #require(Timestamp(year: 2026, month: 6, day: 30)?.advanced(bySeconds: -7200))
        let times = ["23:59:59.980", "23:59:59.990", "00:00:00.000", "00:00:00.010"]
        let trace = try still(times, TraceOptions(timeZone: paris, start: start))
        #expect(trace.samples.first?.time.description == "2026-06-30T21:59:59.980Z")
        #expect(trace.samples.last?.time.description == "2026-06-30T22:00:00.010Z")
        #expect(trace.notes.isEmpty)
        #expect(try still(times).notes == ["the times of day have no date; give it with 'start'"])
    }

    @Test(
        "come from the finer of two columns where it agrees with the coarser",
        arguments: ["time,elapsed_ms", "time,seconds_elapsed", "timestamp,uptime_ns", nil])
    func finer(header: String?) throws {
        func fine(_ row: Int) -> String {
            switch header {
            case "time,elapsed_ms": "\(Walk.milliseconds(row))"
            case "time,seconds_elapsed": Walk.seconds(row)
            case "timestamp,uptime_ns": "\(500_000_000_000 + Walk.milliseconds(row) * 1_000_000)"
            default: "\(77_000 + Walk.milliseconds(row))"
            }
        }
        for isDate in [true, false] {
            let text = Walk.lines(header.map { $0 + ",x,y,z" }, rows: 0..<600) { row in
                let second = Int64((Walk.milliseconds(row) + 300) / 1000)
                let coarse =
                    isDate ? "2013-10-21 10:00:\(String(format: "%02d", 8 + second))" : "\(Walk.start + second)"
                return Walk.joined([coarse, fine(row)] + Walk.text(row % 200))
            }
            let trace = try ReadTrace(text: text)
            try #require(trace.samples.count == 600)
            let start = Timestamp(nanosecondsSince1970: Walk.start * 1_000_000_000)
            for (row, sample) in trace.samples.enumerated() {
                try #require(abs(sample.time.seconds(since: start) - 0.3 - Double(row) / 100) < 1e-6, "\(trace.layout)")
            }
            #expect(trace.notes.contains { $0.contains("finer") })
        }
    }

    @Test("stay coarse where the finer column is no time, or another one")
    func notFiner() throws {
        for step in [7, 13] {
            let text = Walk.lines("time,ticks_ms,x,y,z", rows: 0..<600) { row in
                Walk.joined(["\(Walk.start + Int64(row / 100))", "\(row * step)"] + Walk.text(row % 200))
            }
            let trace = try ReadTrace(text: text)
            #expect(trace.layout.table?.timeColumn?.name == "time")
            #expect(trace.milliseconds.last == (Walk.start + 5) * 1000)
        }
    }
}
