import Foundation
import TestSupport
import Testing

/// The data dictionary against what the commands write.
@Suite("The data dictionary")
struct ColumnsTests {
    private let folder: Folder
    /// The described columns of each table, in order. A part of an object follows its name and a dot.
    private let dictionary: [String: [String]]
    /// The described objects without described parts, whose keys are free.
    private let free: Set<String>

    init() throws {
        folder = try Folder()
        let records = try footfall("columns", "--output", "json").records()
        dictionary = records.reduce(into: [:]) { tables, record in
            tables[record["table"] as? String ?? "", default: []].append(record["column"] as? String ?? "")
        }
        free = Set(records.filter { $0["kind"] as? String == "object" }.compactMap { $0["column"] as? String })
    }

    private func isDescribed(_ path: String, in columns: [String]) -> Bool {
        columns.contains(path)
            || free.contains {
                path.hasPrefix($0 + ".") && !columns.contains { [name = $0] in $0.hasPrefix(name + ".") }
            }
    }

    /// The paths of all keys of a JSON value.
    private func paths(_ value: Any, below prefix: String = "") -> Set<String> {
        switch value {
        case let object as [String: Any]:
            object.reduce(into: []) { paths, member in
                paths.insert(prefix + member.key)
                paths.formUnion(self.paths(member.value, below: prefix + member.key + "."))
            }
        case let list as [Any]: list.reduce(into: []) { $0.formUnion(paths($1, below: prefix)) }
        default: []
        }
    }

    /// Checks that each key of JSON text, or of lines of JSON, is described.
    private func check(_ text: String, _ table: String) throws {
        let columns = try #require(dictionary[table], "\(table) is not described")
        let lines = text.hasPrefix("[") ? [text] : text.split(separator: "\n").map(String.init)
        let found = try lines.reduce(into: Set<String>()) {
            $0.formUnion(paths(try JSONSerialization.jsonObject(with: Data($1.utf8))))
        }
        #expect(!found.isEmpty, "\(table)")
        for path in found { #expect(isDescribed(path, in: columns), "\(path) of \(table) is not described") }
    }

    /// Checks that the header of CSV text has exactly the described columns.
    private func check(csv text: String, _ table: String, without absent: Set<String> = []) throws {
        let columns = try #require(dictionary[table], "\(table) is not described")
        let names = columns.filter { !$0.contains(".") && !absent.contains($0) }
        #expect(text.split(separator: "\n").first.map(String.init) == names.joined(separator: ","))
    }

    @Test("describes every table of analyze, and columns.json has the same descriptions")
    func tables() throws {
        let results = folder.path("results")
        let arguments = ["analyze", RecordedHistory.trace("commute"), "--calibrate", "-o"]
        try check(
            footfall(arguments + ["json", "--step-times", "--tables", results]).output, "traces.ndjson")
        try check(
            csv: footfall(arguments + ["csv"]).output, "traces.ndjson",
            without: ["calibration", "stepTimes", "log"])
        let names = try FileManager.default.contentsOfDirectory(atPath: results + "/commute")
        for name in names {
            try check(csv: String(contentsOfFile: "\(results)/commute/\(name)", encoding: .utf8), name)
        }
        try check(String(contentsOfFile: results + "/traces.ndjson", encoding: .utf8), "traces.ndjson")
        let text = try String(contentsOfFile: results + "/columns.json", encoding: .utf8)
        let described = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        for name in Set(described.strings("table")) {
            #expect(described.filter { $0["table"] as? String == name }.strings("column") == dictionary[name])
        }
        #expect(Set(described.strings("table")).isSuperset(of: names))
    }

    @Test("describes the answers of queries, of history and of live")
    func answers() throws {
        let history = try RecordedHistory.walk()
        for query in ["steps", "activities", "bouts", "coverage", "summary", "measures"] {
            try check(history.query(query, "-o", "json").output, "query \(query)")
            try check(csv: history.query([query, "-o", "csv"]).output, "query \(query)")
        }
        let mark = ["mark", "lap", "--since", "2026-11-20 08:01", "--history", history.path, "-o"]
        try check(footfall(mark + ["json"]).output, "mark")
        try check(csv: footfall(mark + ["csv"]).output, "mark")
        try check(history.query("steps", "--by", "mark", "-o", "json").output, "query steps --by mark")
        try check(csv: history.query("steps", "--by", "mark", "-o", "csv").output, "query steps --by mark")
        for command in ["info", "check"] {
            try check(history.manage(command, "-o", "json").output, "history \(command)")
            try check(csv: history.manage(command, "-o", "csv").output, "history \(command)")
        }
        let lines = try history.manage("export").output
        try check(lines, "history export")
        let export = try folder.write("export.ndjson", lines)
        for format in ["json", "csv"] {
            let run = try footfall(
                "history", "import", export, "--history", folder.path(format + ".sqlite"), "-o", format)
            try format == "csv" ? check(csv: run.output, "history import") : check(run.output, "history import")
        }
        try check(history.manage("delete", "--until", "2026-11-20 08:01", "-o", "json").output, "history delete")
        try check(csv: history.manage("delete", "--since", "2026-11-20", "-o", "csv").output, "history delete")
        for format in ["ndjson", "csv"] {
            let live = try footfall(
                "live", "--replay", RecordedHistory.trace("commute"), "--speed", "max", "--no-history", "-o", format)
            try format == "csv" ? check(csv: live.output, "live") : check(live.output, "live")
        }
    }

    @Test("describes simulations, evaluations, devices and itself")
    func others() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "made"), withIntermediateDirectories: true)
        let run = try footfall(
            "simulate", "walk", "--duration", "60", "--rate", "25", "--out", folder.path("made/a.csv"))
        #expect(run.status == 0)
        try check(csv: String(contentsOfFile: folder.path("made/a.csv"), encoding: .utf8), "SCENARIO.csv")
        let truth = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.url.appending(path: "made/a.truth.json")))
        #expect(paths(truth).subtracting(dictionary["SCENARIO.truth.json"] ?? []).isEmpty)
        for (column, value) in [("true_steps", "100"), ("labels", "")] {
            let manifest = try folder.write("\(column).csv", "dataset,recording,\(column)\nmade,a,\(value)\n")
            let before = try footfall("evaluate", manifest, "-o", "json")
            try check(before.output, "evaluate")
            let baseline = try folder.write("before.json", before.output)
            try check(footfall("evaluate", manifest, "--live", "--baseline", baseline, "-o", "json").output, "evaluate")
        }
        try check(csv: footfall("devices", "-o", "csv").output, "devices")
        let seconds = folder.path("seconds.csv")
        #expect(try footfall("analyze", RecordedHistory.trace("commute"), "--seconds", seconds).status == 0)
        let rows = try String(contentsOfFile: seconds, encoding: .utf8)
        try check(csv: rows, "analyze --seconds")
        #expect(rows.split(separator: "\n").count == 661)
        #expect(rows.contains(",confirmed,2,bout,") && rows.contains(",automotive,"))
        try check(footfall("columns", "-o", "ndjson").output, "columns.json")
        try check(csv: footfall("columns", "-o", "csv").output, "columns.json")
    }

    @Test("has a kind and a meaning of each column")
    func meanings() throws {
        let records = try footfall("columns", "--output", "json").records()
        #expect(records.count > 500)
        for record in records {
            let meaning = record["meaning"] as? String ?? ""
            #expect(meaning.count > 4 && meaning.hasSuffix("."), "\(record)")
            #expect(record["kind"] is String, "\(record)")
        }
    }

    @Test("has the names in other tools of all columns of days and persons")
    func names() throws {
        let page = PackageFolder.url.appending(path: "Sources/FootfallMeasures/FootfallMeasures.docc/ColumnNames.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let days = try #require(dictionary["days.csv"]).drop { $0 != "nonWear" }.dropFirst()
        let persons = try #require(dictionary["persons.csv"]).prefix { $0 != "stepsMean" }
        for column in days + persons { #expect(text.contains("`\(column)`"), "\(column)") }
    }

    @Test("is printed a table at a time, in lines of a terminal")
    func text() throws {
        let all = try footfall("columns")
        #expect(all.status == 0)
        for (table, columns) in dictionary {
            #expect("\n\(all.output)".contains("\n\(table): a row for "), "\(table)")
            #expect(all.output.contains("\n  \(columns[0])"), "\(table)")
        }
        let one = try footfall("columns", "epochs")
        #expect(one.output.hasPrefix("epochs.csv: a row for an epoch of 5 s"))
        #expect(one.output.contains("\n  madMg (mg): The mean amplitude deviation"))
        #expect(one.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        let unknown = try footfall("columns", "epoch.csv")
        #expect(unknown.status == 64 && unknown.errors.contains("epoch.csv is no table. Name one of: traces.ndjson, "))
    }
}
