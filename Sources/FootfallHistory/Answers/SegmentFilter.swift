public import Footfall
public import Foundation

/// A condition on segments.
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

    /// Whether the filter includes a segment.
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

    /// Segments in which all these flags hold throughout.
    public static func flags(_ flags: ActivityFlags) -> SegmentFilter {
        SegmentFilter { $0.flags.isSuperset(of: flags) }
    }

    /// Segments with at least this confidence.
    public static func confidence(atLeast confidence: Confidence) -> SegmentFilter {
        SegmentFilter { $0.confidence >= confidence }
    }

    /// Segments whose whole length is at least this many seconds, also if the requested range clips them.
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
