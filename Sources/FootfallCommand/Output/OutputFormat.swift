import ArgumentParser
import Logging

/// How results are written to standard output.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case table
    case csv
    case json
    case ndjson
}

/// The options that every command with results takes.
struct OutputOptions: ParsableArguments {
    @Option(name: [.short, .long], help: "How to print: table, csv, json or ndjson.")
    var output: OutputFormat = .table

    @Flag(name: [.short, .long], help: "Say on standard error what is being done.")
    var verbose = false

    /// Where to say what is being done.
    var log: Logger {
        var log = Logger(label: "footfall") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = verbose ? .debug : .warning
        return log
    }
}

/// One result: named values in a fixed order. The same names head CSV columns and key JSON objects.
typealias Record = [(key: String, value: JSONValue)]

extension OutputFormat {
    /// Writes records in one of the machine formats, each as soon as it is there.
    ///
    /// The table of a command is its own business, so `table` writes nothing here.
    func makeWriter(columns: [String]) -> RecordWriter? {
        self == .table ? nil : RecordWriter(format: self, columns: columns)
    }
}

/// Writes records as CSV (RFC 4180), a JSON array or one JSON object a line.
struct RecordWriter {
    private let format: OutputFormat
    private let columns: [String]
    private let out: (String) -> Void
    private var count = 0

    /// Begins to write.
    ///
    /// - Parameter out: Takes the text, piece by piece; standard output by default.
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
        var pieces = Pieces(to: out)
        pieces.add(head)
        JSONValue.object(record).write { pieces.add($0) }
        pieces.add(tail)
        pieces.flush()
    }

    /// Ends the output; nothing may follow.
    func finish() {
        if format == .json { out("]\n") }
    }

    /// A value as a CSV field; lists and objects stand as JSON within the field.
    private static func cell(_ value: JSONValue) -> String {
        let text =
            switch value {
            case .null: ""
            case .string(let text): text
            default: value.text
            }
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
