internal import Footfall

/// Tests whether the times of rows can be those of samples.
struct RowRate {
    private let times: [Timestamp?]

    /// The highest rate in Hz. The fastest motion sensors take about 7000 samples a second.
    static let highest = 10_000.0
    private static let fewest = 16

    init(_ times: [Timestamp?]) {
        self.times = times
    }

    /// The refusal of numbers that are no times; nil where they may be.
    func refusal(_ base: CSVTimeBase, _ options: TableOptions) -> Refusal? {
        guard base.column != nil, options.timeUnit == nil, options.columns == nil else { return nil }
        let known = times.compactMap(\.self)
        guard known.count >= Self.fewest, let first = known.min(), let last = known.max() else { return nil }
        let rate = Double(known.count - 1) / last.seconds(since: first)
        guard rate > Self.highest, rate.isFinite else { return nil }
        return Refusal(
            "no sensor takes \(Int(clamping: rate.rounded())) samples a second, so the column of times is none",
            remedy: "name the columns with \(.columns()), or give the unit of the times with \(.timeUnit())")
    }
}
