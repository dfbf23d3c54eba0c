import Foundation
import TestSupport
import Testing

@Suite("footfall evaluate")
struct EvaluateTests {
    /// The manifest of two walks of different people with the given true steps, and of desk work.
    private func corpus(_ folder: Folder, truth: Int) throws -> String {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "made"), withIntermediateDirectories: true)
        for (name, scenario, seed) in [("a", "walk", "1"), ("b", "walk", "2"), ("still", "desk", "3")] {
            let run = try footfall(
                "simulate", scenario, "--seed", seed, "--duration", "60", "--rate", "25", "--force", "--out",
                folder.path("made/\(name).csv"))
            try #require(run.status == 0, "\(run.errors)")
        }
        return try folder.write(
            "manifest.csv",
            """
            dataset,recording,subject,placement,activity,true_steps
            made,a,ann,wrist,walking,\(truth)
            made,b,ben,wrist,walking,\(truth)
            made,still,ben,wrist,desk,0

            """)
    }

    private func numbers(_ record: [String: Any]?, _ key: String) -> Double? {
        (record?[key] as? NSNumber)?.doubleValue
    }

    @Test("records hold the groups and every recording, with the same keys")
    func records() throws {
        let folder = try Folder()
        let manifest = try corpus(folder, truth: 100)
        let records = try footfall("evaluate", manifest, "--output", "json").records()
        let names = records.compactMap { $0["group"] as? String }
        #expect(names.first == "all")
        #expect(names.contains("no steps: desk"))
        #expect(names.suffix(3) == ["recording made/a", "recording made/b", "recording made/still"])
        #expect(Set(records.map { Set($0.keys) }).count == 1)
        let all = try #require(records.first)
        let single = records.suffix(3).dropLast().compactMap { numbers($0, "mape") }
        #expect(single.count == 2)
        let mape = try #require(numbers(all, "mape"))
        let mean: Double = single.reduce(0, +) / 2
        #expect(abs(mape - mean) < 0.011)
        #expect(numbers(all, "mapeBySubject") == numbers(all, "mape"))
        #expect(numbers(records.last, "falseSteps") == 0)
    }

    @Test("a manifest is read as a spreadsheet writes it, also whole numbers with decimals")
    func spreadsheet() throws {
        let folder = try Folder()
        let manifest = try corpus(folder, truth: 100)
        let before = try footfall("evaluate", manifest, "--output", "json").output
        let rows = try folder.text("manifest.csv").replacing(",100", with: ",100.0").replacing(",", with: ";")
        let spreadsheet = try folder.write("manifest2.csv", "\u{FEFF}" + rows.replacing("\n", with: "\r\n"))
        #expect(try footfall("evaluate", spreadsheet, "--output", "json").output == before)
    }

    @Test("an evaluation is compared with an earlier one by figure and by recording")
    func comparison() throws {
        let folder = try Folder()
        let far = try footfall("evaluate", corpus(folder, truth: 400), "--output", "json")
        let before = try folder.write("before.json", far.output)
        let manifest = try corpus(folder, truth: 200)
        let records = try footfall("evaluate", manifest, "--baseline", before, "--output", "json").records()
        let change = try #require(records.first?["change"] as? [String: Any])
        #expect(try #require(numbers(change, "mape")) < -10)

        let table = try footfall("evaluate", manifest, "--baseline", before).output
        #expect(table.contains("change"))
        #expect(table.contains("better than in \(before)"))
        #expect(table.contains("better recordings (2)"))
        #expect(!table.contains("worse"))

        let same = try footfall("evaluate", manifest, "--output", "json").output
        let unchanged = try footfall("evaluate", manifest, "--baseline", folder.write("same.json", same)).output
        #expect(unchanged.contains("All figures equal those of"))
    }

    @Test("the worst recordings are listed with their most frequent wrong activity")
    func worstActivities() throws {
        let folder = try Folder()
        _ = try corpus(folder, truth: 100)
        let rows = try String(contentsOf: folder.url.appending(path: "made/a.csv"), encoding: .utf8)
            .split(separator: "\n")
        let header = try #require(rows.first)
        let labeled = ["\(header),label"] + rows.dropFirst().map { "\($0),stationary" }
        _ = try folder.write("made/lie.csv", labeled.joined(separator: "\n"))
        let manifest = try folder.write("labels.csv", "dataset,recording,labels\nmade,lie,stationary\n")
        let table = try footfall("evaluate", manifest).output
        #expect(table.contains("stationary detected as walking"))
    }

    @Test("a simulation is compared with its ground truth, settled and live")
    func simulated() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "made"), withIntermediateDirectories: true)
        let commute = try footfall(
            "simulate", "commute", "--rate", "25", "--seed", "5", "--out", folder.path("made/commute.csv"))
        try #require(commute.status == 0, "\(commute.errors)")
        let manifest = try folder.write("labels.csv", "dataset,recording,labels\nmade,commute,simulated\n")
        let record = try #require(footfall("evaluate", manifest, "--live", "-o", "json").records().first)
        let drive = try #require(record["automotive"] as? [String: Any])
        #expect(drive["changes"] as? Int == 2)
        #expect(try #require(numbers(drive, "changeError")) <= 20)
        let walk = try #require(record["walking"] as? [String: Any])
        #expect(walk["changes"] as? Int == 4)
        #expect(try #require(numbers(walk, "changeError")) <= 3)

        let live = try #require(record["live"] as? [[String: Any]])
        #expect(live.integers("delay") == [0, 5, 10, 30])
        let right = live.numbers("right")
        #expect(right.count == 4 && right.allSatisfy { $0 > 0.85 } && right[3] >= right[0])
        #expect(try #require(numbers(record, "longestWait")) < 60)
        let table = try footfall("evaluate", manifest, "--live").output
        #expect(table.contains("at once") && table.contains("starts and ends of"))
    }

    @Test("an evaluation of nothing has no table")
    func nothing() throws {
        let folder = try Folder()
        let manifest = try folder.write("manifest.csv", "dataset,recording,true_steps\nmade,gone,1\n")
        let gone = try footfall("evaluate", manifest)
        #expect(
            gone.status == 65 && gone.output.isEmpty && gone.errors.contains("made/gone.csv: no such file"), "\(gone)")
        #expect(try footfall("evaluate", manifest, "-o", "json").output == "[]\n")
        let results = try folder.write("watch.csv", "recording,steps\nmade/other,12\n")
        for more in [[], ["--only-results"]] {
            let run = try footfall(["evaluate", manifest, "--results", results] + more)
            #expect(run.status == 65 && run.output.isEmpty && run.errors.contains("none of its recordings"), "\(run)")
        }
    }

    @Test("a file that is not a baseline is refused before the evaluation starts")
    func badBaseline() throws {
        let folder = try Folder()
        let manifest = try folder.write("manifest.csv", "dataset,recording,true_steps\nmade,a,1\n")
        let nothing = try footfall("evaluate", manifest, "--baseline", folder.path("nowhere.json"))
        #expect(nothing.status == 66)
        let wrong = try footfall("evaluate", manifest, "--baseline", folder.write("b.json", "[]"))
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("--output json"))
    }

    @Test("a number of steps that is no number is named")
    func noNumber() throws {
        let folder = try Folder()
        for text in ["many", "-3", "10.5"] {
            let manifest = try folder.write("manifest.csv", "dataset,recording,true_steps\nmade,a,\(text)\n")
            let run = try footfall("evaluate", manifest)
            #expect(run.status == 65 && run.errors.contains("true_steps of made/a is “\(text)”"), "\(run)")
        }
    }

    @Test("the counts of a watch are evaluated beside Footfall, paired by recording")
    func results() throws {
        let folder = try Folder()
        let manifest = try corpus(folder, truth: 100)
        let watch = try folder.write("watch.csv", "recording,steps\nmade/a,90\nmade/b,110\nmade/still,3\nmade/x,1\n")
        let run = try footfall("evaluate", manifest, "--results", watch, "--output", "json")
        #expect(run.errors.contains("watch: the manifest lacks 1 of its recordings, such as made/x"))
        let records = try run.records()
        #expect(Set(records.map { Set($0.keys) }).count == 1)
        let all = try #require(records.first { $0["counter"] as? String == "watch" && $0["group"] as? String == "all" })
        #expect(numbers(all, "mape") == 10 && numbers(all, "falseSteps") == 3)
        #expect(numbers(all, "mapeLow") == 10 && numbers(all, "mapeHigh") == 10)
        #expect(try footfall("evaluate", manifest, "--results", watch).output.contains("watch"))

        let only = try footfall("evaluate", manifest, "--results", watch, "--only-results").output
        #expect(!only.contains("Footfall") && only.contains("10.0 to 10.0"))
        #expect(try footfall("evaluate", manifest, "--only-results").status == 64)
    }

    @Test("a limit that a figure does not keep fails and names the row")
    func requirements() throws {
        let folder = try Folder()
        let manifest = try corpus(folder, truth: 100)
        let watch = try folder.write("watch.csv", "recording,steps\nmade/a,90\nmade/b,110\nmade/still,0\n")
        func run(_ limit: String) throws -> Run {
            try footfall("evaluate", manifest, "--results", watch, "--only-results", "--require", limit)
        }
        #expect(try run("mape<=10").status == 0)
        #expect(try footfall("evaluate", manifest, "--require", "falsePerHour[no steps: desk]<=0").status == 0)
        let failed = try run("mape[made]<9")
        #expect(failed.status == 1)
        #expect(failed.errors.contains("required mape[made]<9, but set made has 10"))
        #expect(try run("mape[hip]<=10").errors.contains("there is no group “hip”"))
        #expect(try run("nonsense<=10").errors.contains("all has no number “nonsense”"))
        #expect(try run("mape").status == 64)
    }
}
