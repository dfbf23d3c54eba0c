internal import CGSL
public import Footfall
internal import Foundation

/// The measures of intensity of a time range, usually one day, from its epochs.
///
/// Only worn epochs count. Nothing is estimated for the time without them. A measure that the epochs cannot support is
/// nil.
///
/// ```swift
/// let day = IntensityMeasures(epochs: epochs, in: range)
/// if let adults = IntensityCutPoints.published(named: "hildebrand-adults-wrist-actigraph") {
///     print(day.minutes(in: .moderateToVigorous, by: adults) ?? .nan, "minutes of MVPA")
/// }
/// print(day.meanEnmoMg ?? .nan, day.gradient?.slope ?? .nan)
/// ```
public struct IntensityMeasures: Hashable, Sendable {
    /// The time range of the measures.
    public let range: Range<Timestamp>
    /// The worn epochs that start in the range, in ascending order.
    public let epochs: [EpochMeasures]

    /// Selects the epochs of a range.
    ///
    /// - Parameters:
    ///   - epochs: Epochs in ascending order. Those that are not worn, or start outside the range, do not count.
    ///   - range: The time range. For a day, it starts at midnight in the zone of the wearer.
    public init(epochs: some Sequence<EpochMeasures>, in range: Range<Timestamp>) {
        self.range = range
        self.epochs = epochs.filter { $0.isWorn && range.contains($0.start) }
    }

    /// The time of the worn epochs, in minutes.
    public var wornMinutes: Double { Double(epochs.count) * EpochMeasures.seconds / 60 }

    /// The average acceleration: the mean of ENMO, in mg; nil without an epoch.
    public var meanEnmoMg: Double? {
        epochs.isEmpty ? nil : epochs.reduce(0) { $0 + $1.enmoMg } / Double(epochs.count)
    }

    /// The time at a level of intensity, in minutes.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - cutPoints: A set for the placement, the sensor and the age of the wearer.
    /// - Returns: Nil without an epoch that has the measure, or where the set does not separate the level from the
    ///   next.
    public func minutes(in level: IntensityLevel, by cutPoints: IntensityCutPoints) -> Double? {
        let epochs = values(by: cutPoints)
        guard !epochs.isEmpty, let values = cutPoints.values(of: level) else { return nil }
        return Double(epochs.count { values.contains($0.value) }) * EpochMeasures.seconds / 60
    }

    /// The line through the logarithms of the time and of the acceleration.
    public struct Gradient: Hashable, Sendable {
        /// The slope; always negative in practice. A steeper line has less time at high intensity.
        public let slope: Double
        /// The logarithm of the minutes at 1 mg.
        public let intercept: Double
        /// The share of the variance that the line explains, 0…1.
        public let rSquared: Double
    }

    /// The intensity gradient of A. V. Rowlands et al., Beyond cut points: accelerometer metrics that capture the
    /// physical activity profile, Medicine & Science in Sports & Exercise 50(6), 2018.
    ///
    /// It is the least-squares line of the natural logarithm of the minutes in each bin of 25 mg of ENMO, up to 4000
    /// mg, on the natural logarithm of the middle of the bin. One last bin has the values from 4000 to 8000 mg. Empty
    /// bins do not count. Nil with fewer than three bins.
    public var gradient: Gradient? {
        var counts = [Int](repeating: 0, count: Self.bins + 1)
        for epoch in epochs where epoch.enmoMg >= 0 && epoch.enmoMg < Self.highestBin {
            counts[min(Int(clamping: epoch.enmoMg / Self.binWidth), Self.bins)] += 1
        }
        let bins = counts.indices.filter { counts[$0] > 0 }
        guard bins.count >= 3 else { return nil }
        let lastMiddle = (Self.binWidth * Double(Self.bins) + Self.highestBin) / 2
        let x = bins.map { log($0 == Self.bins ? lastMiddle : (Double($0) + 0.5) * Self.binWidth) }
        let y = bins.map { log(Double(counts[$0]) * EpochMeasures.seconds / 60) }
        GSL.withoutErrorHandler
        var (intercept, slope, residual) = (0.0, 0.0, 0.0)
        var (variance0, covariance, variance1) = (0.0, 0.0, 0.0)
        gsl_fit_linear(
            x, 1, y, 1, x.count, &intercept, &slope, &variance0, &covariance, &variance1, &residual)
        let total = gsl_stats_tss(y, 1, y.count)
        return Gradient(slope: slope, intercept: intercept, rSquared: total > 0 ? 1 - residual / total : 1)
    }

    private static let binWidth = 25.0
    private static let bins = 160
    private static let highestBin = 8000.0
}
