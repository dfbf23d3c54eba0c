/// Spreads readings that have no time of their own, by the rate at which they have been arriving.
///
/// A burst ends where it arrived, more or less: its end follows the arrivals slowly, so that the unrest of a bus does not become
/// an unrest of the times. It is the delay-locked loop of F. Adriaensen, "Using a DLL to filter time" (2005), with the
/// rate from a count over half a minute in the place of its second integrator.
struct ArrivalSpreader: Sendable {
    /// Seconds over which the rate is counted.
    private static let window = 30
    /// How long, in nanoseconds, readings must have been arriving before their rate is known.
    private static let leastSpan: Int64 = 2_000_000_000
    /// How long, in nanoseconds, it may take until the first readings are understood.
    private static let longestStart: Int64 = 5_000_000_000
    /// How many readings must have arrived by then.
    private static let leastCount = 10
    /// How far, in nanoseconds, arrivals may stray from what the rate predicts before they are believed instead.
    private static let tolerance: Int64 = 250_000_000
    /// The part of that error by which each arrival corrects the prediction.
    private static let gain: Int64 = 16

    /// How many readings had arrived at the start of each second.
    private var seconds: [(arrival: Int64, count: Int)] = []
    private var count = 0
    private var lastArrival: Int64?
    /// Nanoseconds from one reading to the next, once that is known.
    private var period: Int64?

    /// Takes note that the connection is lost: what arrives next says nothing about the rate.
    mutating func pause() {
        seconds.removeAll(keepingCapacity: true)
        lastArrival = nil
    }

    /// Takes note that `newCount` readings arrived.
    mutating func learn(_ newCount: Int, _ arrival: Int64) {
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

    /// Times of `count` readings that arrived together, none before `last`, the newest time given out.
    func spread(_ count: Int, after last: Int64?, until arrival: Int64) -> [Int64] {
        guard let last, arrival > last else {
            // Nothing to go by, or nowhere to go: as one burst, which the analyzer spreads up to the next time.
            return Array(repeating: max(last ?? arrival, arrival), count: count)
        }
        guard let period else {
            return Self.even(count, from: arrival - last > Self.longestStart ? arrival : last, to: arrival)
        }
        let predicted = last + Int64(count) * period
        let error = arrival - predicted
        if error > Self.tolerance {
            // Readings were lost, or there were none: the burst ends on arrival, with a hole before it.
            return Self.even(count, from: arrival - Int64(count) * period, to: arrival)
        }
        let end = error < -Self.tolerance ? arrival : predicted + error / Self.gain
        return Self.even(count, from: last, to: max(end, last + Int64(count) * period / 2))
    }

    /// `count` times at equal distances, the last one at `end`, the one before the first at `start`.
    private static func even(_ count: Int, from start: Int64, to end: Int64) -> [Int64] {
        (1...Int64(max(count, 1))).map { start + (end - start) / Int64(count) * $0 }
    }
}
