public import Footfall
public import Foundation

/// The steps of a range, and how much of the range is known at all.
public struct StepCount: Hashable, Sendable {
    /// The range asked about: steps at its start belong to it, steps at its end do not.
    public let range: Range<Timestamp>
    /// The number of steps.
    public let count: Int
    /// The time covered by segments, in nanoseconds: exact, so that neighbouring ranges add up.
    public let coveredNanoseconds: Int64
    /// Whether the range begins before the moment from which on the history still remembers its source.
    ///
    /// True only when something recorded before that moment has been forgotten for its age. A range that begins before
    /// the first recording is not truncated: nothing is missing from it, it is just not covered.
    public let isTruncated: Bool

    /// The time covered by segments, in seconds: no coverage means that nothing is known, not that nobody walked.
    public var coverage: TimeInterval { Double(coveredNanoseconds) / 1e9 }

    /// The range asked about.
    public var interval: DateInterval { DateInterval(range) }
}
