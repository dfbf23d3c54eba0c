/// A condition for the rows of a table, such as `sensor=1`: one column has one value.
///
/// It chooses one series of a table with several, such as the rows of one person or of one sensor.
public struct RowCondition: Hashable, Sendable {
    /// The column.
    public var column: SensorColumns.Column
    /// The value. Numbers are compared as numbers, other values as text.
    public var value: String

    /// Creates a condition.
    public init(column: SensorColumns.Column, value: String) {
        self.column = column
        self.value = value
    }

    /// Creates a condition from a text such as `user=33`, or `2=1` for a column by its number, counted from 1.
    ///
    /// Returns nil for a text without `=`, a column or a value.
    public init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let (name, value) = (text[..<sign].trimmed, text[text.index(after: sign)...].trimmed)
        guard !name.isEmpty, !value.isEmpty else { return nil }
        guard let number = Int(name) else {
            self.init(column: .named(name), value: value)
            return
        }
        guard number > 0 else { return nil }
        self.init(column: .number(number), value: value)
    }
}

extension RowCondition: CustomStringConvertible {
    /// The condition as written, such as `user=33`.
    public var description: String {
        switch column {
        case .named(let name): "\(name)=\(value)"
        case .number(let number): "\(number)=\(value)"
        }
    }
}
