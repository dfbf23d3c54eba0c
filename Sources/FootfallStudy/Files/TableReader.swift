internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import FootfallTables
internal import Foundation

/// Reads chosen columns of a CSV table, row by row. The rows need no memory.
final class TableReader {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private let names: [String]
    /// The position of each chosen column in the row; nil for one that may be missing, and is.
    private var positions: [Int?] = []
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    private var row = Row()
    private var line = 0
    /// The last chosen column of the table.
    private var last = 0
    private let times = CivilTimeParser()

    private struct Row {
        var bytes: [UInt8] = []
        /// The position of each field.
        var fields: [Range<Int>] = []

        /// Reads a line.
        ///
        /// - Returns: Whether the line is whole.
        mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
            bytes.removeAll(keepingCapacity: true)
            bytes.append(contentsOf: line)
            guard bytes.popLast() == ASCII.newline else { return false }
            if bytes.last == ASCII.carriageReturn { bytes.removeLast() }
            fields.removeAll(keepingCapacity: true)
            var (start, isQuoted) = (0, false)
            for position in bytes.indices {
                let byte = bytes[position]
                if byte == ASCII.quote { isQuoted.toggle() }
                guard !isQuoted, byte == ASCII.comma else { continue }
                fields.append(start..<position)
                start = position + 1
            }
            fields.append(start..<bytes.count)
            return true
        }
    }

    /// Opens a table and reads its header.
    ///
    /// - Parameters:
    ///   - names: The columns. They are numbered from 0.
    ///   - optional: More columns, which the table may have.
    /// - Throws: `TraceError` for a file that cannot be read, and for one without a chosen column.
    init(_ path: String, columns names: [String], optional: [String] = []) throws(TraceError) {
        guard let file = fopen(path, "re") else {
            throw TraceError(
                .unreadable, path: path, problem: "cannot be read: \(String(cString: strerror(errno)))")
        }
        (self.path, self.file, self.names) = (path, file, names + optional)
        guard try next() else { throw error("is empty") }
        let header = row.fields.map(string)
        for name in names {
            guard let position = header.firstIndex(of: name) else { throw error("has no column \(name)") }
            positions.append(position)
        }
        positions += optional.map { header.firstIndex(of: $0) }
        last = positions.compactMap(\.self).max() ?? 0
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    /// Reads the next row; false at the end.
    func next() throws(TraceError) -> Bool {
        let count = getline(&buffer, &capacity, file)
        guard count > 0 else {
            if ferror(file) != 0 { throw error("cannot be read: \(String(cString: strerror(errno)))") }
            return false
        }
        line += 1
        guard row.read(UnsafeRawBufferPointer(start: buffer, count: count)) else {
            throw error("ends in the middle of a row")
        }
        guard last < row.fields.count else {
            throw error("the row has \(row.fields.count) fields, not \(last + 1) or more")
        }
        return true
    }

    /// The text of a chosen column; empty for none.
    func text(_ column: Int) -> String { string(field(column)) }

    /// Whether a chosen column is empty, or none.
    func isEmpty(_ column: Int) -> Bool { field(column).isEmpty }

    private func field(_ column: Int) -> Range<Int> {
        guard let position = positions[column] else { return 0..<0 }
        return row.fields[position]
    }

    /// The number of a chosen column.
    func number(_ column: Int) throws(TraceError) -> Double {
        let range = field(column)
        guard let number = DecimalNumber(row.bytes.span, range)?.double, number.isFinite else {
            throw invalid(column, "a number")
        }
        return number
    }

    /// The time of a chosen column.
    func time(_ column: Int) throws(TraceError) -> Timestamp {
        let range = field(column)
        guard let time = times.read(row.bytes.span.extracting(range)), let date = time.date?.start else {
            throw invalid(column, "a time")
        }
        let offset = Int64(time.offsetSeconds ?? 0) * 1_000_000_000
        return Timestamp(nanosecondsSince1970: date.nanosecondsSince1970 + time.nanosecondOfDay - offset)
    }

    /// The error of a chosen column that is not `expected`.
    func invalid(_ column: Int, _ expected: String) -> TraceError {
        error("\(names[column]) is '\(text(column))', not \(expected)")
    }

    /// The error of the row.
    func error(_ problem: String) -> TraceError {
        TraceError(
            .badData, path: path, line: line > 1 ? line : nil, problem: ParameterText(problem),
            remedy: "analyze the trace again with --tables")
    }

    private func string(_ field: Range<Int>) -> String {
        let text = String(decoding: row.bytes[field], as: UTF8.self)
        guard text.hasPrefix("\"") else { return text }
        return String(text.dropFirst().dropLast(text.count > 1 ? 1 : 0)).replacing("\"\"", with: "\"")
    }
}
