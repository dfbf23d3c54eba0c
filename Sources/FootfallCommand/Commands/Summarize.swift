import ArgumentParser
import FootfallReaders
import FootfallStudy
import FootfallTables
import Foundation

/// `footfall summarize`: the results of many traces as one table of persons and one of days.
struct Summarize: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summarize",
        abstract: "Join the tables of many logs into one of persons and one of days.",
        discussion: """
            Reads the study files that analyze --tables wrote, prints a row for each person, and writes persons.csv and days.csv \
            beside them. A person is a log, unless --persons says which logs belong together: a CSV table with the \
            columns trace (the file of the log) and person, and if needed start (of a log without a date), tz (the wearer's \
            zone) and night (such as 22:30-06:30, for the waking day). Logs of a person that overlap in time count once; \
            logs without a date follow each other.

              footfall summarize results/
              footfall summarize results/ --persons who.csv --valid-day 16h
              footfall summarize site-a/ site-b/ --out joined/ --output json

            Means and medians are over valid days. persons.csv has those that papers usually report; --all-columns adds the others. The analysis states the cut points; --cut-points states others.
            """)

    @Argument(help: "The folders of analyze --tables.")
    var results: [String]

    @Option("Which logs are of which person: a CSV table of trace,person and, if needed, start,tz,night.", "file")
    var persons: String?

    @Option("Where to write persons.csv and days.csv (default: the first folder).", "folder") var out: String?

    @Option(
        "Also write the epochs of each log as another program reads them: ggir, into the folder ggir.", "program",
        name: .customLong("for"))
    var program: Program?

    @Option(
        help: ArgumentHelp(
            "Also write days and persons under the column names of another program, where the definition is the same: "
                + "stepcount or ggir. Repeatable.", valueName: "program"))
    var names: [NamingProgram] = []

    @OptionGroup var measures: MeasureOptions
    @OptionGroup var replacement: ReplacementOptions
    @OptionGroup var output: OutputOptions

    /// A program that works from the epochs.
    enum Program: String, CaseIterable, ExpressibleByArgument {
        case ggir
    }

    func run() throws {
        guard let first = results.first else { return }
        let people = try persons.map { try PersonTable(contentsOf: $0) }
        var summary = try ResultSummary(of: results.map { URL(filePath: $0) }, people, by: measures.rules)
        for remark in summary.remarks { Terminal.note(remark) }
        let folder = out ?? first
        let rule = replacement.rule(reading: [persons].compactMap(\.self) + summary.files)
        let programs = NamingProgram.allCases.filter(names.contains)
        let tables = try SummaryTables(
            in: URL(filePath: folder), allColumns: measures.allColumns, names: programs, rule)
        let columns = TableDescription.personColumns(all: measures.allColumns)
        var writer = output.output.makeWriter(columns: columns)
        var overview = PersonOverview()
        try tables.write(&summary) { person in
            writer?.write(person.record(of: columns))
            overview.add(person)
            for remark in person.remarks { Terminal.note(remark) }
        }
        writer?.finish()
        if writer == nil {
            let files = ["persons.csv", "days.csv"] + programs.flatMap { ["persons-\($0).csv", "days-\($0).csv"] }
            let list = files.dropLast().joined(separator: ", ") + " and \(files[files.count - 1])"
            Terminal.out(overview.text + "\(list) are in \(folder.escaped)\n")
        }
        if program == .ggir { try writeForGGIR(&summary, in: URL(filePath: folder), rule) }
        if let reason = overview.reason(leastWear: measures.rules.leastWear) {
            Terminal.note(reason)
        }
        let codes = summary.failures.map(Failure.report)
        if let code = codes.first { throw ExitCode(code) }
    }

    private func writeForGGIR(_ summary: inout ResultSummary, in folder: URL, _ rule: OutputRule) throws {
        var epochs = try GGIREpochs(in: folder, rule)
        try summary.forEachLog { try epochs.write($0) }
        for remark in epochs.remarks { Terminal.note(remark) }
    }
}

extension NamingProgram: ExpressibleByArgument {}

/// Persons as text, one line for each: what their logs have, then the medians over valid days.
private struct PersonOverview {
    private static let headers = [
        "person", ">logs", ">valid days", ">worn", ">steps", ">on foot", ">cadence", ">steps a day", ">adjusted",
        ">wear a day", ">peak 30 min", ">walking", ">ENMO", ">MVPA",
    ]
    private static let leastUsed = [
        ">adjusted", ">walking", ">wear a day", ">logs", ">peak 30 min", ">ENMO", ">worn", ">on foot", ">valid days",
    ]

    /// The cells of each person; nil for one without a value.
    private var rows: [[String?]] = []
    private var (persons, logs, unreadable, days, validDays) = (0, 0, 0, 0, 0)
    /// The persons with days, of which none is valid.
    private var withoutDays: [String] = []

    mutating func add(_ person: PersonRow) {
        let valid = person.validDays()
        func median(_ name: String, _ unit: String, decimals: Int = 0) -> String? {
            person.median(of: name).map { $0.formatted(decimals: decimals) + unit }
        }
        func sum(_ names: String...) -> Double {
            person.days.reduce(0) { sum, day in names.reduce(sum) { $0 + (day.value(of: $1) ?? 0) } }
        }
        let cadence = person.medianOfAllDays("cadenceQ50Spm")
        let hasDays = !person.days.isEmpty
        rows.append([
            person.person.escaped,
            person.unreadableLogs == 0
                ? String(person.logs) : Color.yellow("\(person.logs), \(person.unreadableLogs) unreadable"),
            valid.isEmpty ? Color.yellow("0 of \(person.days.count)") : "\(valid.count) of \(person.days.count)",
            hasDays ? Words.duration(person.days.reduce(0) { $0 + $1.wear }) : nil,
            hasDays ? String(person.days.reduce(0) { $0 + $1.steps }) : nil,
            hasDays ? Words.duration(60 * sum("walkingMinutes", "runningMinutes")) : nil,
            cadence.map { "\($0.formatted(decimals: 0))/min" }, median("steps", ""), median("adjustedSteps", ""),
            median("wearHours", " h", decimals: 1), median("peakCadence30Spm", "/min"),
            median("walkingMinutes", " min"), median("enmoMg", " mg", decimals: 1), median("mvpaMinutes", " min"),
        ])
        if valid.isEmpty, hasDays { withoutDays.append(person.person) }
        persons += 1
        logs += person.logs
        unreadable += person.unreadableLogs
        days += person.days.count
        validDays += valid.count
    }

    /// Why persons have no means and medians; nil if all have some.
    func reason(leastWear: Double) -> String? {
        guard !withoutDays.isEmpty else { return nil }
        let isAll = withoutDays.count == persons
        let who = isAll ? "" : " of \(withoutDays.joined(separator: ", "))"
        return
            "no day\(who) has \(Words.duration(leastWear)) of wear, so there are no means and medians of days; --valid-day "
            + "accepts days with less"
    }

    /// The table, without the columns that no person has a value of, and the totals.
    var text: String {
        let shown = Self.headers.indices.filter { column in rows.contains { $0[column] != nil } }
        var table = TextTable(shown.map { Self.headers[$0] }, leastUsed: Self.leastUsed)
        for row in rows { table.add(shown.map { row[$0] ?? Color.dim("-") }) }
        let missing = unreadable == 0 ? "" : " without \(unreadable) unreadable,"
        let medians = validDays > 0 ? "; from “steps a day” on: medians over valid days" : ""
        return table.text
            + WrappedText.onTerminal(
                "\n\(Color.bold(NumberText.count(persons, "person"))), \(NumberText.count(logs, "log")),\(missing) \(validDays) "
                    + "of \(NumberText.count(days, "day")) valid\(medians)\n")
    }
}
