import ArgumentParser
import Logging

/// A format of results on standard output.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case csv
    case json
    case ndjson
}

/// The options of all commands with results.
struct OutputOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "The format: table, csv, json or ndjson.")
    var output: OutputFormat = .table

    @Flag(name: [.short, .long], help: "Log the progress to standard error.")
    var verbose = false

    /// Prints records in a machine format, or `text` as a table.
    func print(_ records: some Sequence<Record>, columns: [String], text: () -> String) {
        guard var writer = output.makeWriter(columns: columns) else { return Terminal.out(text()) }
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

/// One result: named values in a fixed order. The names are both the CSV columns and the JSON keys.
typealias Record = [(key: String, value: JSONValue)]

extension OutputFormat {
    /// Creates a writer for a machine format; nil for `table`, which each command prints by itself.
    func makeWriter(columns: [String]) -> RecordWriter? {
        self == .table ? nil : RecordWriter(format: self, columns: columns)
    }
}

/// Writes records as CSV (RFC 4180), as a JSON array or as one JSON object per line.
struct RecordWriter {
    private let format: OutputFormat
    private let columns: [String]
    private let out: (String) -> Void
    private var count = 0

    /// Writes the start of the output.
    ///
    /// - Parameter out: Receives the text in pieces; standard output by default.
    init(format: OutputFormat, columns: [String], to out: @escaping (String) -> Void = Terminal.out) {
        self.format = format
        self.columns = columns
        self.out = out
        switch format {
        case .csv: out(columns.joined(separator: ",") + "\n")
        case .json: out("[")
        case .ndjson, .table: break
        }
    }

    /// Writes one record.
    mutating func write(_ record: Record) {
        switch format {
        case .csv:
            let values = columns.map { column in
                record.first { $0.key == column }.map { Self.cell($0.value) } ?? ""
            }
            out(values.joined(separator: ",") + "\n")
        case .json:
            write(record, after: count == 0 ? "" : ",\n ", before: "")
        case .ndjson, .table:
            write(record, after: "", before: "\n")
        }
        count += 1
    }

    private func write(_ record: Record, after head: String, before tail: String) {
        var buffer = OutputBuffer(to: out)
        buffer.add(head)
        JSONValue.object(record).write { buffer.add($0) }
        buffer.add(tail)
        buffer.flush()
    }

    /// Writes the end of the output.
    func finish() {
        if format == .json { out("]\n") }
    }

    /// The bytes that a field contains only between quotes.
    private static let separators = Array(",\"\n\r".utf8)

    /// A value as a CSV field; lists and objects become JSON.
    ///
    /// A text that a spreadsheet would run as a formula gets an apostrophe in front.
    private static func cell(_ value: JSONValue) -> String {
        let text: String
        switch value {
        case .null, .number(nil, _): return ""
        case .bool, .integer, .number: return value.text
        case .string(let string):
            text = string.unicodeScalars.first.map("=+-@\t\r".unicodeScalars.contains) ?? false ? "'" + string : string
        case .array, .object: text = value.text
        }
        guard text.utf8.contains(where: separators.contains) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
