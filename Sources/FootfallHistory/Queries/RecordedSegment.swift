public import Footfall
public import Foundation

/// A stretch of one activity as the history knows it, and the part of it that lies in the range asked about.
public struct RecordedSegment: Hashable, Sendable {
    /// Whose activity it was.
    public let source: String
    /// The whole stretch, also where it reaches out of the range asked about.
    public let range: Range<Timestamp>
    /// The part in the range asked about, and not forgotten.
    public let clippedRange: Range<Timestamp>
    /// Whether the stretch is the newest of its source, and so may still go on.
    public let isOpen: Bool
    /// What held during all of it.
    public let flags: ActivityFlags
    /// Why the activity is unknown; nil where it is not, or where nobody said.
    public let reason: UnknownReason?
    /// The parts of the whole stretch that were halts, such as red lights, as far as they are not forgotten.
    public let halts: [Range<Timestamp>]
    /// The probability, 0…1, that the activity is right: the mean over the whole stretch, as far as it is not forgotten.
    public let probability: Float
    /// The number of steps in ``clippedRange``.
    public let steps: Int

    /// Whether the stretch begins before ``clippedRange``.
    public var isClippedAtStart: Bool { range.lowerBound < clippedRange.lowerBound }
    /// Whether the stretch ends after ``clippedRange``.
    public var isClippedAtEnd: Bool { range.upperBound > clippedRange.upperBound }
    /// The activity in one word.
    public var activity: Activity { flags.activity }
    /// ``probability`` in three grades.
    public var confidence: Confidence { Confidence(probability: probability) }
    /// The length of the whole stretch in seconds.
    public var duration: TimeInterval { Double(range.nanoseconds) / 1e9 }
    /// The length of the clipped part in seconds.
    public var clippedDuration: TimeInterval { Double(clippedRange.nanoseconds) / 1e9 }
    /// The whole stretch.
    public var interval: DateInterval { DateInterval(range) }
    /// The part in the range asked about.
    public var clippedInterval: DateInterval { DateInterval(clippedRange) }
}

/// Which segments to return.
///
/// ```swift
/// try history.activities(in: week, where: .activity(.walking, .running) && .duration(atLeast: 60))
/// ```
public struct SegmentFilter: Sendable {
    private let condition: @Sendable (RecordedSegment) -> Bool

    /// Creates a filter from a condition.
    public init(_ condition: @escaping @Sendable (RecordedSegment) -> Bool) {
        self.condition = condition
    }

    /// Whether a segment is to be returned.
    public func includes(_ segment: RecordedSegment) -> Bool { condition(segment) }

    /// Every segment.
    public static let all = SegmentFilter { _ in true }

    /// Segments with one of these activities. A car that halts is `.automotive`, see
    /// ``/Footfall/ActivityFlags/activity``.
    public static func activity(_ activities: Activity...) -> SegmentFilter {
        activity(activities)
    }

    /// Segments with one of these activities.
    public static func activity(_ activities: some Sequence<Activity>) -> SegmentFilter {
        let activities = Set(activities)
        return SegmentFilter { activities.contains($0.activity) }
    }

    /// Segments during all of which all these flags hold.
    public static func flags(_ flags: ActivityFlags) -> SegmentFilter {
        SegmentFilter { $0.flags.isSuperset(of: flags) }
    }

    /// Segments that can be relied on at least so far.
    public static func confidence(atLeast confidence: Confidence) -> SegmentFilter {
        SegmentFilter { $0.confidence >= confidence }
    }

    /// Segments that last at least so many seconds as a whole, wherever the range asked about cuts them.
    public static func duration(atLeast seconds: TimeInterval) -> SegmentFilter {
        SegmentFilter { $0.duration >= seconds }
    }

    /// Segments that both filters include.
    public static func && (left: SegmentFilter, right: SegmentFilter) -> SegmentFilter {
        SegmentFilter { left.includes($0) && right.includes($0) }
    }

    /// Segments that at least one filter includes.
    public static func || (left: SegmentFilter, right: SegmentFilter) -> SegmentFilter {
        SegmentFilter { left.includes($0) || right.includes($0) }
    }

    /// Segments that a filter does not include.
    public static prefix func ! (filter: SegmentFilter) -> SegmentFilter {
        SegmentFilter { !filter.includes($0) }
    }
}
