import Foundation
import TestSupport
import Testing

@Suite("Clocks of logs")
struct ClockTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// 2026-11-20T10:00:00Z.
    private static let ten = 1_795_168_800.0

    /// A walk at 25 Hz, at these times.
    private func log(_ name: String, _ parts: [(start: Double, seconds: Double)]) throws -> String {
        var (text, row) = ("time,x,y,z\n", 0)
        for part in parts {
            for sample in 0..<Int(part.seconds * 25) {
                let phase = 2 * Double.pi * 1.8 * Double(row) / 25
                let (x, z) = (0.1 * sin(phase / 2), 1 + 0.35 * sin(phase) + 0.1 * sin(2 * phase))
                text += String(format: "%.2f,%.4f,0.1,%.4f\n", part.start + Double(sample) / 25, x, z)
                row += 1
            }
        }
        return try folder.write(name, text)
    }

    private func analysis(_ log: String, _ options: String...) throws -> [String: Any] {
        let run = try footfall(["analyze", log, "-o", "json", "--step-times"] + options)
        #expect(run.status == 0, "\(run.errors)")
        return try #require(try run.records().first)
    }

    @Test("that are set back before the start of the log keep both spans, in the order of time")
    func beforeTheStart() throws {
        let ordered = try analysis(log("a.csv", [(Self.ten - 7200, 300), (Self.ten, 300)]))
        let set = try analysis(
            log("b.csv", [(Self.ten, 300), (Self.ten - 7200, 300)]), "--tables", folder.path("results"))
        for key in ["start", "end", "duration", "samples", "coverage"] {
            #expect("\(set[key] ?? "")" == "\(ordered[key] ?? "")", "\(key)")
        }
        let times = try #require(set["stepTimes"] as? [Double])
        #expect(times.count > 900 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let warnings = try #require(set["warnings"] as? [String])
        #expect(
            warnings == [
                "the clock was set back by 2 h 05 min at line 7502, from 2026-11-20 10:04:59 to 2026-11-20 08:00:00"
            ])
        let steps = try String(contentsOfFile: folder.path("results") + "/b/steps.csv", encoding: .utf8)
        #expect(steps.split(separator: "\n").count == times.count + 1)
        #expect(try footfall("summarize", folder.path("results")).status == 0)
    }

    @Test("that are set back by less than the log go on, and what overlaps is told")
    func overlap() throws {
        let set = try analysis(log("a.csv", [(Self.ten, 600), (Self.ten + 300, 600)]))
        #expect(set["duration"] as? Double ?? 0 > 899)
        let warnings = try #require(set["warnings"] as? [String])
        #expect(warnings.count == 2)
        #expect(warnings[0].hasPrefix("the clock was set back by 5 min 00 s at line 15002"))
        #expect(warnings[1].contains("75") && warnings[1].contains("other samples have their times"), "\(warnings)")
    }

    @Test("of a device that restarts are refused where times come again, and that end a counter of 32 bits go on")
    func restart() throws {
        let run = try footfall("analyze", log("a.csv", [(1000, 300), (1000.5, 320)]))
        #expect(run.status == 65 && run.errors.contains("began to count again at line 7502: split the log"), "\(run)")
        for (unit, perSecond) in [("millis", 1e3), ("micros", 1e6)] {
            // The counter ends in the middle of the walk, which pauses there for a second.
            let rows = (0..<15_000).map { row in
                let phase = 2 * Double.pi * 1.8 * Double(row) / 25
                let count = (0x1p32 - 300 * perSecond + Double(row + (row < 7500 ? 0 : 25)) * perSecond / 25)
                    .truncatingRemainder(dividingBy: 0x1p32)
                return String(format: "%.0f,%.4f,0.1,%.4f", count, 0.1 * sin(phase / 2), 1 + 0.35 * sin(phase))
            }
            let log = try folder.write("\(unit).csv", "\(unit),x,y,z\n" + rows.joined(separator: "\n") + "\n")
            let turned = try analysis(log)
            #expect(abs((turned["duration"] as? Double ?? 0) - 601) < 0.1, "\(turned["duration"] ?? "")")
            #expect(turned["samples"] as? Int == 15_000 && (turned["warnings"] as? [String])?.isEmpty ?? false)
        }
    }

    @Test("that are too coarse for samples are refused")
    func coarse() throws {
        let rows = (0..<2000).map { "1.78031E+12,0.1,\(sin(Double($0) / 5)),1" }
        let run = try footfall("analyze", folder.write("a.csv", "time,x,y,z\n" + rows.joined(separator: "\n")))
        #expect(run.status == 65 && run.errors.contains("--columns 2,3,4 and the rate with --rate"), "\(run)")
    }

    @Test("that are ahead for a while give every span its place")
    func ahead() throws {
        let parts = [(Self.ten, 300.0), (Self.ten + 259_200, 60), (Self.ten + 300, 300)]
        let set = try analysis(log("a.csv", parts))
        #expect(set["coverage"] as? Double ?? 0 > 655)
        #expect(set["samples"] as? Int == 16_500)
        #expect(
            (set["warnings"] as? [String])?.contains { $0.hasPrefix("the clock was set back by ") } ?? false,
            "\(set["warnings"] ?? "")")
    }

    @Test("that are set forward are named where they are set back to the times of then, else there is a gap")
    func forward() throws {
        let back = try analysis(log("a.csv", [(Self.ten, 300), (Self.ten + 259_200, 60), (Self.ten + 360, 300)]))
        let warnings = try #require(back["warnings"] as? [String])
        #expect(warnings.count == 2)
        #expect(warnings[0].hasPrefix("the clock was set forward by 2 d 23 h at line 7502, from 2026-11-20 10:04:59"))
        #expect(warnings[1].hasPrefix("the clock was set back by 2 d 23 h at line 9002, from 2026-11-23 10:00:59"))
        let ahead = try analysis(log("b.csv", [(Self.ten, 300), (Self.ten + 7500, 300)]))
        #expect((ahead["warnings"] as? [String])?.isEmpty ?? false && (ahead["gaps"] as? [Any])?.count == 1)
    }

    @Test("that are set back are named in a pipe too, which can be read only once")
    func pipe() throws {
        let log = try log("a.csv", [(Self.ten, 300), (Self.ten - 7200, 300)])
        let refused = try shell("cat '\(log)' | '\(executable.path)' analyze /dev/stdin")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("set back by 2 h 05 min at line 7502, and a pipe can be read only once"))
        let lenient = try shell("cat '\(log)' | '\(executable.path)' analyze /dev/stdin --lenient -o json")
        #expect(lenient.status == 0 && lenient.output.contains("write it to a file first"), "\(lenient)")
    }

    @Test("that are set back keep both spans in a log whose name is not UTF-8")
    func latinName() throws {
        _ = try log("a.csv", [(Self.ten, 300), (Self.ten - 7200, 300)])
        let renamed = "cd '\(folder.url.path)' && e=$(printf '\\351').csv && mv a.csv $e"
        let run = try shell("\(renamed) && '\(executable.path)' analyze -o json $e")
        #expect(run.status == 0, "\(run)")
        #expect(try run.records().first?["coverage"] as? Double ?? 0 > 595)
    }

    @Test("that are set back too often are told from series, and rows of another time do not end a log")
    func often() throws {
        let many = try log("a.csv", (0..<20).map { (Self.ten - 7200 * Double($0), 60) })
        let run = try footfall("analyze", many)
        #expect(run.status == 65 && run.errors.contains("set back 19 times, and 16 are the most"), "\(run)")
        let most = try analysis(log("most.csv", (0...16).map { (Self.ten - 7200 * Double($0), 60) }))
        #expect(most["samples"] as? Int == 17 * 1500)
        // Runs of 5 s are not those of a clock that was set, but spans beside the one that was.
        var late: [(start: Double, seconds: Double)] = []
        for part in 0..<9 {
            let start = Self.ten + 60 * Double(part)
            late += [(start, 60), (start - 86_400, 5)]
        }
        late += [(Self.ten + 540, 60), (Self.ten - 7200, 300)]
        let spans = try footfall("analyze", log("late.csv", late))
        #expect(spans.status == 65 && spans.errors.contains("in 20 spans; 17 are the most"), "\(spans)")
        for stray in [-7200.0, 7200, -Self.ten] {
            let parts = [(Self.ten, 300), (Self.ten + stray, 0.4), (Self.ten + 300.4, 300)]
            let log = try analysis(log("b.csv", parts))
            #expect(log["duration"] as? Double ?? 0 > 600 && log["duration"] as? Double ?? 0 < 601)
            #expect((log["warnings"] as? [String])?.contains("10 samples dropped: time ran backwards") ?? false)
        }
    }

    @Test("of several series are no clock that was set")
    func series() throws {
        var parts: [(start: Double, seconds: Double)] = []
        for part in 0..<40 {
            let start = Self.ten + Double(part) * 20
            parts += [(start, 20), (start - 7200, 20)]
        }
        let run = try footfall("analyze", log("a.csv", parts))
        #expect(run.status == 65 && run.errors.contains("the time runs backwards"), "\(run)")
    }

    @Test("without a date: logs of a person follow each other, and have no date")
    func undated() throws {
        let logs = try (1...3).map { try log("walk\($0).csv", [(Double($0) * 1000, 300)]) }
        let results = folder.path("results")
        #expect(try footfall(["analyze"] + logs + ["--tables", results]).status == 0)
        let who = try folder.write("who.csv", "trace,person\nwalk1,ann\nwalk2,ann\nwalk3,ann\n")
        let run = try footfall("summarize", results, "--persons", who, "--valid-day", "1min", "-o", "json")
        #expect(run.status == 0 && !run.errors.contains("overlap"), "\(run.errors)")
        let person = try #require(try run.records().first)
        #expect(person["logs"] as? Int == 3 && person["validDays"] as? Int == 1)
        #expect(person["validWeekdays"] as? Int == 0 && person["firstDate"] is NSNull)
        #expect(person["totalSteps"] as? Int ?? 0 > 1500, "\(person["totalSteps"] ?? "")")
        let days = try String(contentsOfFile: results + "/days.csv", encoding: .utf8)
        #expect(!days.contains("Thursday"))
    }

    @Test("without a date take their start and their zone from the table of persons")
    func placed() throws {
        let logs = try (1...2).map { try log("walk\($0).csv", [(0, 300)]) }
        let results = folder.path("results")
        #expect(try footfall(["analyze"] + logs + ["--tables", results]).status == 0)
        let who = try folder.write(
            "who.csv",
            "trace,person,start,tz\nwalk1,ann,2026-11-20 23:57,America/New_York\nwalk2,ann,2026-11-22 08:00,-05:00\n")
        let run = try footfall("summarize", results, "--persons", who, "-o", "json")
        #expect(run.status == 0, "\(run.errors)")
        let days = try String(contentsOfFile: results + "/days.csv", encoding: .utf8)
        for date in ["2026-11-20,Friday", "2026-11-21,Saturday", "2026-11-22,Sunday"] { #expect(days.contains(date)) }
        #expect(days.contains("America/New_York") && days.contains(",-05:00,"))
        for row in ["walk1,ann,noon,", "walk1,ann,,Mars/Olympus"] {
            let wrong = try folder.write("wrong.csv", "trace,person,start,tz\n\(row)\n")
            let refused = try footfall("summarize", results, "--persons", wrong)
            #expect(refused.status == 65 && refused.errors.contains("wrong.csv:2"), "\(refused)")
        }
    }

    @Test("of a device in another zone have the days of the wearer's clock, also on a journey")
    func zones() throws {
        // From 21:30 to 22:30 UTC.
        let lines = (5400..<9000).map { second in
            String(
                format: "2026-07-03T%02d:%02d:%02d,0.01,0.02,1.00\n", 20 + second / 3600, second / 60 % 60, second % 60)
        }
        let log = try folder.write("night.csv", "time,x,y,z\n" + lines.joined())
        let results = folder.path("zones")
        let run = try footfall(
            "analyze", log, "--tables", results, "--device-tz", "UTC", "--tz", "Europe/Berlin", "-o", "json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try dates() == ["2026-07-03", "2026-07-04"])
        for (zones, expected) in [
            ("Europe/Moscow", ["2026-07-04"]),
            // The flight keeps the date, or crosses it.
            ("Europe/Berlin; 2026-07-03 17:45 America/New_York", ["2026-07-03"]),
            ("Europe/Moscow; 2026-07-03 18:00 America/New_York", ["2026-07-04", "2026-07-03"]),
        ] {
            let who = try folder.write("who.csv", "trace,person,tz\nnight,ann,\(zones)\n")
            let joined = try footfall("summarize", results, "--persons", who)
            #expect(joined.status == 0, "\(joined.errors)")
            #expect(try dates() == expected)
        }
        func dates() throws -> [String?] { try rows(of: results + "/days.csv").map { $0["date"] } }
    }

    @Test("in the night in which clocks go back give a day of 25 hours")
    func longDay() throws {
        // 2026-10-24T22:00:00Z to 2026-10-25T23:00:00Z, a row each second, at rest.
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "Europe/Berlin")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        let text = (0..<90_000).map { second in
            let time = format.string(from: Date(timeIntervalSince1970: 1_792_879_200 + Double(second)))
            return "\(time),0.0\(second % 7),0.01,1.00\(second % 3)\n"
        }.joined()
        let log = try folder.write("night.csv", "time,x,y,z\n" + text)
        let results = folder.path("results")
        let run = try footfall("analyze", log, "--tz", "Europe/Berlin", "--tables", results, "-o", "json")
        let record = try #require(try run.records().first)
        #expect(record["duration"] as? Double == 89_999, "\(run.errors)")
        #expect((record["gaps"] as? [Any])?.isEmpty ?? false)
        let hours = try String(contentsOfFile: results + "/night/hours.csv", encoding: .utf8)
        #expect(hours.split(separator: "\n").count == 26)
    }
}
