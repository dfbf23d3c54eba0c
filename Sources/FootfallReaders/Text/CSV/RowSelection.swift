internal import Footfall

/// A condition for the rows of a table, such as `sensor=1`: one column has one value.
///
/// It chooses one series of a table with several, such as the rows of one person or of one sensor.
public struct RowCondition: Hashable, Sendable {
    /// The column.
    public var column: SensorColumns.Column
    /// The value. Numbers are compared as numbers, other values as text.
    public var value: String

    /// Creates a condition.
    public init(column: SensorColumns.Column, value: String) { (self.column, self.value) = (column, value) }

    /// Creates a condition from a text such as `user=33`, or `2=1` for a column by its number, counted from 1.
    ///
    /// Returns nil for a text without `=`, a column or a value.
    public init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let (name, value) = (text[..<sign].trimmed, text[text.index(after: sign)...].trimmed)
        guard let column = SensorColumns.Column(name), !value.isEmpty else { return nil }
        self.init(column: column, value: value)
    }
}

extension RowCondition: CustomStringConvertible {
    /// The condition as written, such as `user=33`.
    public var description: String { "\(column)=\(value)" }
}

/// Removes the rows of a table that do not meet the conditions, before any other code reads them.
struct RowSelection: LineFilter {
    private let tests: [Test]
    private let dialect: CSVDialect
    /// Blank lines follow the row above: the space of removed rows is bounded.
    private var keepsBlank = true
    /// The position of the first row in the opening.
    let start: Int

    private struct Test {
        var column: Int
        var text: [UInt8]
        var number: Double?

        func isMet(_ text: Span<UInt8>, _ field: Range<Int>, _ separator: UInt8) -> Bool {
            if field.count == self.text.count, text.has(self.text, at: field.lowerBound) { return true }
            return number.map { Field.number(text, field, separator) == $0 } ?? false
        }
    }

    /// Finds the columns of the conditions in the opening of a table. Throws ``Refusal`` when the text is no table, or
    /// has no such column.
    init(
        _ text: Span<UInt8>, _ range: Range<Int>, isWhole: Bool, _ conditions: [RowCondition]
    ) throws(Refusal) {
        let table = try TableOpening(text, CSVOpening(text, range, isWhole: isWhole))
        let names = table.names(text)
        var tests: [Test] = []
        for condition in conditions {
            guard let column = condition.column.index(in: names, width: table.width) else {
                throw Refusal(
                    "no column for \(.rows()) \(condition)",
                    remedy: "write \(.rows()) COLUMN=VALUE with a title, or with the number of the column, "
                        + "counted from 1",
                    line: table.header?.line)
            }
            let value = Array(condition.value.utf8)
            let number = Field.number(value.span, value.indices, table.dialect.decimalSeparator)
            tests.append(Test(column: column, text: value, number: number))
        }
        self.tests = tests.sorted { $0.column < $1.column }
        (dialect, start) = (table.dialect, table.firstRowOffset)
    }

    mutating func rewrite(_ bytes: inout [UInt8], _ range: Range<Int>, to end: inout Int, isAtEnd: Bool) -> Int {
        var row = range.lowerBound
        for position in range where bytes[position] == dialect.lineEnd || bytes[position] == dialect.rowEnd {
            if meets(bytes.span, row..<position) { bytes.move(row..<position + 1, to: &end) }
            row = position + 1
        }
        guard isAtEnd else { return row }
        if meets(bytes.span, row..<range.upperBound) { bytes.move(row..<range.upperBound, to: &end) }
        return range.upperBound
    }

    private mutating func meets(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let row = text.trimmed(range)
        if !row.isEmpty { keepsBlank = meetsAll(text, row) }
        return keepsBlank
    }

    private func meetsAll(_ text: Span<UInt8>, _ row: Range<Int>) -> Bool {
        var (position, column) = (row.lowerBound, 0)
        var field = dialect.nextField(text, &position, row.upperBound)
        for test in tests {
            while column < test.column, field != nil {
                field = dialect.nextField(text, &position, row.upperBound)
                column += 1
            }
            guard let field, test.isMet(text, field, dialect.decimalSeparator) else { return false }
        }
        return true
    }
}

/// The values of a column of a table.
package struct ColumnValues: Sendable {
    /// The position of the column, counted from 0.
    package let column: Int
    private let dialect: CSVDialect
    /// The values in the order of their first row.
    package private(set) var values: [String] = []
    private var known: Set<[UInt8]> = []
    /// The number of rows with a value.
    package private(set) var rows = 0
    /// The position of the first row in the opening.
    package let start: Int

    /// Finds the column in the opening of a table. Throws ``Refusal`` when the text is no table, or has no such column.
    package init(
        _ text: Span<UInt8>, _ range: Range<Int>, isWhole: Bool, _ column: SensorColumns.Column
    ) throws(Refusal) {
        let table = try TableOpening(text, CSVOpening(text, range, isWhole: isWhole))
        guard let index = column.index(in: table.names(text), width: table.width) else {
            throw Refusal(
                "no column \(column)", remedy: "name a column by its title or number", line: table.header?.line)
        }
        (self.column, dialect, start) = (index, table.dialect, table.firstRowOffset)
    }

    /// Reads the lines in `range`, and returns where they end.
    package mutating func read(_ text: Span<UInt8>, _ range: Range<Int>, isAtEnd: Bool) -> Int {
        let whole = isAtEnd ? range.upperBound : text.lastIndex(of: dialect.lineEnd, in: range).map { $0 + 1 }
        let end = whole ?? range.lowerBound
        var start = range.lowerBound
        while start < end {
            let stop = text.firstIndex(of: dialect.lineEnd, in: start..<end) ?? end
            for row in dialect.rows(text, start..<stop) { add(text, row) }
            start = stop + 1
        }
        // A line without an end is none.
        return end == range.lowerBound && range.count > RowReader.longestLine ? range.upperBound : end
    }

    private mutating func add(_ text: Span<UInt8>, _ row: Range<Int>) {
        var (position, field) = (row.lowerBound, Range<Int>?.none)
        for _ in 0...column {
            field = dialect.nextField(text, &position, row.upperBound)
            guard field != nil else { return }
        }
        guard let field, !field.isEmpty, field.count <= 40 else { return }
        rows += 1
        let bytes = field.map { text[$0] }
        if known.insert(bytes).inserted { values.append(String(decoding: bytes, as: UTF8.self)) }
    }
}
