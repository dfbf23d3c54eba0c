public import Foundation

/// The totals of all recordings of a source. They never fall while the source exists.
public struct RecordedTotal: Hashable, Sendable {
    /// The number of steps.
    public let steps: Int
    /// The covered time in seconds.
    public let coverage: TimeInterval
}
