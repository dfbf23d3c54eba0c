public import Footfall
public import FootfallWire
public import Foundation

/// What the reader of a trace is told beforehand. Everything left out is told by the file itself.
public struct TraceOptions: Hashable, Sendable {
    /// Which columns to read; nil to find them by their names or their values.
    public var columns: TraceColumns?
    /// The unit of acceleration, or how many raw counts are one g; nil to tell it by the header or by the magnitude of
    /// gravity.
    public var unit: AccelerationScale?
    /// The unit of a numeric time column; nil to tell it by the header or by the distance between rows.
    public var timeUnit: TimeUnit?
    /// Samples per second, for a trace without a time column. A trace that has times is read by its times.
    public var sampleRate: Double?
    /// The zone of date-times that do not state one.
    public var timeZone: TimeZone
    /// When the first sample was taken, for a trace without absolute time; nil for 1970-01-01T00:00:00Z.
    public var start: Timestamp?
    /// The moment that times since the start of a recording are counted from, where another file of the same archive
    /// says it.
    var zero: Timestamp?
    /// Whether gravity is missing, since it stands in another table of the same archive. Then ``unit`` is known.
    var isGravityApart = false

    /// Creates options; without arguments, the file tells everything and date-times without a zone are UTC.
    public init(
        columns: TraceColumns? = nil,
        unit: AccelerationScale? = nil,
        timeUnit: TimeUnit? = nil,
        sampleRate: Double? = nil,
        timeZone: TimeZone = .gmt,
        start: Timestamp? = nil
    ) {
        self.columns = columns
        self.unit = unit
        self.timeUnit = timeUnit
        self.sampleRate = sampleRate
        self.timeZone = timeZone
        self.start = start
    }
}

/// The columns of a table that hold time and acceleration.
public struct TraceColumns: Hashable, Sendable {
    /// A column, told by its name in the header or by its position.
    public enum Column: Hashable, Sendable {
        /// The column with this name in the header. Case, spaces around it and a unit in brackets do not count.
        case named(String)
        /// The column at this position, counted from 0.
        case at(Int)
    }

    /// The column of times; nil when the table has none.
    public var time: Column?
    /// The column of acceleration along x.
    public var x: Column
    /// The column of acceleration along y.
    public var y: Column
    /// The column of acceleration along z.
    public var z: Column

    /// Creates a choice of columns.
    public init(time: Column?, x: Column, y: Column, z: Column) {
        self.time = time
        self.x = x
        self.y = y
        self.z = z
    }

    /// Creates a choice of columns from a list such as `time,x,y,z` or `0,2,3,4`, or without time `x,y,z`.
    ///
    /// An entry of digits only is a position counted from 0. Returns nil unless there are three or four entries.
    public init?(_ list: String) {
        let entries = list.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard (3...4).contains(entries.count), entries.allSatisfy({ !$0.isEmpty }) else { return nil }
        let columns = entries.map { Int($0).flatMap { $0 >= 0 ? Column.at($0) : nil } ?? .named($0) }
        self.init(
            time: columns.count == 4 ? columns[0] : nil,
            x: columns[columns.count - 3], y: columns[columns.count - 2], z: columns[columns.count - 1])
    }
}

extension TraceOptions {
    /// The name of the zone for a person.
    var zoneName: String { timeZone == .gmt ? "UTC" : timeZone.identifier }

    /// What to say of options that a recording in a logger's own format has no use for, since it says all that itself.
    var notesOnRecording: [String] {
        let unused = [
            ("columns", columns != nil), ("unit", unit != nil), ("timeUnit", timeUnit != nil),
            ("sampleRate", sampleRate != nil), ("start", start != nil),
        ]
        return unused.filter(\.1).map { "the option \($0.0) was not used; the recording says it itself" }
    }
}
