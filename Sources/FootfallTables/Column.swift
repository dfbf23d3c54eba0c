/// The description of a CSV column, which is also a JSON key.
package struct Column: Sendable {
    /// The form of the values.
    package enum Kind: String, Sendable {
        case text
        /// A number of things.
        case count
        case number
        /// `true` or `false`.
        case boolean
        /// ISO 8601 in UTC with milliseconds: `2026-11-20T08:00:00.000Z`.
        case time
        /// That time by the wearer's clock, without an offset: `2026-11-20T09:00:00.000`.
        case localTime
        /// A date of the wearer's calendar: `2026-11-20`.
        case date
        /// A JSON object with the columns in ``Column/parts``.
        case object
        /// A JSON array of values, or of objects with the columns in ``Column/parts``.
        case list
    }

    package let name: String
    package let kind: Kind
    /// Nil for values without a unit.
    package let unit: String?
    /// One or more sentences in ASCII, because manual pages have them.
    package let meaning: String
    package let parts: [Column]

    package init(_ name: String, _ kind: Kind, unit: String? = nil, _ meaning: String, parts: [Column] = []) {
        (self.name, self.kind, self.unit, self.meaning, self.parts) = (name, kind, unit, meaning, parts)
    }

    package static func count(_ name: String, _ meaning: String) -> Column { Column(name, .count, meaning) }
    package static func text(_ name: String, _ meaning: String) -> Column { Column(name, .text, meaning) }
    package static func flag(_ name: String, _ meaning: String) -> Column { Column(name, .boolean, meaning) }
    package static func time(_ name: String, _ meaning: String) -> Column { Column(name, .time, meaning) }
    /// Seconds with three decimals.
    package static func seconds(_ name: String, _ meaning: String) -> Column {
        Column(name, .number, unit: "s", meaning)
    }

    package static func number(_ name: String, _ unit: String?, _ meaning: String) -> Column {
        Column(name, .number, unit: unit, meaning)
    }

    package static func list(_ name: String, _ meaning: String, of parts: [Column] = []) -> Column {
        Column(name, .list, meaning, parts: parts)
    }

    /// Time spans: objects with `start` and `end`.
    package static func spans(_ name: String, _ meaning: String) -> Column {
        list(name, meaning, of: [.time("start", "The start of the span."), .time("end", "The end of the span.")])
    }

    /// Vectors of the three axes.
    package static func axes(_ name: String, _ unit: String?, _ meaning: String) -> Column {
        Column(name, .list, unit: unit, meaning + " One number for each of x, y and z.")
    }
}

/// The description of a table, or of the JSON objects that a command prints. What writes a table takes its columns from
/// here.
package struct TableDescription: Sendable {
    /// The file or the command, such as `epochs.csv` or `query steps`.
    package let name: String
    /// The meaning of a row, such as `an epoch of 5 s`.
    package let row: String
    package let columns: [Column]
    /// The columns that ``pattern`` describes for the help. The other columns come first.
    package let derived: [Column]
    /// The rule by which the names of ``derived`` follow from others.
    package let pattern: String
    /// The decimals of the seconds of times in CSV: 3, or 6 where another table is computed from this one.
    package let timeDecimals: Int

    package init(
        _ name: String, row: String, _ columns: [Column], derived: [Column] = [], pattern: String = "",
        timeDecimals: Int = 3
    ) {
        (self.name, self.row, self.columns, self.derived, self.pattern) = (name, row, columns, derived, pattern)
        self.timeDecimals = timeDecimals
    }

    /// All columns in the order of the table.
    package var all: [Column] { columns + derived }
    /// The names of all columns.
    package var names: [String] { all.map(\.name) }
}

// The descriptions of tables as rows of the data dictionary.

extension TableDescription {
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
