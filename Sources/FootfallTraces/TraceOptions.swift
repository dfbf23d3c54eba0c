public import Footfall
public import FootfallWire
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
    /// The moment of time 0, where another file of the same archive states it.
    var zero: Timestamp?
    /// Whether gravity is in another table of the same archive. ``unit`` is set then.
    var isGravityApart = false

    /// Creates options; without arguments, everything is detected and date-times without a zone are UTC.
    public init(
        columns: SensorColumns? = nil,
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

extension TraceOptions {
    /// The name of the zone in messages.
    var zoneName: String { timeZone == .gmt ? "UTC" : timeZone.identifier }

    /// Notes on options that a recording in a logger's format does not need.
    var notesOnRecording: [String] {
        let unused = [
            ("--columns", columns != nil), ("--unit", unit != nil), ("--time-unit", timeUnit != nil),
            ("--rate", sampleRate != nil), ("--start", start != nil),
        ]
        return unused.filter(\.1).map { "\($0.0) was not used; the recording states it" }
    }
}
