public import Footfall

extension IntensityMeasures {
    /// The share of a window, 0…1, that worn epochs must cover: 0.9.
    public static let leastWindowCoverage = 0.9

    /// A window of a number of hours and its acceleration.
    public struct Window: Hashable, Sendable {
        /// The start of the window.
        public let start: Timestamp
        /// The mean of ENMO, in mg.
        public let meanEnmoMg: Double
    }

    /// The most active window of a number of hours in a row: M10 with 10 hours.
    ///
    /// - Parameter hours: The length of the window.
    /// - Returns: The earliest window with the highest mean of ENMO that lies in the range, and that worn epochs cover
    ///   by ``leastWindowCoverage``. Nil without one, or if a window with less wear is probably more active. Its
    ///   missing epochs then count with ``meanEnmoMg``.
    public func mostActive(hours: Double = 10) -> Window? {
        let windows = windows(hours, missing: meanEnmoMg)
        let most = windows.covered.max { $0.meanEnmoMg < $1.meanEnmoMg }
        return most.flatMap { most in windows.others.contains { $0 > most.meanEnmoMg + Self.rounding } ? nil : most }
    }

    /// The least active window of a number of hours in a row: L5 with 5 hours.
    ///
    /// - Parameter hours: The length of the window.
    /// - Returns: The earliest window with the lowest mean of ENMO, if it lies in the range and worn epochs cover it by
    ///   ``leastWindowCoverage``. Nil without one, or if a window with less wear may be less active. Its missing epochs
    ///   then count as rest.
    public func leastActive(hours: Double = 5) -> Window? {
        let windows = windows(hours, missing: 0)
        let least = windows.covered.min { $0.meanEnmoMg < $1.meanEnmoMg }
        return least.flatMap { least in windows.others.contains { $0 < least.meanEnmoMg - Self.rounding } ? nil : least
        }
    }

    /// The largest error of a mean by rounding, in mg.
    private static let rounding = 1e-6

    /// The windows that start with a worn epoch and that worn epochs cover, and the means of all others.
    ///
    /// The others include the whole range. So if a day misses windows, its M10 is not below its mean, and its L5 not
    /// above it.
    ///
    /// - Parameter missing: ENMO of the missing epochs of the others, in mg.
    private func windows(_ hours: Double, missing: Double?) -> (covered: [Window], others: [Double]) {
        let slots = slots(of: epochs.map { ($0.start, $0.enmoMg) })
        guard hours > 0, hours * 3600 <= range.seconds, let meanEnmoMg, let missing else { return ([], []) }
        let length = Int(clamping: hours * 3600 / EpochMeasures.seconds)
        guard length > 0, length <= slots.count else { return ([], []) }
        let sums = slots.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + ($1 ?? 0)) }
        let counts = slots.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1 == nil ? 0 : 1)) }
        var (covered, others): ([Window], [Double]) = ([], [])
        for first in 0...slots.count - length {
            let (sum, count) = (sums[first + length] - sums[first], counts[first + length] - counts[first])
            if Double(count) < Self.leastWindowCoverage * Double(length) {
                others.append((sum + Double(length - count) * missing) / Double(length))
            } else if slots[first] != nil {
                covered.append(Window(start: time(of: first), meanEnmoMg: sum / Double(count)))
            }
        }
        return (covered, others.isEmpty ? [] : others + [meanEnmoMg])
    }
}
