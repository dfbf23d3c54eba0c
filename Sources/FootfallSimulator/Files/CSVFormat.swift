/// The form of a trace as CSV: a header `time,x,y,z`, then one row per sample.
public struct CSVFormat: Hashable, Sendable {
    /// The form of times.
    public enum Times: String, CaseIterable, Sendable {
        /// Seconds since the trace's start, with 4 decimals.
        case seconds
        /// Seconds since 1970-01-01T00:00:00Z, with 4 decimals.
        case epoch
        /// ISO 8601 in UTC with milliseconds.
        case iso8601
    }

    /// The form of times.
    public let times: Times
    /// The number of decimals of an acceleration in g, 1 to 6.
    public let decimals: Int

    /// Creates a format. `decimals` is limited to 1…6.
    public init(times: Times = .seconds, decimals: Int = 4) {
        self.times = times
        self.decimals = min(max(decimals, 1), 6)
    }
}
