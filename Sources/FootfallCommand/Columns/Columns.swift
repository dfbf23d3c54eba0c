import ArgumentParser
import FootfallHistory
import FootfallTables

/// `footfall columns`: the data dictionary.
struct Columns: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Describe the columns of all tables and outputs.",
        discussion: """
              footfall columns
              footfall columns epochs.csv
              footfall columns --output csv

            Columns of CSV are keys of JSON. Times are ISO 8601 in UTC, durations are in seconds. A value that the data \
            cannot support is empty in CSV and null in JSON. analyze --tables also writes this description as \
            columns.json.
            """)

    @Argument(help: "The tables, such as epochs.csv (default: all).")
    var tables: [String] = []

    @Flag(help: .hidden)
    var page = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        for name in tables where DataDictionary.table(named: name) == nil {
            let names = DataDictionary.tables.map(\.name).joined(separator: ", ")
            throw ValidationError("\(name) is no table. Name one of: \(names).")
        }
    }

    func run() {
        if page { return Terminal.out(DataDictionary.page) }
        let tables = tables.isEmpty ? DataDictionary.tables : tables.compactMap(DataDictionary.table)
        output.print(tables.flatMap(\.entries), DictionaryEntry.table) {
            DataDictionary.text(of: tables, width: min(100, max(40, Terminal.width))) + "\n"
        }
    }
}
