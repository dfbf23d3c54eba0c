import FootfallAnswers

/// The data dictionary: the descriptions of all that the command writes.
///
/// `make columns` writes it as a page of the documentation. A new table is described by a `static let` in one of the extensions of `TableDescription` in this folder, and listed in its
/// `group` there. The writer of the table takes the names of its columns from that description.
enum DataDictionary {
    /// All descriptions. The tables of `analyze --tables` come first.
    static let tables: [TableDescription] =
        TableDescription.results + TableDescription.answers + TableDescription.histories
        + TableDescription.others

    /// The description with a name, such as `epochs.csv`, or `epochs`; nil for an unknown name.
    static func table(named name: String) -> TableDescription? {
        tables.first { $0.name == name || $0.name == name + ".csv" }
    }

    /// The columns as text for the help, at most `width` characters wide.
    static func text(of tables: [TableDescription] = tables, width: Int = 78) -> String {
        tables.map { table in
            let head = wrapped("\(table.name): a row for \(table.row).", width: width)
            let columns = table.columns.map { text(of: $0, indent: 2, width: width) }
            let pattern = table.pattern.isEmpty ? [] : [wrapped(table.pattern, indent: 2, width: width)]
            return ([head] + columns + pattern).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The page of the documentation.
    static var page: String {
        """
        # Columns of all tables and outputs

        The meaning of each CSV column and each JSON key that `footfall` writes.

        ## Overview

        The tables that `footfall analyze` writes come first. Columns of CSV are keys of JSON. Times are ISO 8601 in UTC. A value that the
        data cannot support is empty in CSV and null in JSON. `footfall help columns` prints the same, and `columns.json` in the
        folder of tables has it for programs.

        """ + tables.map(\.section).joined()
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
}

extension TableDescription {
    /// The section of the page.
    fileprivate var section: String {
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
    var records: [Record] { all.flatMap { $0.records(in: name, as: $0.name) } }
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
