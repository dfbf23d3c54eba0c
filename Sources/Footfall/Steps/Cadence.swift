/// The rhythm of the feet at a moment.
public struct Cadence: Hashable, Sendable {
    /// The moment: that of a step.
    public var time: Timestamp
    /// How many steps a minute both feet together take.
    public var stepsPerMinute: Double

    /// Creates a cadence.
    public init(time: Timestamp, stepsPerMinute: Double) {
        self.time = time
        self.stepsPerMinute = stepsPerMinute
    }
}

extension Sequence<Step> {
    /// The cadence at each step, from the times between the steps around it.
    ///
    /// ```swift
    /// for cadence in steps.cadences() { plot(cadence.time, cadence.stepsPerMinute) }
    /// ```
    ///
    /// It is the mean of the intervals within the window, without those that are far from their median: a step that was
    /// missed or counted twice changes nothing, while a limp, whose steps are long and short in turns, comes out right.
    /// Nobody walks across an interval of more than ``Step/longestInterval``; a step without a neighbour has no cadence.
    ///
    /// - Parameter window: The seconds of walking that one value is drawn from, centred on its step.
    /// - Returns: One cadence for each step that has a neighbour, in the order of time.
    /// - Precondition: The steps are in the order of time, as an analyzer and a history give them.
    /// - Complexity: Linear in the number of steps times the steps in a window.
    public func cadences(over window: Double = 6) -> [Cadence] {
        let times = map(\.time)
        let intervals = zip(times.dropFirst(), times).map { $0.seconds(since: $1) }
        return times.indices.compactMap { index in
            // Outwards from the step, as far as the bout and the window reach.
            var (first, end) = (index, index)
            func isNear(_ interval: Int, _ other: Timestamp) -> Bool {
                intervals[interval] > 0 && intervals[interval] <= Step.longestInterval
                    && abs(other.seconds(since: times[index])) <= window / 2
            }
            while first > 0, isNear(first - 1, times[first - 1]) { first -= 1 }
            while end < intervals.count, isNear(end, times[end + 1]) { end += 1 }
            if first == end { (first, end) = nearest(index, intervals) }
            return Step.usualInterval(intervals[first..<end])
                .map { Cadence(time: times[index], stepsPerMinute: 60 / $0) }
        }
    }

    /// The interval beside a step where the window holds none: after it, or before the last step of a bout.
    private func nearest(_ index: Int, _ intervals: [Double]) -> (Int, Int) {
        func isInBout(_ interval: Int) -> Bool {
            intervals.indices.contains(interval) && intervals[interval] > 0
                && intervals[interval] <= Step.longestInterval
        }
        if isInBout(index) { return (index, index + 1) }
        return isInBout(index - 1) ? (index - 1, index) : (index, index)
    }
}

extension Step {
    /// Steps further apart than this, in seconds, are of two walks: 30 steps a minute is slower than anyone walks.
    public static let longestInterval = 2.0

    /// Intervals further than this from the median, as factors, are of a missed or of an invented step: a missed one
    /// doubles an interval, an invented one halves it, and the legs of a person with a limp differ by less.
    private static let usual = 0.6...1.6

    fileprivate static func usualInterval(_ intervals: ArraySlice<Double>) -> Double? {
        guard !intervals.isEmpty else { return nil }
        let sorted = intervals.sorted()
        let median = sorted[sorted.count / 2]
        let kept = sorted.filter { usual.contains($0 / median) }
        return kept.reduce(0, +) / Double(kept.count)
    }
}
