/// Counts of the samples that an analyzer received and of those that it could not use.
public struct SignalQuality: Hashable, Sendable {
    /// Samples received, used or not.
    public internal(set) var samples = 0
    /// Samples dropped because they repeat the time and the values of the sample before.
    public internal(set) var duplicates = 0
    /// Samples dropped because their time steps back, or jumps ahead of all other samples.
    public internal(set) var backward = 0
    /// Samples dropped because their time leaps ahead by more than seven days, with less than a minute of samples
    /// behind the leap.
    public internal(set) var leaping = 0
    /// Samples dropped because a value is not finite or beyond 4 · 10⁹ g, or their time is outside
    /// ``Timestamp/supported``.
    public internal(set) var unusable = 0
    /// Isolated samples that no motion of a body can make, such as those of a broken wire. They are dropped.
    public internal(set) var impulses = 0
    /// Time covered by samples, in seconds.
    public internal(set) var coverage = 0.0
    /// The number of spans without samples between spans with samples.
    public internal(set) var gaps = 0
    /// When the first used sample was taken.
    public internal(set) var start: Timestamp?
    /// When the last used sample was taken.
    public internal(set) var end: Timestamp?

    /// Creates the quality before the first sample.
    public init() {}

    /// Seconds from the first used sample to the last one, gaps included.
    public var duration: Double {
        guard let start, let end else { return 0 }
        return end.seconds(since: start)
    }

    /// Samples dropped for any reason.
    public var dropped: Int { duplicates + backward + leaping + unusable + impulses }

    /// The samples of signals before this one that ``dropped`` has and ``samples`` has not, without impulses.
    private var earlierLosses = 0

    /// Adds the dropped samples of a signal before this one.
    package mutating func addLosses(of earlier: SignalQuality) {
        earlierLosses += earlier.dropped - earlier.impulses
        duplicates += earlier.duplicates
        backward += earlier.backward
        leaping += earlier.leaping
        unusable += earlier.unusable
        impulses += earlier.impulses
    }

    /// The measured rate of the used samples and impulses in Hz, without gaps; nil for fewer than two samples.
    public var sampleRate: Double? {
        // An impulse was measured like any other sample.
        let intervals = samples - dropped + earlierLosses + impulses - 1 - gaps
        return coverage > 0 && intervals > 0 ? Double(intervals) / coverage : nil
    }
}

/// Counts the samples of each second and measures the sample rate of the device.
struct RateMeter: Sendable {
    /// Seconds are removed in groups of at least this many.
    private static let fewestRemoved = 60

    private var firstSecond: Int64
    private var counts: [Int] = []

    init(firstSecond: Int64) { self.firstSecond = firstSecond }

    /// Counts samples of a second. Seconds must not decrease from call to call.
    mutating func count(_ samples: Int = 1, at second: Int64) {
        let index = Int(max(second - firstSecond, 0))
        while counts.count <= index { counts.append(0) }
        counts[index] += samples
    }

    /// Removes the seconds before `second`, once there are enough of them.
    mutating func removeSeconds(before second: Int64) {
        guard second - firstSecond >= Self.fewestRemoved else { return }
        counts.removeFirst(min(Int(second - firstSecond), counts.count))
        firstSecond = second
    }

    /// The sample rate around a second in Hz: the mean over the seconds up to `reach` away. The first and the last
    /// second of the window are left out, because they may be incomplete.
    func rate(around second: Int64, reach: Int64 = 2) -> Float {
        let near = max(second - reach - firstSecond, 0)...max(second + reach - firstSecond, 0)
        let window = counts.indices.clamped(to: Int(near.lowerBound)..<Int(near.upperBound) + 1)
        let whole = window.count > 2 ? window.dropFirst().dropLast() : window
        guard !whole.isEmpty else { return 0 }
        return Float(whole.reduce(0) { $0 + counts[$1] }) / Float(whole.count)
    }
}
