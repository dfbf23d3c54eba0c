public import Footfall
internal import FootfallReaders
public import Foundation

/// Totals of a range, such as a day.
public struct MotionSummary: Hashable, Sendable {
    /// Steps and coverage.
    public let steps: StepCount
    /// The seconds of each activity that occurs. They add up to the coverage.
    public let durations: [Activity: TimeInterval]
    /// The seconds in which the sensor was not worn, a part of those of `unknown`.
    public var nonWear: TimeInterval { segments.nonWear(in: range) }
    /// The longest bout; nil without steps.
    public let longestBout: Bout?
    /// Steps per minute of the walking segments; nil without walking.
    public let walkingCadence: Double?
    /// The segments of the range, in the order of time.
    public let segments: [RecordedSegment]

    /// The requested range.
    public var range: Range<Timestamp> { steps.range }
    /// The requested range.
    public var interval: DateInterval { steps.interval }
}

extension Bout {
    /// From the first step to the last one.
    public var interval: DateInterval { DateInterval(range) }
}
