// The descriptions of tables as text, for the help and for the documentation.

extension TableDescription {
    /// The columns as text for the help, at most `width` characters wide.
    package func text(width: Int = 78) -> String {
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

    /// The columns as a section of a page in Markdown.
    package var section: String {
        let rows = columns.flatMap { $0.records(in: name, as: $0.name) }.map { record in
            "| "
                + record.dropFirst().map { cell in
                    guard case .string(let text) = cell.value else { return "" }
                    return cell.key == "column" ? "`\(text)`" : text
                }.joined(separator: " | ") + " |\n"
        }
        return "\n### \(name)\n\nA row for \(row).\n\n| column | kind | unit | meaning |\n|---|---|---|---|\n"
            + rows.joined() + (pattern.isEmpty ? "" : "\n\(pattern)\n")
    }

    /// The columns as records with the columns of ``dictionary``.
    package var records: [Record] { all.flatMap { $0.records(in: name, as: $0.name) } }
}

extension Column {
    fileprivate func records(in table: String, as path: String) -> [Record] {
        let record: Record = [
            ("table", .string(table)), ("column", .string(path)), ("kind", .string(kind.rawValue)),
            ("unit", .text(unit)), ("meaning", .string(meaning)),
        ]
        return [record] + parts.flatMap { $0.records(in: table, as: "\(path).\($0.name)") }
    }
}
