public import Foundation

/// What was ever recorded of a source. Neither number ever falls while the source exists.
public struct RecordedTotal: Hashable, Sendable {
    /// The number of steps.
    public let steps: Int
    /// The covered time in seconds.
    public let coverage: TimeInterval
}
