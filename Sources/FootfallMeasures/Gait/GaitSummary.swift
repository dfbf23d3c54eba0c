public import Footfall

/// Robust summaries of the gait measures of a time range, usually one day.
///
/// ```swift
/// let day = GaitSummary(bouts: bouts, in: range)
/// print(day.median(\.stepTime) ?? .nan, day.median(\.harmonicRatio) ?? .nan)
/// ```
public struct GaitSummary: Hashable, Sendable {
    /// The bouts that start in the range.
    public let bouts: [GaitMeasures]

    /// Selects the bouts of a range.
    public init(bouts: some Sequence<GaitMeasures>, in range: Range<Timestamp>) {
        self.bouts = bouts.filter { range.contains($0.range.lowerBound) }
    }

    /// The total duration of the bouts, in seconds.
    public var seconds: Double { bouts.reduce(0) { $0 + $1.range.seconds } }

    /// The median of a measure over the bouts that have it; nil without one.
    public func median(_ measure: (GaitMeasures) -> Double?) -> Double? { quantile(0.5, measure) }

    /// The interquartile range of a measure over the bouts that have it; nil without one.
    public func interquartileRange(_ measure: (GaitMeasures) -> Double?) -> Double? {
        guard let lower = quantile(0.25, measure), let upper = quantile(0.75, measure) else { return nil }
        return upper - lower
    }

    private func quantile(_ probability: Double, _ measure: (GaitMeasures) -> Double?) -> Double? {
        bouts.compactMap(measure).sorted().sortedQuantile(probability)
    }
}
