public import Footfall
internal import FootfallReaders
public import Foundation

/// A segment in the history, and the part of it inside a requested range.
public struct RecordedSegment: Hashable, Sendable {
    /// The source.
    public let source: String
    /// The whole segment, including parts outside the requested range.
    public let range: Range<Timestamp>
    /// The part inside the requested range and inside the retention.
    public let clippedRange: Range<Timestamp>
    /// Whether this is the newest segment of its source, so that it may still grow.
    public let isOpen: Bool
    /// The flags that hold for the whole segment.
    public let flags: ActivityFlags
    /// Why the activity is unknown; nil for other activities and for segments recorded without a reason.
    public let reason: UnknownReason?
    /// The halts in the segment, such as red lights, as far as the retention keeps them.
    public let halts: [Range<Timestamp>]
    /// The probability, 0…1, that the activity is right: the mean over the segment, as far as the retention keeps it.
    public let probability: Float
    /// The number of steps in ``clippedRange``.
    public let steps: Int

    /// Whether the segment starts before ``clippedRange``.
    public var isClippedAtStart: Bool { range.lowerBound < clippedRange.lowerBound }
    /// Whether the segment ends after ``clippedRange``.
    public var isClippedAtEnd: Bool { range.upperBound > clippedRange.upperBound }
    /// The activity.
    public var activity: Activity { flags.activity }
    /// ``probability`` in three grades.
    public var confidence: Confidence { Confidence(probability: probability) }
    /// The length of the whole segment in seconds.
    public var duration: TimeInterval { Double(range.nanoseconds) / 1e9 }
    /// The length of ``clippedRange`` in seconds.
    public var clippedDuration: TimeInterval { Double(clippedRange.nanoseconds) / 1e9 }
    /// The whole segment.
    public var interval: DateInterval { DateInterval(range) }
    /// The part inside the requested range.
    public var clippedInterval: DateInterval { DateInterval(clippedRange) }
}

extension Sequence<RecordedSegment> {
    /// The seconds inside a range in which the sensor was not worn.
    public func nonWear(in range: Range<Timestamp>) -> TimeInterval {
        reduce(0) { seconds, segment in
            guard segment.reason == .notWorn, segment.clippedRange.overlaps(range) else { return seconds }
            return seconds + segment.clippedRange.clamped(to: range).seconds
        }
    }

    /// The seconds of each activity inside a range.
    func durations(in range: Range<Timestamp>) -> [Activity: TimeInterval] {
        var nanoseconds: [Activity: Int64] = [:]
        for segment in self {
            nanoseconds[segment.activity, default: 0] += segment.clippedRange.clamped(to: range).nanoseconds
        }
        return nanoseconds.mapValues { Double($0) / 1e9 }
    }
}

/// A condition on segments.
///
/// ```swift
/// try history.activities(in: week, where: .activity(.walking, .running) && .duration(atLeast: 60))
/// ```
public struct SegmentFilter: Sendable {
    private let condition: @Sendable (RecordedSegment) -> Bool

    /// Creates a filter from a condition.
    public init(_ condition: @escaping @Sendable (RecordedSegment) -> Bool) { self.condition = condition }

    /// Whether the filter includes a segment.
    public func includes(_ segment: RecordedSegment) -> Bool { condition(segment) }

    /// Every segment.
    public static let all = SegmentFilter { _ in true }

    /// Segments with one of these activities. A car that halts is `.automotive`, see
    /// ``/Footfall/ActivityFlags/activity``.
    public static func activity(_ activities: Activity...) -> SegmentFilter { activity(activities) }

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
