package import Footfall
internal import FootfallReaders
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
    /// The local times of CSV; nil for none.
    private var local: LocalTimes?
    /// The index of the column in UTC of each column of local times.
    private let utcColumns: [Int?]
    private let timeDecimals: Int
    private let isForTerminal: Bool
    private let out: ([UInt8]) -> Void
    private var count = 0
    /// The open row of CSV. Its memory is kept for the next row.
    private var row: [UInt8] = []

    /// Writes the start of the output.
    ///
    /// - Parameters:
    ///   - local: The local times, which CSV has behind the other columns; nil for none.
    ///   - timeDecimals: The decimals of the seconds of times in CSV: 3 or 6.
    ///   - isForTerminal: Whether a terminal shows CSV. Characters that act on it are then escaped, as JSON escapes
    ///     them anywhere.
    ///   - out: Receives the text in chunks, as UTF-8.
    package init(
        format: RecordFormat, columns: [String], local: LocalTimes? = nil, timeDecimals: Int = 3,
        isForTerminal: Bool = false, to out: @escaping ([UInt8]) -> Void
    ) {
        let added = (local?.columns ?? []).map(\.local).filter { !columns.contains($0) }
        let columns = columns + (format == .csv ? added : [])
        (self.format, self.columns, self.isForTerminal, self.out) = (format, columns, isForTerminal, out)
        self.timeDecimals = timeDecimals
        self.local = local
        utcColumns = columns.map { name in
            (local?.columns.first { $0.local == name }?.utc).flatMap(columns.firstIndex)
        }
        switch format {
        case .csv: out(Array((columns.joined(separator: ",") + "\n").utf8))
        case .json: out([UInt8(ascii: "[")])
        case .ndjson: break
        }
    }

    /// Writes one record.
    package mutating func write(_ record: Record) {
        switch format {
        case .csv: writeRow(of: record)
        case .json: write(record, after: count == 0 ? "" : ",\n ", before: "")
        case .ndjson: write(record, after: "", before: "\n")
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
        if format == .json { out(Array("]\n".utf8)) }
    }

    /// The bytes that a field contains only between quotes.
    private static let separators = Array(",\"\n\r".utf8)

    private mutating func writeRow(of record: Record) {
        // Most records have the order of the columns.
        func value(of index: Int) -> JSONValue? {
            if index < record.count, record[index].key == columns[index] { return record[index].value }
            return record.first { $0.key == columns[index] }?.value
        }
        for index in columns.indices {
            if index > 0 { row.append(UInt8(ascii: ",")) }
            if let utc = utcColumns[index] {
                if case .time(let time?) = value(of: utc) { local?.append(time, to: &row) }
            } else if let value = value(of: index) {
                add(value)
            }
        }
        row.append(UInt8(ascii: "\n"))
        passRow()
    }

    private mutating func passRow() {
        out(row)
        row.removeAll(keepingCapacity: true)
    }

    /// Adds a value as a CSV field; lists and objects become JSON. A text that a spreadsheet would run as a formula
    /// gets an apostrophe in front.
    private mutating func add(_ value: JSONValue) {
        var text: String
        switch value {
        case .null, .number(nil, _), .time(nil): return
        case .number(let number?, let decimals) where number.isFinite: return row.append(number, decimals: decimals)
        case .number: return
        case .integer(let number): return row.append(contentsOf: String(number).utf8)
        case .time(let time?): return row.append(time, decimals: timeDecimals)
        case .words(let words): return row.append(contentsOf: words.joined(separator: "|").utf8)
        case .bool(let value): return row.append(contentsOf: (value ? "true" : "false").utf8)
        case .string(let string):
            let isFormula = string.unicodeScalars.first.map("=+-@\t\r".unicodeScalars.contains) ?? false
            // The offset of a zone, such as -04:00, is none.
            text = isFormula && TimeZone.offset(string) == nil ? "'" + string : string
        case .array, .object: return addJSON(value)
        }
        if isForTerminal { text = text.escaped }
        let isPlain = !text.utf8.contains(where: Self.separators.contains)
        row.append(contentsOf: (isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\"").utf8)
    }

    /// Adds JSON as a CSV field. A long row is passed on in chunks, so that a long array is never in memory as text.
    private mutating func addJSON(_ value: JSONValue) {
        var (json, isQuoted) = ("", false)
        func quote() {
            if !isQuoted { row.append(UInt8(ascii: "\"")) }
            row.append(contentsOf: json.replacing("\"", with: "\"\"").utf8)
            (json, isQuoted) = ("", true)
        }
        value.write { part in
            json += isForTerminal ? part.escaped : part
            guard json.utf8.count >= OutputBuffer.capacity else { return }
            quote()
            passRow()
        }
        if isQuoted || json.utf8.contains(where: Self.separators.contains) {
            quote()
            json = "\""
        }
        row.append(contentsOf: json.utf8)
    }
}

/// Joins short texts to chunks of about 64 KB, so that few system calls write them.
package struct OutputBuffer {
    /// The size of a chunk in bytes.
    static let capacity = 65536

    private var chunk: [UInt8] = []

    package init() {}

    /// Adds a text. `out` receives a complete chunk.
    package mutating func add(_ text: String, to out: ([UInt8]) -> Void) {
        chunk.append(contentsOf: text.utf8)
        if chunk.count >= Self.capacity { flush(to: out) }
    }

    /// Adds the bytes of a text.
    package mutating func add(_ bytes: [UInt8], to out: ([UInt8]) -> Void) {
        chunk.append(contentsOf: bytes)
        if chunk.count >= Self.capacity { flush(to: out) }
    }

    /// Passes on the rest.
    package mutating func flush(to out: ([UInt8]) -> Void) {
        if !chunk.isEmpty { out(chunk) }
        chunk.removeAll(keepingCapacity: true)
    }
}

/// Adds the time by the wearer's clock to each time of a record, in a column of its own: `startLocal` for `start`.
/// Times themselves are UTC in every table. A local time has no offset, such as `2026-11-20T09:00:00.000`. In the hour
/// that the clock repeats, only the column in UTC is unique.
package struct LocalTimes: Sendable {
    /// The columns of UTC, and those of the local times.
    let columns: [(utc: String, local: String)]
    private var offsets: ZoneOffsets
    private let decimals: Int

    /// Prepares the times of a table. `table` is the table. Only columns of the kind `time` have a local one. `zone` is
    /// the wearer's zone; nil for none. Returns nil without a zone.
    package init?(of table: TableDescription, in zone: TimeZone?) {
        guard let zone else { return nil }
        (offsets, decimals) = (ZoneOffsets(of: zone), table.timeDecimals)
        columns = table.columns.filter { $0.kind == .time }.map { ($0.name, Column.local(of: $0).name) }
    }

    /// Appends the local time of a moment.
    mutating func append(_ moment: Timestamp, to row: inout [UInt8]) {
        row.appendLocal(moment, offset: offsets.seconds(at: moment), decimals: decimals)
    }
}

/// The offsets of a zone. All changes of a clock are at a multiple of a quarter of an hour, so the offset of the
/// latest one is kept.
package struct ZoneOffsets: Sendable {
    private static let quarter: Int64 = 900

    private let zone: TimeZone
    private var latest: (quarter: Int64, seconds: Int64)?

    package init(of zone: TimeZone) { self.zone = zone }

    /// The seconds east of UTC.
    package mutating func seconds(at moment: Timestamp) -> Int64 {
        let quarter = moment.second.flooredQuotientAndRemainder(by: Self.quarter).quotient
        if let latest, latest.quarter == quarter { return latest.seconds }
        let seconds = zone.offset(at: moment)
        latest = (quarter, seconds)
        return seconds
    }
}

extension TimeZone {
    /// The seconds east of UTC. They change at whole seconds.
    package func offset(at moment: Timestamp) -> Int64 {
        Int64(secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.second))))
    }
}

extension Timestamp {
    /// The moment by the clock of a zone, to the millisecond and without an offset: `2026-11-20T09:00:00.000`.
    package func localText(in zone: TimeZone) -> String {
        var text: [UInt8] = []
        text.appendLocal(self, offset: zone.offset(at: self), decimals: 3)
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    fileprivate mutating func appendLocal(_ moment: Timestamp, offset: Int64, decimals: Int) {
        append(moment.advanced(bySeconds: Double(offset)), decimals: decimals)
        removeLast()  // The Z of UTC.
    }
}

extension Column {
    /// The local time beside a time in UTC.
    package static func local(of time: Column) -> Column {
        Column(time.name + "Local", .localTime, "\(time.name) by the clock of the wearer's zone.")
    }
}

extension TableDescription {
    /// The table with a column for the local time of each time.
    package var withLocalTimes: TableDescription {
        TableDescription(
            name, row: row, columns + columns.filter { $0.kind == .time }.map(Column.local), derived: derived,
            pattern: pattern, timeDecimals: timeDecimals)
    }
}
