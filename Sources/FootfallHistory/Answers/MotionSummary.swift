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

/// Consecutive steps without a break longer than the bout gap.
public struct Bout: Hashable, Sendable {
    /// The bout gap by default, in seconds.
    public static let defaultGap: TimeInterval = 10

    /// From the first step to the last one.
    public let range: Range<Timestamp>
    /// The number of steps, including the last one.
    public let steps: Int

    /// The time from the first step to the last one, in seconds.
    public var duration: TimeInterval { range.seconds }
    /// Steps per minute from the first step to the last one; nil for a single step.
    public var cadence: Double? { duration > 0 ? Double(steps - 1) / duration * 60 : nil }
    /// From the first step to the last one.
    public var interval: DateInterval { DateInterval(range) }
}
