// The descriptions of tables as text, and as rows of the data dictionary.

extension TableDescription {
    /// The columns as text, at most `width` characters wide.
    package func text(width: Int) -> String {
        let head = Self.wrapped("\(name): a row for \(row).", width: width)
        let lines = columns.map { Self.text(of: $0, indent: 2, width: width) }
        let rule = pattern.isEmpty ? [] : [Self.wrapped(pattern, indent: 2, width: width)]
        return ([head] + lines + rule).joined(separator: "\n")
    }

    private static func text(of column: Column, indent: Int, width: Int) -> String {
        let unit = column.unit.map { " (\($0))" } ?? ""
        let line = wrapped("\(column.name)\(unit): \(column.meaning)", indent: indent, width: width)
        return ([line] + column.parts.map { text(of: $0, indent: indent + 2, width: width) })
            .joined(separator: "\n")
    }

    /// The text in lines of `width` characters; those after the first are indented further.
    private static func wrapped(_ text: String, indent: Int = 0, width: Int) -> String {
        var lines: [String] = []
        var line = String(repeating: " ", count: indent)
        var count = indent
        var isEmpty = true
        for word in text.split(separator: " ") {
            let length = word.count
            if !isEmpty, count + 1 + length > width {
                lines.append(line)
                line = String(repeating: " ", count: indent + 4)
                count = indent + 4
                isEmpty = true
            }
            if !isEmpty {
                line += " "
                count += 1
            }
            line += word
            count += length
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// The columns as rows of the data dictionary.
    package var entries: [DictionaryEntry] { all.flatMap { $0.entries(in: name, as: $0.name) } }
}

/// A row of the data dictionary: a column of a table.
package struct DictionaryEntry: Sendable {
    let table: String
    /// The name of the column, after those of the objects that it is a part of.
    let name: String
    let column: Column

    package static let table = Table<DictionaryEntry>(
        "columns.json", row: "a column",
        [
            .text("table", "The table or the command.") { $0.table },
            .text(
                "column",
                "The column, or the key in JSON; a part of an object or of a list follows its name and a dot."
            ) { $0.name },
            .text("kind", "text, count, number, boolean, time, localTime, date, object or list.") {
                $0.column.kind.rawValue
            },
            .text("unit", "The unit; empty without one.") { $0.column.unit },
            .text("meaning", "The meaning.") { $0.column.meaning },
        ])
}

extension Column {
    fileprivate func entries(in table: String, as path: String) -> [DictionaryEntry] {
        [DictionaryEntry(table: table, name: path, column: self)]
            + parts.flatMap { $0.entries(in: table, as: "\(path).\($0.name)") }
    }
}
