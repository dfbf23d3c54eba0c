import ArgumentParser
import Footfall
import FootfallEvaluation
import FootfallHistory
import FootfallLive
import FootfallReport
import FootfallStudy
import FootfallTables

/// `footfall columns`: the data dictionary.
struct Columns: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "columns",
        abstract: "Describe the columns of all tables and outputs.",
        discussion: """
              footfall columns
              footfall columns epochs.csv
              footfall columns --output csv

            Columns of CSV are keys of JSON. Times are ISO 8601 in UTC, durations are in seconds. With --tz, CSV also has the \
            time by the clock of that zone, in columns such as startLocal; the tables of analyze always have it. A value that \
            the data cannot support is empty in CSV and null in JSON. analyze --tables also writes this description as \
            columns.json.
            """)

    @Argument(help: "The tables, such as epochs.csv (default: all).")
    var tables: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        for name in tables where DataDictionary.table(named: name) == nil {
            let names = DataDictionary.tables.map(\.name).joined(separator: ", ")
            throw ValidationError("\(name) is no table. Name one of: \(names).")
        }
    }

    func run() {
        let tables = tables.isEmpty ? DataDictionary.tables : tables.compactMap(DataDictionary.table)
        output.print(tables.flatMap(\.entries), DictionaryEntry.table) {
            DataDictionary.text(of: tables, width: min(100, max(40, Terminal.lineWidth))) + "\n"
        }
    }
}

/// The data dictionary: the descriptions of all that the command writes.
enum DataDictionary {
    /// All descriptions. The tables of `analyze --tables` come first.
    static let tables: [TableDescription] =
        TableDescription.results + TableDescription.answers + [LiveRow.table.description]
        + TableDescription.histories + TableDescription.others

    /// The description with a name, such as `epochs.csv`, or `epochs`; nil for an unknown name.
    static func table(named name: String) -> TableDescription? {
        tables.first { $0.name == name || $0.name == name + ".csv" }
    }

    /// The columns as text, at most `width` characters wide.
    static func text(of tables: [TableDescription], width: Int) -> String {
        tables.map { table in
            let texts =
                ["\(table.name): a row for \(table.row)."] + table.columns.flatMap { lines(of: $0, "  ") }
                + (table.pattern.isEmpty ? [] : ["  " + table.pattern])
            return texts.flatMap { WrappedText.lines($0, width: width, hanging: 4) }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// A line for a column, and a line for each of its parts.
    private static func lines(of column: Column, _ indent: String) -> [String] {
        let unit = column.unit.map { " (\($0))" } ?? ""
        return ["\(indent)\(column.name)\(unit): \(column.meaning)"]
            + column.parts.flatMap { lines(of: $0, indent + "  ") }
    }
}

// What `devices`, `simulate` and `evaluate` write, and the dictionary itself.

extension TableDescription {
    /// The outputs of the remaining commands.
    static let others =
        named + [
            AnalyzedSecond.table.description, ExplanationText.table.description, AttachedDevice.table.description,
            simulation, truth, EvaluatedGroup.table.description, DictionaryEntry.table.description,
        ]

    static let simulation = TableDescription(
        "SCENARIO.csv", row: "a sample of a simulation",
        [
            Column("time", .number, unit: "s", "The time since the start; with --start, ISO 8601 in UTC."),
            .number("x", "g", "The acceleration along x, gravity included."),
            .number("y", "g", "The acceleration along y, gravity included."),
            .number("z", "g", "The acceleration along z, gravity included."),
        ])

    static let truth = TableDescription(
        "SCENARIO.truth.json", row: "the ground truth of a simulation",
        [
            .text("scenario", "The scenario."), .count("seed", "The seed of the random numbers."),
            .text("placement", "The place of the sensor."), .number("sampleRate", "Hz", "The nominal rate."),
            .time("start", "The start of the trace."), .seconds("duration", "The length of the trace."),
            .count("steps", "The steps, with those in gaps."),
            Column("stepTimes", .list, unit: "s", "The time of each step since the start."),
            .list(
                "segments", "The activities.",
                of: [
                    .seconds("offset", "The time since the start."), .seconds("duration", "The length."),
                    .text("activity", "The main activity."), .list("flags", "All activities at once."),
                    .count("steps", "The steps."),
                ]),
            .list(
                "gaps", "The spans without samples.",
                of: [.seconds("offset", "The time since the start."), .seconds("duration", "The length.")]),
        ])
}

// What `history` prints.

extension TableDescription {
    /// The columns that the subcommands of `history` write.
    static let histories = [
        HistoryOverview.table.description, CheckedHistory.table.description, RecordingOutcome.table.description,
        Deletion.table.description, Mark.table.description, historyExport,
    ]

    static let historyExport = TableDescription(
        "history export", row: "the history, a source, a mark, a span, or steps outside segments, as a line of JSON",
        [
            .count("version", "The version of the format; first line only."),
            Column("retention", .count, unit: "ns", "How long events are kept; first line only, none without limit."),
            .text("source", "The wearer or the device, whose events follow."),
            .list(
                "zones", "The time zones of a source.",
                of: [
                    Column("since", .count, unit: "ns since 1970", "The start of the zone."),
                    .text("name", "The zone, such as Europe/Berlin."),
                ]),
            Column("forgottenBefore", .count, unit: "ns since 1970", "Earlier events of the source have expired."),
            .text("mark", "The text of a mark, which has a start and, unless it is open, an end."),
            Column("start", .count, unit: "ns since 1970", "The start of a span or a mark."),
            Column("end", .count, unit: "ns since 1970", "The end of a span or a mark, not included."),
            .count(
                "flags",
                "The activities of the span, as a sum of 1 stationary, 2 walking, 4 running, "
                    + "8 automotive, 16 cycling and 32 unknown."),
            .flag("nonWear", "True for a span in which the sensor was not worn; it lies over the segments before it."),
            .count(
                "reason",
                "Why the activity is unknown: 1 tooShort, 2 lowRate, 3 handled, 4 unclear, 5 notWorn, 6 exercise."),
            .number("probability", nil, "The probability that the activity is right, 0 to 1."),
            Column("steps", .list, unit: "ns since 1970", "The times of the steps."),
            .count("count", "The number of the lines before; last line only."),
        ])
}
