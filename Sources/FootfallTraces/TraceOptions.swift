public import Footfall
public import FootfallText
public import Foundation

/// Known facts about a trace. The file determines everything else.
public struct TraceOptions: Hashable, Sendable {
    /// The columns to read; nil to detect them from their names or values.
    public var columns: SensorColumns?
    /// The unit of acceleration, or how many raw counts are one g; nil to detect it from the header or from the magnitude
    /// of gravity.
    public var unit: AccelerationScale?
    /// The unit of a numeric time column; nil to detect it from the header or from the distance between rows.
    public var timeUnit: TimeUnit?
    /// Samples per second, for a trace without a time column. A trace with times uses its times.
    public var sampleRate: Double?
    /// The time zone of date-times that state none.
    public var timeZone: TimeZone
    /// When the first sample was taken, for a trace without absolute time; nil for 1970-01-01T00:00:00Z.
    public var start: Timestamp?
    /// Which rows of a table to read: those that meet all conditions. Empty reads all rows.
    public var rows: [RowCondition]
    /// The moment of time 0, where another file of the same archive states it.
    var zero: Timestamp?
    /// The name of the file, which may state the sensor; nil where it is unknown.
    var fileName: String?
    /// The samples to read, in this order; nil for all in the order of the file.
    package var order: [Range<Int>]?
    /// Whether gravity is in another table of the same archive. ``unit`` is set then.
    var isGravityApart = false

    /// Creates options; without arguments, everything is detected and date-times without a zone are UTC.
    public init(
        columns: SensorColumns? = nil,
        unit: AccelerationScale? = nil,
        timeUnit: TimeUnit? = nil,
        sampleRate: Double? = nil,
        timeZone: TimeZone = .gmt,
        start: Timestamp? = nil,
        rows: [RowCondition] = []
    ) {
        self.columns = columns
        self.unit = unit
        self.timeUnit = timeUnit
        self.sampleRate = sampleRate
        self.timeZone = timeZone
        self.start = start
        self.rows = rows
    }
}

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
        func trimmed(_ part: Substring) -> String { part.trimmingCharacters(in: .whitespaces) }
        let (name, value) = (trimmed(text[..<sign]), trimmed(text[text.index(after: sign)...]))
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

extension TraceOptions {
    /// The zone by its name in the time-zone database, as `UTC`, or as an offset such as `-04:00`.
    var zoneName: String {
        guard timeZone.identifier.hasPrefix("GMT") else { return timeZone.identifier }
        return timeZone == .gmt ? "UTC" : Timestamp.offsetText(seconds: timeZone.secondsFromGMT())
    }

    /// Notes on options that a recording in a logger's format does not need.
    var notesOnRecording: [ParameterText] {
        let unused: [(ParameterText.Parameter, Bool)] = [
            (.columns(), columns != nil), (.unit(), unit != nil), (.timeUnit(), timeUnit != nil),
            (.sampleRate(), sampleRate != nil), (.start, start != nil), (.rows(), !rows.isEmpty),
        ]
        return unused.filter(\.1).map { "\($0.0) was not used; the recording states it" }
    }
}
