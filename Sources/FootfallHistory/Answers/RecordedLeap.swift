public import Footfall

/// A short part at the end of a source, after a long time without samples. Its times may come from a wrong clock, so it
/// does not move the window of the retention.
public struct RecordedLeap: Hashable, Sendable {
    /// From the end of what is before the part to the end of the part.
    public let range: Range<Timestamp>
    /// The start of the part.
    public let start: Timestamp
    /// The end of the time that no answer would count any more if the part moved the window.
    public let limit: Timestamp
    /// The steps before that.
    public let steps: Int
}
