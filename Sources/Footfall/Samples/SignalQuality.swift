/// What an analyzer took and what it could not use.
public struct SignalQuality: Hashable, Sendable {
    /// Samples given, used or not.
    public internal(set) var samples = 0
    /// Samples dropped because they repeat the one before them, time and values.
    public internal(set) var duplicates = 0
    /// Samples dropped because their time lies before that of an earlier sample, or leapt ahead of all the others.
    public internal(set) var backward = 0
    /// Samples dropped because a value is not finite or their time is outside ``Timestamp/supported``.
    public internal(set) var unusable = 0
    /// Time covered by samples, in seconds.
    public internal(set) var coverage = 0.0
    /// Spans without samples between spans with samples.
    public internal(set) var gaps: Int = 0
    /// When the first used sample was taken.
    public internal(set) var start: Timestamp?
    /// When the last used sample was taken.
    public internal(set) var end: Timestamp?

    /// The quality of nothing: no sample yet.
    public init() {}

    /// Seconds from the first used sample to the last one, gaps included.
    public var duration: Double {
        guard let start, let end else { return 0 }
        return end.seconds(since: start)
    }

    /// Samples that were dropped for any reason.
    public var dropped: Int { duplicates + backward + unusable }

    /// Measured rate of the used samples in Hz, gaps not counted; nil when there is too little to measure.
    public var sampleRate: Double? {
        let intervals = samples - dropped - 1 - gaps
        return coverage > 0 && intervals > 0 ? Double(intervals) / coverage : nil
    }
}
