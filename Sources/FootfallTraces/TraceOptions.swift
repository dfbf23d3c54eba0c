public import Footfall
public import FootfallWire
public import Foundation

/// What the reader of a trace is told beforehand. Everything left out is told by the file itself.
public struct TraceOptions: Hashable, Sendable {
    /// Which columns to read; nil to find them by their names or their values.
    public var columns: SensorColumns?
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
