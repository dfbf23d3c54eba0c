import ArgumentParser
import FootfallHistory
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
        tables.map { $0.text(width: width) }.joined(separator: "\n\n")
    }
}
