public import Footfall
internal import FootfallReaders
public import Foundation

/// The steps of a range, and the time of it that samples cover.
public struct StepCount: Codable, Hashable, Sendable {
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

extension StepCount: CustomStringConvertible {
    /// Such as `566 steps from 2026-11-20T00:00:00.000Z to 2026-11-21T00:00:00.000Z (540.0 s covered)`.
    public var description: String {
        let steps = count == 1 ? "1 step" : "\(count) steps"
        let covered = (coverage * 10).rounded() / 10
        return "\(steps) from \(range.lowerBound) to \(range.upperBound) (\(covered) s covered)"
    }
}
