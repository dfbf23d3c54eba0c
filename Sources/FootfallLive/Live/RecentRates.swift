internal import Footfall

/// The sample rate over the last seconds.
struct RecentSampleRate {
    /// The number of whole seconds that are averaged.
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

    /// Samples per second over the whole seconds that have samples; nil when there is none. The first and the last
    /// second are incomplete.
    var hertz: Double? {
        let whole = counts.dropFirst().dropLast()
        return whole.isEmpty ? nil : Double(whole.reduce(0) { $0 + $1.count }) / Double(whole.count)
    }
}

/// The cadence of the last steps.
struct RecentCadence {
    /// The number of steps that are averaged.
    private static let window = 8
    /// There is no cadence so many seconds after the last step.
    private static let longestPause = 3.0

    private var times: [Timestamp] = []

    mutating func add(_ time: Timestamp) {
        if let last = times.last, Self.isPause(from: last, to: time) { times.removeAll(keepingCapacity: true) }
        if times.count == Self.window { times.removeFirst() }
        times.append(time)
    }

    /// The cadence at a time; nil during a pause.
    func stepsPerMinute(at time: Timestamp) -> Double? {
        guard let first = times.first, let last = times.last, last > first, !Self.isPause(from: last, to: time)
        else { return nil }
        return 60 * Double(times.count - 1) / last.seconds(since: first)
    }

    private static func isPause(from last: Timestamp, to time: Timestamp) -> Bool {
        time.seconds(since: last) > longestPause
    }
}
