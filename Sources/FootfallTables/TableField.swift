package import Footfall

/// A column of a table, and the value of a row in it.
package struct TableField<Row>: Sendable {
    package let column: Column
    /// The value; nil where the row has no such key in JSON.
    package let value: @Sendable (Row) -> JSONValue?

    package init(_ column: Column, _ value: @escaping @Sendable (Row) -> JSONValue?) {
        (self.column, self.value) = (column, value)
    }

    /// The same column of rows that contain such a row. Without one its value is null.
    package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> TableField<Whole> {
        TableField<Whole>(column) { [value] whole in
            guard let row = part(whole) else { return .null }
            return value(row)
        }
    }

    /// The same column, only of rows that contain such a row. The others have no such key in JSON.
    package func only<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> TableField<Whole> {
        TableField<Whole>(column) { [value] whole in part(whole).flatMap(value) }
    }
}

// One function for each kind of column. A value that is nil is null in JSON.
extension TableField {
    package static func text(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> String?
    ) -> TableField {
        TableField(.text(name, meaning)) { .text(value($0)) }
    }

    package static func count(
        _ name: String, unit: String? = nil, _ meaning: String, _ value: @escaping @Sendable (Row) -> Int?
    ) -> TableField {
        TableField(Column(name, .count, unit: unit, meaning)) { row in value(row).map { .integer($0) } ?? .null }
    }

    package static func flag(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool)
        -> TableField
    {
        TableField(.flag(name, meaning)) { .bool(value($0)) }
    }

    package static func time(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Timestamp?
    ) -> TableField {
        TableField(.time(name, meaning)) { .time(value($0)) }
    }

    /// Seconds with three decimals.
    package static func seconds(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double?
    ) -> TableField {
        TableField(.seconds(name, meaning)) { .number(value($0), decimals: 3) }
    }

    package static func number(
        _ name: String, _ unit: String?, decimals: Int, _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Double?
    ) -> TableField {
        TableField(.number(name, unit, meaning)) { .number(value($0), decimals: decimals) }
    }

    package static func texts(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> [String]
    ) -> TableField {
        TableField(.list(name, meaning)) { .texts(value($0)) }
    }

    /// Time spans: objects with `start` and `end`.
    package static func spans(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> [Range<Timestamp>]
    ) -> TableField {
        TableField(.spans(name, meaning)) { .spans(value($0)) }
    }

    /// An object with the values of a part of the row.
    package static func object<Part>(
        _ name: String, _ meaning: String, _ parts: [TableField<Part>], _ value: @escaping @Sendable (Row) -> Part?
    ) -> TableField {
        TableField(Column(name, .object, meaning, parts: parts.map(\.column))) { row in
            guard let part = value(row) else { return .null }
            return .object(parts.record(of: part))
        }
    }

    /// An array of objects, which are computed one by one.
    package static func list<Part>(
        _ name: String, _ meaning: String, of parts: [TableField<Part>], _ value: @escaping @Sendable (Row) -> [Part]
    ) -> TableField {
        TableField(.list(name, meaning, of: parts.map(\.column))) { row in
            .array(value(row).lazy.map { .object(parts.record(of: $0)) })
        }
    }
}

extension Array {
    /// The values of a row, with the names of their columns.
    package func record<Row>(of row: Row) -> Record where Element == TableField<Row> {
        var record: Record = []
        record.reserveCapacity(count)
        for field in self {
            if let value = field.value(row) { record.append((field.column.name, value)) }
        }
        return record
    }
}

/// A table: its description, and how the values of a row follow from it.
package struct Table<Row>: Sendable {
    package let description: TableDescription
    private let fields: [TableField<Row>]

    /// Creates a table. The parameters are those of ``TableDescription``.
    package init(
        _ name: String, row: String, _ fields: [TableField<Row>], derived: [TableField<Row>] = [],
        pattern: String = "", timeDecimals: Int = 3
    ) {
        description = TableDescription(
            name, row: row, fields.map(\.column), derived: derived.map(\.column), pattern: pattern,
            timeDecimals: timeDecimals)
        self.fields = fields + derived
    }

    /// The names of the columns.
    package var names: [String] { description.names }

    /// The values of a row, with the names of their columns, which are CSV columns and JSON keys.
    package func record(of row: Row) -> Record { fields.record(of: row) }
}
