internal import Footfall

/// How many samples a second have been coming of late.
struct RecentRate {
    /// Whole seconds that are averaged.
    private static let window = 5

    private var counts: [(second: Int64, count: Int)] = []

    mutating func add(_ times: [Timestamp]) {
        for time in times {
            let second = time.nanosecondsSince1970 / 1_000_000_000
            if counts.last?.second == second {
                counts[counts.count - 1].count += 1
            } else {
                if counts.count > Self.window { counts.removeFirst() }
                counts.append((second, 1))
            }
        }
    }

    /// Samples per second, over the last whole seconds with samples; nil when there are none yet.
    ///
    /// The first second is left out as well: it began before the samples did.
    var hertz: Double? {
        let whole = counts.dropFirst().dropLast()
        guard !whole.isEmpty else { return nil }
        return Double(whole.reduce(0) { $0 + $1.count }) / Double(whole.count)
    }
}

/// At what cadence the last steps came.
struct RecentPace {
    /// Steps that are averaged.
    private static let window = 8
    /// How long after the last step someone is no longer stepping.
    static let patience = Duration.seconds(3)

    private var times: [Timestamp] = []

    mutating func add(_ time: Timestamp) {
        if let last = times.last, time.seconds(since: last) > Self.patience / .seconds(1) {
            times.removeAll(keepingCapacity: true)
        }
        if times.count == Self.window { times.removeFirst() }
        times.append(time)
    }

    /// Steps per minute at a moment; nil when the last step lies too far back.
    func cadence(at moment: Timestamp) -> Double? {
        guard let first = times.first, let last = times.last, last > first,
            moment.seconds(since: last) <= Self.patience / .seconds(1)
        else { return nil }
        return 60 * Double(times.count - 1) / last.seconds(since: first)
    }
}
