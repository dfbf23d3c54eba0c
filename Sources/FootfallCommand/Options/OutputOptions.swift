import ArgumentParser
import FootfallHistory
import FootfallStudy
import FootfallTables
import Foundation
import Logging

extension OutputFormat: ExpressibleByArgument {}

/// The options of all commands with results.
struct OutputOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "The format of the results.") var output: OutputFormat = .table
    @Flag(name: [.short, .long], help: "Log the progress to standard error.") var verbose = false

    /// Prints rows in a machine format, or `text` as a table. CSV has local times in a zone; nil for none.
    func print<Row>(_ rows: [Row], _ table: Table<Row>, zone: TimeZone? = nil, text: () -> String) {
        print(
            rows.lazy.map { table.record(of: $0) }, columns: table.names,
            local: LocalTimes(of: table.description, in: zone), text: text)
    }

    /// Prints records in a machine format, or `text` as a table.
    func print(_ records: some Sequence<Record>, columns: [String], local: LocalTimes? = nil, text: () -> String) {
        guard var writer = output.makeWriter(columns: columns, local: local) else { return Terminal.out(text()) }
        for record in records { writer.write(record) }
        writer.finish()
    }

    /// The log for `--verbose`.
    var log: Logger {
        var log = Logger(label: "footfall") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = verbose ? .debug : .warning
        return log
    }
}

/// A format of results on standard output.
enum OutputFormat: String, CaseIterable {
    case table
    case csv
    case json
    case ndjson
}

extension OutputFormat {
    /// Creates a writer of a table in a machine format; nil for `table`, which each command prints by itself. CSV has
    /// local times in a zone; nil for none.
    func makeWriter(of table: TableDescription, in zone: TimeZone? = nil) -> RecordWriter? {
        makeWriter(columns: table.names, local: LocalTimes(of: table, in: zone))
    }

    func makeWriter(columns: [String], local: LocalTimes? = nil) -> RecordWriter? {
        RecordFormat(rawValue: rawValue).map {
            RecordWriter(
                format: $0, columns: columns, local: local, isForTerminal: Terminal.isOutputTerminal,
                to: Terminal.out(bytes:))
        }
    }
}

/// The option of all commands that write files.
struct ReplacementOptions: ParsableArguments {
    @Flag(help: "Replace existing files, even of other programs.") var force = false

    /// The rule for the outputs of a command that reads these files.
    func rule(reading paths: [String]) -> OutputRule {
        OutputRule(replacesAll: force, inputs: paths.compactMap { FileIdentity(of: $0) })
    }
}
