internal import Footfall
internal import FootfallFoundation
package import Foundation

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
    /// The clock of times in CSV; nil for UTC.
    private var clock: OffsetTimes?
    private let timeDecimals: Int
    private let isForTerminal: Bool
    private let out: (String) -> Void
    private var count = 0

    /// Writes the start of the output.
    ///
    /// - Parameters:
    ///   - zone: The zone of times in CSV, which then state their offset (RFC 3339); nil for UTC.
    ///   - timeDecimals: The decimals of the seconds of times in CSV: 3 or 6.
    ///   - isForTerminal: Whether a terminal shows CSV. Characters that act on it are then escaped, as JSON escapes
    ///     them anywhere.
    ///   - out: Receives the text in pieces.
    package init(
        format: RecordFormat, columns: [String], zone: TimeZone? = nil, timeDecimals: Int = 3,
        isForTerminal: Bool = false, to out: @escaping (String) -> Void
    ) {
        (self.format, self.columns, self.isForTerminal, self.out) = (format, columns, isForTerminal, out)
        self.timeDecimals = timeDecimals
        clock = zone.flatMap { $0.statedName == "UTC" ? nil : OffsetTimes(in: $0) }
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
            writeRow(of: record)
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

    private mutating func writeRow(of record: Record) {
        var row = ""
        for (index, column) in columns.enumerated() {
            if index > 0 { row += "," }
            // Most records have the order of the columns.
            let isInOrder = index < record.count && record[index].key == column
            if let member = isInOrder ? record[index] : record.first(where: { $0.key == column }) {
                add(member.value, to: &row)
            }
        }
        out(row + "\n")
    }

    /// Adds a value as a CSV field; lists and objects become JSON.
    ///
    /// A text that a spreadsheet would run as a formula gets an apostrophe in front.
    private mutating func add(_ value: JSONValue, to row: inout String) {
        var text: String
        switch value {
        case .null, .number(nil, _), .time(nil): return
        case .time(let time?):
            row += clock?.text(of: time, decimals: timeDecimals) ?? time.text(decimals: timeDecimals)
            return
        case .words(let words):
            row += words.joined(separator: "|")
            return
        case .bool, .integer, .number: return value.write { row += $0 }
        case .string(let string):
            let isFormula = string.unicodeScalars.first.map("=+-@\t\r".unicodeScalars.contains) ?? false
            // The offset of a zone, such as -04:00, is none.
            text = isFormula && TimeZone.offset(string) == nil ? "'" + string : string
        case .array, .object: return addJSON(value, to: &row)
        }
        if isForTerminal { text = text.escaped }
        let isPlain = !text.utf8.contains(where: Self.separators.contains)
        row += isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Adds JSON as a CSV field. A long row is passed on in pieces, so that a long array is never in memory as text.
    private func addJSON(_ value: JSONValue, to row: inout String) {
        var (json, isQuoted) = ("", false)
        func quote() {
            if !isQuoted { row += "\"" }
            row += json.replacing("\"", with: "\"\"")
            (json, isQuoted) = ("", true)
        }
        value.write { piece in
            json += isForTerminal ? piece.escaped : piece
            guard json.utf8.count >= OutputBuffer.capacity else { return }
            quote()
            out(row)
            row = ""
        }
        if isQuoted || json.utf8.contains(where: Self.separators.contains) {
            quote()
            json = "\""
        }
        row += json
    }
}
