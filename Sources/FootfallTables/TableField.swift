package import Footfall

/// A column of a table, or several from one part of a row, and the values of a row in them.
package struct TableField<Row>: Sendable {
    fileprivate let columns: [Column]
    /// Adds the values of a row; none where the row has no such keys in JSON.
    fileprivate let add: @Sendable (Row, inout Record) -> Void

    /// The column; the first one of several.
    package var column: Column { columns[0] }

    /// Creates a column. The value is nil where the row has no such key in JSON.
    package init(_ column: Column, _ value: @escaping @Sendable (Row) -> JSONValue?) {
        self.init([column]) { row, record in
            if let value = value(row) { record.append((column.name, value)) }
        }
    }

    fileprivate init(_ columns: [Column], _ add: @escaping @Sendable (Row, inout Record) -> Void) {
        (self.columns, self.add) = (columns, add)
    }

    /// The same column of rows that contain such a row. Without one its value is null.
    package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> TableField<Whole> { [self].of(part) }

    /// The same column, only of rows that contain such a row. The others have no such key in JSON.
    package func only<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> TableField<Whole> { [self].only(part) }
}

extension Array {
    /// The same columns of rows that contain such a row, which is computed once. Without one their values are null.
    package func of<Row, Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> TableField<Whole>
    where Element == TableField<Row> {
        TableField<Whole>(columns()) { whole, record in
            if let row = part(whole) { return add(row, to: &record) }
            record += columns().map { ($0.name, .null) }
        }
    }

    /// The same columns, only of rows that contain such a row. The others have no such keys in JSON.
    package func only<Row, Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> TableField<Whole>
    where Element == TableField<Row> {
        TableField<Whole>(columns()) { whole, record in
            if let row = part(whole) { add(row, to: &record) }
        }
    }

    /// The values of a row, with the names of their columns.
    package func record<Row>(of row: Row) -> Record where Element == TableField<Row> {
        var record: Record = []
        record.reserveCapacity(count)
        add(row, to: &record)
        return record
    }

    fileprivate func columns<Row>() -> [Column] where Element == TableField<Row> { flatMap(\.columns) }

    private func add<Row>(_ row: Row, to record: inout Record) where Element == TableField<Row> {
        for field in self { field.add(row, &record) }
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
        TableField(Column(name, .object, meaning, parts: parts.columns())) { row in
            guard let part = value(row) else { return .null }
            return .object(parts.record(of: part))
        }
    }

    /// An array of objects, which are computed one by one.
    package static func list<Part>(
        _ name: String, _ meaning: String, of parts: [TableField<Part>], _ value: @escaping @Sendable (Row) -> [Part]
    ) -> TableField {
        TableField(.list(name, meaning, of: parts.columns())) { row in
            .array(value(row).lazy.map { .object(parts.record(of: $0)) })
        }
    }
}

/// A table: its description, and how the values of a row follow from it.
package struct Table<Row>: Sendable {
    package let description: TableDescription
    private let fields: [TableField<Row>]

    /// Creates a table. The parameters are those of ``TableDescription``. A name that several kinds of rows have stands
    /// for one column, which the first of them describes.
    package init(
        _ name: String, row: String, _ fields: [TableField<Row>], derived: [TableField<Row>] = [],
        pattern: String = "", timeDecimals: Int = 3
    ) {
        var names = Set<String>()
        let columns = fields.columns().filter { names.insert($0.name).inserted }
        description = TableDescription(
            name, row: row, columns, derived: derived.columns(), pattern: pattern, timeDecimals: timeDecimals)
        self.fields = fields + derived
    }

    /// The names of the columns.
    package var names: [String] { description.names }

    /// The values of a row, with the names of their columns, which are CSV columns and JSON keys.
    package func record(of row: Row) -> Record { fields.record(of: row) }
}
