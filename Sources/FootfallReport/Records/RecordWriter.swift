internal import FootfallHistory
internal import Foundation

/// One result: named values in a fixed order. The names are both the CSV columns and the JSON keys.
package typealias Record = [(key: String, value: JSONValue)]

/// A machine format of records.
package enum RecordFormat: String {
    case csv
    case json
    case ndjson
}

/// Writes records as CSV (RFC 4180), as a JSON array or as one JSON object per line.
package struct RecordWriter {
    private let format: RecordFormat
    private let columns: [String]
    private let out: (String) -> Void
    private var count = 0

    /// Writes the start of the output.
    ///
    /// - Parameter out: Receives the text in pieces.
    package init(format: RecordFormat, columns: [String], to out: @escaping (String) -> Void) {
        self.format = format
        self.columns = columns
        self.out = out
        switch format {
        case .csv: out(columns.joined(separator: ",") + "\n")
        case .json: out("[")
        case .ndjson: break
        }
    }

    /// Writes one record.
    package mutating func write(_ record: Record) {
        switch format {
        case .csv:
            out(row(of: record))
        case .json:
            write(record, after: count == 0 ? "" : ",\n ", before: "")
        case .ndjson:
            write(record, after: "", before: "\n")
        }
        count += 1
    }

    private func write(_ record: Record, after head: String, before tail: String) {
        var buffer = OutputBuffer()
        buffer.add(head, to: out)
        JSONValue.object(record).write { buffer.add($0, to: out) }
        buffer.add(tail, to: out)
        buffer.flush(to: out)
    }

    /// Writes the end of the output.
    package func finish() {
        if format == .json { out("]\n") }
    }

    /// The bytes that a field contains only between quotes.
    private static let separators = Array(",\"\n\r".utf8)

    private func row(of record: Record) -> String {
        var row = ""
        for (index, column) in columns.enumerated() {
            if index > 0 { row += "," }
            // Most records have the order of the columns.
            let isInOrder = index < record.count && record[index].key == column
            if let member = isInOrder ? record[index] : record.first(where: { $0.key == column }) {
                Self.add(member.value, to: &row)
            }
        }
        return row + "\n"
    }

    /// Adds a value as a CSV field; lists and objects become JSON.
    ///
    /// A text that a spreadsheet would run as a formula gets an apostrophe in front.
    private static func add(_ value: JSONValue, to row: inout String) {
        let text: String
        switch value {
        case .null, .number(nil, _): return
        case .bool, .integer, .number: return value.write { row += $0 }
        case .string(let string):
            let isFormula = string.unicodeScalars.first.map("=+-@\t\r".unicodeScalars.contains) ?? false
            // The offset of a zone, such as -04:00, is none.
            text = isFormula && TimeZone.offset(string) == nil ? "'" + string : string
        case .array, .object: text = value.text
        }
        let isPlain = !text.utf8.contains(where: separators.contains)
        row += isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
