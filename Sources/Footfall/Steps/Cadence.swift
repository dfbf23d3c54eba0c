/// The step rate at a moment.
public struct Cadence: Hashable, Sendable {
    /// The time of a step.
    public var time: Timestamp
    /// The steps of both feet per minute.
    public var stepsPerMinute: Double

    /// Creates a cadence.
    public init(time: Timestamp, stepsPerMinute: Double) {
        self.time = time
        self.stepsPerMinute = stepsPerMinute
    }
}

extension Sequence<Step> {
    /// The cadence at each step, from the intervals between the steps around it.
    ///
    /// ```swift
    /// for cadence in steps.cadences() { plot(cadence.time, cadence.stepsPerMinute) }
    /// ```
    ///
    /// It is the mean of the intervals within the window, without those far from their median. So a missed or a falsely
    /// added step has no effect, while the alternating long and short steps of a limp give their mean. An interval
    /// longer than ``Step/longestInterval`` separates two walks. A step without a neighbor has no cadence.
    ///
    /// - Parameter window: The length of the window in seconds, centerd on the step.
    /// - Returns: One cadence for each step that has a neighbor, in order of time.
    /// - Precondition: The steps are in order of time, as an analyzer and a history return them.
    /// - Complexity: Linear in the number of steps times the steps in a window.
    public func cadences(over window: Double = 6) -> [Cadence] {
        let times = map(\.time)
        let intervals = zip(times.dropFirst(), times).map { $0.seconds(since: $1) }
        return times.indices.compactMap { index in
            // Outwards from the step, to the end of the bout or of the window.
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

    /// The interval next to a step whose window contains none: the one after it, or before the last step of a bout.
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
    /// The longest interval between two steps of one walk, in seconds. A walk has at least 30 steps a minute.
    public static let longestInterval = 2.0

    /// The range of usual intervals, as factors of the median. A missed step doubles an interval, a falsely added one
    /// halves it, and the legs of a person with a limp differ by less.
    private static let usual = 0.6...1.6

    fileprivate static func usualInterval(_ intervals: ArraySlice<Double>) -> Double? {
        guard let median = intervals.upperMedian() else { return nil }
        let kept = intervals.sorted().filter { usual.contains($0 / median) }
        return kept.reduce(0, +) / Double(kept.count)
    }
}
