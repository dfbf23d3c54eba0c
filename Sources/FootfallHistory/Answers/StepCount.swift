public import Footfall
public import Foundation

/// The steps of a range, and the time of it that samples cover.
public struct StepCount: Hashable, Sendable {
    /// The requested range: steps at its start count, steps at its end do not.
    public let range: Range<Timestamp>
    /// The number of steps.
    public internal(set) var count: Int
    /// The covered time in nanoseconds. It is exact, so the values of adjacent ranges add up.
    public let coveredNanoseconds: Int64
    /// Whether the retention removed something from the range.
    ///
    /// A range that starts before the first recording is not truncated: its beginning is only uncovered.
    public let isTruncated: Bool

    /// The covered time in seconds. Without coverage, the number of steps is unknown, not zero.
    public var coverage: TimeInterval { Double(coveredNanoseconds) / 1e9 }

    /// The requested range.
    public var interval: DateInterval { DateInterval(range) }
}
