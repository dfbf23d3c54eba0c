import Foundation
import TestSupport
import Testing

@Suite("Intensity in the tables of analyze")
struct IntensityTablesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Two minutes at 1.02 g, three at 1.15 g and one at 1.5 g: ENMO of 20, 150 and 500 mg.
    private func log() throws -> String {
        let parts = [(120, 1.02), (180, 1.15), (60, 1.5)]
        var text = "time,x,y,z\n"
        var row = 0
        for (seconds, g) in parts {
            for _ in 0..<seconds * 25 {
                text += "\(Double(row) / 25),0,0,\(g)\n"
                row += 1
            }
        }
        return try folder.write("steps.csv", text)
    }

    private func day(_ options: String...) throws -> [String: String] {
        let results = folder.path("results")
        let run = try footfall(["analyze", log(), "--lenient", "--unit", "g", "--tables", results] + options)
        try #require(run.status == 0, "\(run.errors)")
        return try #require(rows(of: results + "/steps/days.csv").first)
    }

    @Test("a set of cut points gives minutes and bouts, and the tables name it")
    func minutes() throws {
        let day = try day("--cut-points", "hildebrand-adults-wrist-actigraph")
        #expect(day["cutPoints"] == "hildebrand-adults-wrist-actigraph")
        #expect(day["sedentaryMinutes"] == "2.0" && day["lightMinutes"] == "0.0" && day["moderateMinutes"] == "3.0")
        #expect(day["vigorousMinutes"] == "1.0" && day["mvpaMinutes"] == "4.0")
        #expect(day["mvpaBouts1Count"] == "1" && day["mvpaBouts5Count"] == "0" && day["mvpaBouts10Count"] == "0")
        #expect(day["mvpaBouts1Minutes"] == "4.0")
        // (2 × 20 + 3 × 150 + 500) / 6
        let mean = try #require(Double(day["enmoMg"] ?? ""))
        #expect(abs(mean - 165) < 0.05)
        // Ten minutes have no ten hours.
        #expect(day["m10EnmoMg"] == "" && day["l5StartHours"] == "")
        let minutes = try rows(of: folder.path("results/steps/minutes.csv"))
        #expect(minutes.prefix(6).map { $0["enmoMg"] } == ["20.0", "20.0", "150.0", "150.0", "150.0", "500.0"])
    }

    @Test("own cut points may leave light out; without any, intensity has no minutes")
    func own() throws {
        // The name of own cut points has commas; the summary reads it.
        _ = try day("--cut-points", "enmo:100,400", "--valid-day", "1min")
        let own = try footfall("summarize", folder.path("results"), "--valid-day", "1min", "-o", "json").records()
        #expect(own.strings("cutPoints") == ["enmo:100,400"] && own.numbers("mvpaMinutesMean") == [4])
        #expect(own.first?["sedentaryMinutesMean"] is NSNull && own.first?["lightMinutesMean"] is NSNull)
        let none = try day()
        #expect(none["cutPoints"] == "" && none["enmoMg"] != "")
        for column in ["sedentaryMinutes", "mvpaMinutes", "mvpaBouts1Count", "mvpaBouts10Minutes"] {
            #expect(none[column] == "", "\(column)")
        }
    }

    @Test("the set of the analysis holds in its summary too")
    func summary() throws {
        _ = try day("--cut-points", "hildebrand-adults-wrist-actigraph", "--valid-day", "1min")
        let records = try footfall("summarize", folder.path("results"), "--valid-day", "1min", "-o", "json").records()
        #expect(records.strings("cutPoints") == ["hildebrand-adults-wrist-actigraph"])
        #expect(records.numbers("mvpaMinutesMean") == [4])
        let other = try footfall(
            "summarize", folder.path("results"), "--valid-day", "1min", "--cut-points", "mad:91,414", "-o", "json")
        #expect(try other.records().strings("cutPoints") == ["mad:91,414"])
        #expect(try other.records().numbers("mvpaMinutesMean") == [0])
    }

    @Test("cut points in the wrong order, unknown sets and sets without tables are refused")
    func refusals() throws {
        let log = try log()
        for (value, problem) in [
            ("enmo:430,100", "not in ascending order"), ("enmo:45,45,430", "not in ascending order"),
            ("mad:0,414", "not in ascending order"), ("hildebrand", "footfall help cut-points"),
            ("enmo:45", "two or three numbers"), ("enmo:45,x,430", "two or three numbers"),
            ("vm:1,2", "two or three numbers"), ("counts-y:1,2,3,4", "two or three numbers"),
            ("counts-vm:5,5", "5.0, 5.0 counts are not in ascending order"),
        ] {
            let run = try footfall("analyze", log, "--tables", folder.path("refused"), "--cut-points", value)
            #expect(run.status == 64 && run.errors.contains(problem) && run.output.isEmpty, "\(value): \(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("refused")))
        let alone = try footfall("analyze", log, "--cut-points", "mad:91,414")
        #expect(alone.status == 64 && alone.errors.contains("--tables"))
    }

    @Test("the help lists the sets with their values, placement, age and source")
    func help() throws {
        let help = try footfall("help", "cut-points").output.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        #expect(
            help.contains(
                "hildebrand-adults-wrist-geneactiv ENMO: 45.8, 93.2, 418.3; non-dominant wrist, GENEActiv; 21-61 years")
        )
        #expect(help.contains("vaha-ypya-adults-hip-hookie MAD: 91, 414; hip, Hookie AM20; 35 +/- 11 years"))
        #expect(help.contains("M. Hildebrand et al., Medicine & Science in Sports & Exercise 46(9), 2014"))
    }
}
