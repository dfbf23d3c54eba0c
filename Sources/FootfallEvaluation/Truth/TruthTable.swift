import Foundation

/// A CSV file (RFC 4180) whose first row names the columns: a manifest, step times or a labeled recording.
struct TruthTable: Sequence {
    /// One row; a column that is missing from the row or from the table is empty.
    struct Row {
        let fields: [String]

        subscript(column: Int?) -> String {
            guard let column, fields.indices.contains(column) else { return "" }
            return fields[column]
        }
    }

    let header: [String]
    private let rows: Iterator

    init(contentsOf url: URL) throws(EvaluationError) {
        var rows = Iterator(bytes: Array(try EvaluationError.data(of: url)))
        header = rows.next()?.fields ?? []
        self.rows = rows
    }

    func column(_ name: String) -> Int? { header.firstIndex(of: name) }

    func makeIterator() -> Iterator { rows }

    /// Reads row by row; empty lines are skipped.
    struct Iterator: IteratorProtocol {
        private let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> Row? {
            var fields: [String] = []
            var start = position
            var isQuoted = false
            while position <= bytes.count {
                // The end of the file ends the last row, also within quotes.
                let isAtEnd = position == bytes.count
                let byte = isAtEnd ? UInt8(ascii: "\n") : bytes[position]
                position += 1
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                let isEndOfRow = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                guard isAtEnd || !isQuoted, isEndOfRow || byte == UInt8(ascii: ",") else { continue }
                fields.append(Self.text(of: bytes[start..<position - 1]))
                start = position
                guard isEndOfRow else { continue }
                if fields != [""] { return Row(fields: fields) }
                fields = []
            }
            return nil
        }

        private static func text(of field: ArraySlice<UInt8>) -> String {
            let text = String(decoding: field, as: UTF8.self)
            guard text.hasPrefix("\"") else { return text }
            let content = text.dropFirst().dropLast(text.count > 1 && text.hasSuffix("\"") ? 1 : 0)
            return content.replacingOccurrences(of: "\"\"", with: "\"")
        }
    }
}
