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
    ///   - epochs: Epochs of one length, in ascending order. Those that are not worn, or start outside the range, do
    ///     not count.
    ///   - range: The time range. For a day, it starts at midnight in the zone of the wearer.
    public init(epochs: some Sequence<EpochMeasures>, in range: Range<Timestamp>) {
        self.range = range
        self.epochs = epochs.filter { $0.isWorn && range.contains($0.start) }
    }

    /// The length of the epochs, in seconds.
    var epochSeconds: Double { epochs.first?.length.seconds ?? EpochMeasures.seconds }

    /// The time of the worn epochs, in minutes.
    public var wornMinutes: Double { Double(epochs.count) * epochSeconds / 60 }

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
        return Double(epochs.count { values.contains($0.value) }) * epochSeconds / 60
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
        let y = bins.map { log(Double(counts[$0]) * epochSeconds / 60) }
        GSL.withoutErrorHandler
        var (intercept, slope, residual) = (0.0, 0.0, 0.0)
        var (variance0, covariance, variance1) = (0.0, 0.0, 0.0)
        gsl_fit_linear(x, 1, y, 1, x.count, &intercept, &slope, &variance0, &covariance, &variance1, &residual)
        let total = gsl_stats_tss(y, 1, y.count)
        return Gradient(slope: slope, intercept: intercept, rSquared: total > 0 ? 1 - residual / total : 1)
    }

    private static let binWidth = 25.0
    private static let bins = 160
    private static let highestBin = 8000.0
}

extension IntensityMeasures {
    /// The share of a window, 0…1, from which worn epochs stand for all of it: 0.9.
    public static let wholeWindowCoverage = 0.9
    /// The share of a window, 0…1, that worn epochs must cover: half.
    public static let leastWindowCoverage = 0.5

    /// A window of a number of hours and its acceleration.
    public struct Window: Hashable, Sendable {
        /// The start of the window.
        public let start: Timestamp
        /// The mean of ENMO, in mg.
        public let meanEnmoMg: Double
        /// The share of the window, 0…1, that worn epochs cover.
        public let coverage: Double
    }

    /// The most active window of a number of hours in a row: M10 with 10 hours.
    ///
    /// - Parameter hours: The length of the window.
    /// - Returns: The earliest window with the highest mean of ENMO that lies in the range, and that worn epochs cover
    ///   by ``leastWindowCoverage``. Below ``wholeWindowCoverage`` its missing epochs count with ``meanEnmoMg`` in the
    ///   comparison. Nil without one, or if a window with less wear is probably more active.
    public func mostActive(hours: Double = 10) -> Window? {
        let (windows, hidden) = windows(hours, missing: meanEnmoMg)
        let most = windows.max { $0.rank < $1.rank }?.window
        return most.flatMap { most in hidden.contains { $0 > most.meanEnmoMg + Self.rounding } ? nil : most }
    }

    /// The least active window of a number of hours in a row: L5 with 5 hours.
    ///
    /// - Parameter hours: The length of the window.
    /// - Returns: The earliest window with the lowest mean of ENMO, if it lies in the range and worn epochs cover it by
    ///   ``leastWindowCoverage``. Below ``wholeWindowCoverage`` its missing epochs count as rest in the comparison. Nil
    ///   without one, or if a window with less wear may be less active.
    public func leastActive(hours: Double = 5) -> Window? {
        let (windows, hidden) = windows(hours, missing: 0)
        let least = windows.min { $0.rank < $1.rank }?.window
        return least.flatMap { least in hidden.contains { $0 < least.meanEnmoMg - Self.rounding } ? nil : least }
    }

    /// The largest error of a mean by rounding, in mg.
    private static let rounding = 1e-6

    /// The windows that start with a worn epoch and have enough wear, each with the mean by which it is compared, and
    /// the means of the windows with less wear, where missing epochs have the ENMO `missing`, in mg. Where wear is
    /// missing, the latter include the whole range. So the M10 of a day is not below its mean, and its L5 not above it.
    private func windows(
        _ hours: Double, missing: Double?
    ) -> (enough: [(window: Window, rank: Double)], hidden: [Double]) {
        let slots = slots(of: epochs.map { ($0.start, $0.enmoMg) })
        guard hours > 0, hours * 3600 <= range.seconds, let meanEnmoMg, let missing else { return ([], []) }
        let length = Int(clamping: hours * 3600 / epochSeconds)
        guard length > 0, length <= slots.count else { return ([], []) }
        let sums = slots.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + ($1 ?? 0)) }
        let counts = slots.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1 == nil ? 0 : 1)) }
        var (enough, hidden): ([(window: Window, rank: Double)], [Double]) = ([], [])
        var isWhole = true
        for first in 0...slots.count - length {
            let (sum, count) = (sums[first + length] - sums[first], counts[first + length] - counts[first])
            let coverage = Double(count) / Double(length)
            let filled = (sum + Double(length - count) * missing) / Double(length)
            isWhole = isWhole && coverage >= Self.wholeWindowCoverage
            if coverage < Self.leastWindowCoverage {
                hidden.append(filled)
            } else if slots[first] != nil {
                let mean = sum / Double(count)
                let window = Window(start: time(of: first), meanEnmoMg: mean, coverage: coverage)
                enough.append((window, coverage >= Self.wholeWindowCoverage ? mean : filled))
            }
        }
        return (enough, isWhole ? [] : hidden + [meanEnmoMg])
    }
}

/// The start of an epoch, and its value of a measure.
typealias EpochValue = (start: Timestamp, value: Double)

extension IntensityMeasures {
    /// The epochs with the values that cut points apply to, in ascending order. The cut points of a study of counts
    /// apply to epochs of its length. Each shorter epoch has the value of the longer one around it, if that is worn as
    /// a whole. Longer epochs have none.
    func values(by cutPoints: IntensityCutPoints) -> [EpochValue] {
        switch cutPoints.metric {
        case .enmo: epochs.map { ($0.start, $0.enmoMg) }
        case .mad: epochs.map { ($0.start, $0.madMg) }
        case .countsY: values(of: counts(seconds: cutPoints.epochSeconds)) { Double($0.y) }
        case .countsVectorMagnitude: values(of: counts(seconds: cutPoints.epochSeconds), \.vectorMagnitude)
        }
    }

    /// The counts of the longer epochs, aligned to the UTC clock, that worn epochs with counts fill.
    private func counts(seconds: Double) -> [(epochs: ArraySlice<EpochMeasures>, counts: ActivityCounts)] {
        let length = Int64(clamping: seconds * 1e9)
        guard seconds.remainder(dividingBy: epochSeconds) == 0 else { return [] }
        let size = Int(clamping: seconds / epochSeconds)
        var (found, first): ([(ArraySlice<EpochMeasures>, ActivityCounts)], Int) = ([], 0)
        while first < epochs.count {
            let number = epochs[first].start.nanosecondsSince1970.flooredQuotientAndRemainder(by: length).quotient
            let end = Timestamp(nanosecondsSince1970: (number + 1) * length)
            let part = epochs[first...].prefix { $0.start < end }
            let counts = part.compactMap(\.counts)
            if counts.count == size { found.append((part, counts.reduce(.zero, +))) }
            first = part.endIndex
        }
        return found
    }

    private func values(
        of longer: [(epochs: ArraySlice<EpochMeasures>, counts: ActivityCounts)], _ value: (ActivityCounts) -> Double
    ) -> [EpochValue] {
        longer.flatMap { part, counts in part.map { ($0.start, value(counts)) } }
    }

    /// The mean counts per minute of the y axis and of the vector magnitude, over the worn minutes of the UTC clock
    /// that have counts; nil without one.
    public var countsPerMinute: (y: Double, vectorMagnitude: Double)? {
        let minutes = counts(seconds: 60)
        guard !minutes.isEmpty else { return nil }
        let count = Double(minutes.count)
        return (
            Double(minutes.reduce(0) { $0 + $1.counts.y }) / count,
            minutes.reduce(0) { $0 + $1.counts.vectorMagnitude } / count
        )
    }

    /// The value of each epoch from the start of the range; nil without a value.
    func slots(of values: [EpochValue]) -> [Double?] {
        var slots = [Double?](repeating: nil, count: Int(clamping: range.seconds / epochSeconds))
        for (start, value) in values {
            let slot = Int(clamping: start.seconds(since: range.lowerBound) / epochSeconds)
            if slot < slots.count { slots[slot] = value }
        }
        return slots
    }

    func time(of slot: Int) -> Timestamp { range.lowerBound.advanced(bySeconds: Double(slot) * epochSeconds) }
}
