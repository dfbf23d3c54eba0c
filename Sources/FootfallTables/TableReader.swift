internal import Footfall
package import FootfallReaders
internal import Foundation

/// Reads chosen columns of a CSV table with titles, row by row. The rows need no memory. It is the one reader of small
/// tables, which people write by hand, in a spreadsheet or in R. A table may have a byte-order mark, semicolons or tabs
/// for commas, CR LF at line ends and empty rows. A title is found in any case, with blanks or quotes around it.
/// A quoted field may hold line ends. A field that is not UTF-8 is Windows-1252, in which spreadsheets write CSV, too.
package final class TableReader {
    private let path: String
    private let file: FileLines
    /// The position of each chosen column in the row; nil for one that may be missing, and is.
    private var positions: [Int?] = []
    private var delimiter = ASCII.comma
    private var row = Row()
    /// The number of the line in which the row ends.
    package private(set) var line = 0

    /// The characters of Windows-1252 where it differs from Latin-1.
    private static let marks = Dictionary(
        uniqueKeysWithValues: zip(
            UInt8(0x80)...0x9F, "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars))

    /// The most titles in a message: a file that is no table may have any number.
    private static let mostShown = 12

    private struct Row {
        var bytes: [UInt8] = []
        var fields: [Range<Int>] = []
        /// The bytes after which a quote opens a field, or opens it again.
        private static let beforeQuotes = [ASCII.comma, ASCII.semicolon, ASCII.tab, ASCII.quote]

        /// Whether there is nothing but blanks and delimiters, as in a row that a spreadsheet has cleared.
        func isEmpty(_ delimiter: UInt8) -> Bool { bytes.allSatisfy { $0.isBlank || $0 == delimiter } }

        /// Finds the fields. Returns false within a quoted field.
        mutating func split(at delimiter: UInt8) -> Bool {
            fields.removeAll(keepingCapacity: true)
            var (start, isQuoted, previous) = (0, false, delimiter)
            for position in bytes.indices {
                let byte = bytes[position]
                // A quote within a field that does not start with one is a character, such as an inch.
                if byte == ASCII.quote, isQuoted || Self.beforeQuotes.contains(previous) { isQuoted.toggle() }
                if byte != ASCII.space { previous = byte }
                guard !isQuoted, byte == delimiter else { continue }
                fields.append(start..<position)
                start = position + 1
            }
            fields.append(start..<bytes.count)
            return !isQuoted
        }
    }

    /// Opens a table and reads its titles. The columns `names` are numbered from 0, and those the table may have,
    /// `optional`, go on from there. Throws `TraceError` for a file that cannot be read, and for one without a chosen
    /// column.
    package init(_ path: String, columns names: [String], optional: [String] = []) throws(TraceError) {
        guard let file = FileLines(path) else { throw TraceError(reading: path, errno) }
        (self.path, self.file) = (path, file)
        guard try next() else { throw error("is empty") }
        guard !row.bytes.contains(0) else { throw error("is in UTF-16 or no text; save it as CSV in UTF-8") }
        // At its ends it is a blank: programs on Windows end lines with CR CR LF when they translate them twice.
        guard !row.bytes[row.bytes.span.trimmed(row.bytes.indices)].contains(ASCII.carriageReturn) else {
            throw error("has lines that end with CR alone, as in “CSV (Macintosh)”; save it as CSV in UTF-8")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if row.bytes.starts(with: mark) { row.bytes.removeFirst(mark.count) }
        let counts = [ASCII.comma, ASCII.semicolon, ASCII.tab].map { byte in
            (byte: byte, count: row.bytes.count { $0 == byte })
        }
        // The first of equally frequent ones.
        delimiter = counts.reversed().max { $0.count < $1.count }?.byte ?? delimiter
        _ = row.split(at: delimiter)
        let titles = row.fields.map(string)
        for name in names {
            guard let position = Self.position(of: name, in: titles) else {
                throw error("has no column \(name); it has \(titles.prefix(Self.mostShown).joined(separator: ", "))")
            }
            positions.append(position)
        }
        positions += optional.map { Self.position(of: $0, in: titles) }
    }

    private static func position(of name: String, in titles: [String]) -> Int? {
        titles.firstIndex(of: name) ?? titles.firstIndex { $0.lowercased() == name.lowercased() }
    }

    /// Reads the next row; false at the end.
    package func next() throws(TraceError) -> Bool {
        repeat {
            let first = line + 1
            row.bytes.removeAll(keepingCapacity: true)
            var isWhole = try addLine()
            // A quoted field goes on in the next line.
            while isWhole, !row.split(at: delimiter) { isWhole = try addLine() }
            if !isWhole {
                guard !row.bytes.isEmpty else { return false }
                guard row.split(at: delimiter) else {
                    throw TraceError(
                        .badData, path: path, line: first, problem: "a quote opens a field and none closes it",
                        remedy: "remove or double the quote")
                }
            }
        } while row.isEmpty(delimiter)
        return true
    }

    /// Adds a line to the row, without its end. Returns whether it has one; the last line of a file may have none.
    private func addLine() throws(TraceError) -> Bool {
        guard let next = file.next() else {
            if let code = file.failure { throw TraceError(reading: path, code) }
            return false
        }
        line += 1
        if !row.bytes.isEmpty { row.bytes.append(ASCII.newline) }
        row.bytes.append(contentsOf: next)
        guard row.bytes.last == ASCII.newline else { return false }
        row.bytes.removeLast()
        if row.bytes.last == ASCII.carriageReturn { row.bytes.removeLast() }
        return true
    }

    /// Whether the table has a chosen column.
    package func has(_ column: Int) -> Bool { positions[column] != nil }

    /// The text of a chosen column; empty for none.
    package func text(_ column: Int) -> String { string(field(column)) }

    private func field(_ column: Int) -> Range<Int> {
        guard let position = positions[column], position < row.fields.count else { return 0..<0 }
        return row.fields[position]
    }

    private func error(_ problem: String) -> TraceError {
        TraceError(.badData, path: path, line: line > 1 ? line : nil, problem: ParameterText(problem))
    }

    private func string(_ field: Range<Int>) -> String {
        let bytes = row.bytes[row.bytes.span.trimmed(field)]
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Self.marks[$0] ?? Unicode.Scalar($0) }))
        guard text.hasPrefix("\"") else { return text }
        return String(text.dropFirst().dropLast(text.count > 1 && text.hasSuffix("\"") ? 1 : 0))
            .replacing("\"\"", with: "\"")
    }
}

/// The lines of a file, one at a time in memory.
package final class FileLines {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0
    /// The error of the system that ended the lines; nil at the end of the file.
    package private(set) var failure: Int32?

    /// Opens a file. Nil if that fails; `errno` has the reason.
    package init?(_ path: String) {
        guard let file = fopen(path, "re") else { return nil }
        self.file = file
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    /// The next line with its end, valid until the next call; nil after the last one. That may have no end.
    package func next() -> UnsafeRawBufferPointer? {
        let count = getline(&buffer, &capacity, file)
        if count <= 0, ferror(file) != 0 { failure = errno }
        return count > 0 ? UnsafeRawBufferPointer(start: buffer, count: count) : nil
    }
}
