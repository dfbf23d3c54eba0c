/// Estimates the times of readings without a device time from the rate at which they arrive.
///
/// Readings arrive in bursts. The end of a burst follows the arrivals slowly, so that the jitter of the bus does not
/// become jitter of the times. This is the delay-locked loop of F. Adriaensen, "Using a DLL to filter time" (2005). A
/// rate that is counted over half a minute replaces its second integrator.
struct ArrivalSmoother: Sendable {
    /// The seconds over which the rate is counted.
    private static let window = 30
    /// The nanoseconds and the number of readings that an estimate of the rate needs.
    private static let leastSpan: Int64 = 2_000_000_000
    private static let leastCount = 10
    /// The longest time in nanoseconds until the format of the first readings is recognized.
    private static let longestStart: Int64 = 5_000_000_000
    /// A burst whose arrival differs by more nanoseconds from the prediction ends at its arrival.
    private static let tolerance: Int64 = 250_000_000
    /// Each arrival corrects the prediction by the error divided by this.
    private static let damping: Int64 = 16

    /// The number of readings at the start of each second.
    private var seconds: [(arrival: Int64, count: Int)] = []
    private var count = 0
    private var lastArrival: Int64?
    /// Nanoseconds between two readings.
    private var period: Int64?

    /// Ends the count of the current second. The next arrival starts a new one.
    mutating func pause() {
        seconds.removeAll(keepingCapacity: true)
        lastArrival = nil
    }

    /// Counts readings that arrived together.
    mutating func add(_ newCount: Int, _ arrival: Int64) {
        if let lastArrival, arrival - lastArrival > Self.leastSpan || arrival < lastArrival { pause() }
        lastArrival = arrival
        count &+= newCount
        guard let first = seconds.first, let last = seconds.last else {
            seconds.append((arrival, count))
            return
        }
        let (span, arrived) = (arrival - first.arrival, count &- first.count)
        if span >= Self.leastSpan, arrived >= Self.leastCount { period = span / Int64(arrived) }
        guard arrival - last.arrival >= 1_000_000_000 else { return }
        if seconds.count == Self.window { seconds.removeFirst() }
        seconds.append((arrival, count))
    }

    /// The times of `count` readings that arrived together, none before `last`, the newest time returned so far.
    func times(_ count: Int, after last: Int64?, until arrival: Int64) -> [Int64] {
        guard let last, arrival > last else {
            // There is no time to distribute. The analyzer spreads equal times up to the next time.
            return Array(repeating: max(last ?? arrival, arrival), count: count)
        }
        guard let period else {
            return Self.even(count, from: arrival - last > Self.longestStart ? arrival : last, to: arrival)
        }
        let predicted = last + Int64(count) * period
        let error = arrival - predicted
        if error > Self.tolerance {
            // Readings are missing: there is a hole before the burst.
            return Self.even(count, from: arrival - Int64(count) * period, to: arrival)
        }
        let end = error < -Self.tolerance ? arrival : predicted + error / Self.damping
        return Self.even(count, from: last, to: max(end, last + Int64(count) * period / 2))
    }

    /// `count` times at equal distances after `start`, the last one at `end`.
    private static func even(_ count: Int, from start: Int64, to end: Int64) -> [Int64] {
        (1...Int64(max(count, 1))).map { start + (end - start) / Int64(count) * $0 }
    }
}
