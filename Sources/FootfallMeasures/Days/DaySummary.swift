/// The mean and the median of one measure over days. Days without a value do not count.
public struct DaySummary: Hashable, Sendable {
    /// The mean; nil without a value.
    public let mean: Double?
    /// The median; nil without a value.
    public let median: Double?

    /// Summarizes the values of a measure.
    ///
    /// - Parameter values: The value of each day; nil for a day without one.
    public init(of values: some Sequence<Double?>) {
        let values = values.compactMap(\.self).filter(\.isFinite).sorted()
        mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        median = values.sortedQuantile(0.5)
    }
}
