public import Footfall
public import Foundation

/// Known facts about a trace. The file determines everything else.
public struct TraceOptions: Hashable, Sendable {
    /// The columns to read; nil to detect them from their names or values.
    public var columns: SensorColumns?
    /// The unit of acceleration, or how many raw counts are one g; nil to detect it from the header or from the
    /// magnitude of gravity.
    public var unit: AccelerationScale?
    /// The numbers at 0 g, such as half of the range of an analog sensor; nil to detect them.
    public var zero: SIMD3<Float>?
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
    var origin: Timestamp?
    /// The name of the file, which may state the sensor; nil where it is unknown.
    var fileName: String?
    /// The samples to read, in this order; nil for all in the order of the file.
    package var order: [Range<Int>]?
    /// The unit of acceleration that was behind each number; nil if none was.
    var cellUnit: AccelerationUnit?
    /// Whether gravity is in another table of the same archive. ``unit`` is set then.
    var isGravityApart = false

    /// Creates options; without arguments, everything is detected and date-times without a zone are UTC.
    public init(
        columns: SensorColumns? = nil,
        unit: AccelerationScale? = nil,
        zero: SIMD3<Float>? = nil,
        timeUnit: TimeUnit? = nil,
        sampleRate: Double? = nil,
        timeZone: TimeZone = .gmt,
        start: Timestamp? = nil,
        rows: [RowCondition] = []
    ) {
        (self.columns, self.unit, self.zero, self.timeUnit) = (columns, unit, zero, timeUnit)
        (self.sampleRate, self.timeZone, self.start, self.rows) = (sampleRate, timeZone, start, rows)
    }
}

extension TraceOptions {
    /// The zone of date-times that state none.
    var zone: LocalZone {
        LocalZone(name: timeZone.statedName, isUTC: timeZone == .gmt || timeZone.identifier == "UTC") {
            [timeZone] second in
            Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
        }
    }

    /// The date of ``start`` in the zone.
    var startDate: CivilDate? {
        guard let start else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let seconds = start.seconds(since: .epoch)
        let day = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: seconds))
        guard let year = day.year, let month = day.month, let date = day.day else { return nil }
        return CivilDate(year: year, month: month, day: date)
    }

    /// Notes on options that a recording in a logger's format does not need.
    var notesOnRecording: [ParameterText] {
        let unused: [(ParameterText.Parameter, Bool)] = [
            (.columns(), columns != nil), (.unit(), unit != nil), (.zero(), zero != nil),
            (.timeUnit(), timeUnit != nil), (.sampleRate(), sampleRate != nil), (.start, start != nil),
            (.rows(), !rows.isEmpty),
        ]
        return unused.filter(\.1).map { "\($0.0) was not used; the recording states it" }
    }
}
