internal import Footfall

extension Evaluation {
    /// A range of cadences, lengths or rates by which recordings are grouped.
    public struct Band: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// The lower end.
        public let lower: Double
        /// The upper end, which does not belong to the range; infinite for the last one.
        public let upper: Double

        /// The bands of mean true cadence, in steps a minute.
        public static let cadences = bands(at: [60, 80, 100, 120])
        /// The bands of the longest walk, in seconds.
        public static let lengths = bands(at: [10, 30, 60, 180])
        /// The bands of the sample rate, in Hz: their limits lie between the usual rates.
        public static let rates = bands(at: [20, 35, 75, 150])

        private static func bands(at limits: [Double]) -> [Band] {
            zip([0] + limits, limits + [.infinity]).map { Band(lower: $0, upper: $1) }
        }

        /// The band of a number; nil without one.
        static func band(of number: Double?, in bands: [Band]) -> Band? {
            number.flatMap { number in bands.first { ($0.lower..<$0.upper).contains(number) } }
        }

        /// The range, such as `60 to 80`.
        public var description: String {
            if lower == 0 { return "below \(Int(clamping: upper))" }
            return upper.isFinite
                ? "\(Int(clamping: lower)) to \(Int(clamping: upper))" : "\(Int(clamping: lower)) and more"
        }

        /// Orders bands by their lower ends.
        public static func < (left: Band, right: Band) -> Bool { left.lower < right.lower }
    }

    /// The longest walk of step times: the seconds from the first to the last of steps at most ``longestPause`` apart.
    static func longestWalk(_ times: [Double]) -> Double {
        var (start, longest) = (times.first ?? 0, 0.0)
        for (time, next) in zip(times, times.dropFirst()) {
            if next - time > longestPause { start = next }
            longest = max(longest, next - start)
        }
        return longest
    }

    /// The longest time in seconds between two steps of one walk.
    static let longestPause = 3.0
}
