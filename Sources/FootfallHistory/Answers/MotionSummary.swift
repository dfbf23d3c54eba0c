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
    /// The pace from step to step within the bouts of walking segments.
    package let walking: Pace
    /// Steps per minute from step to step within the bouts of walking segments; nil without two such steps. The pauses
    /// of a walking segment, and its parts before the first step and after the last one, do not count.
    public var walkingCadence: Double? { walking.cadence }
    /// The segments of the range, in the order of time.
    public let segments: [RecordedSegment]

    /// The requested range.
    public var range: Range<Timestamp> { steps.range }
    /// The requested range.
    public var interval: DateInterval { steps.interval }
}

/// The intervals from step to step, which add up over ranges.
package struct Pace: Hashable, Sendable {
    package private(set) var intervals = 0
    package private(set) var seconds = 0.0

    package init() {}

    package mutating func add(_ interval: Double) {
        intervals += 1
        seconds += interval
    }

    package mutating func add(_ other: Pace) {
        intervals += other.intervals
        seconds += other.seconds
    }

    /// Steps per minute; nil without an interval.
    package var cadence: Double? { seconds > 0 ? Double(intervals) / seconds * 60 : nil }

    /// The intervals, of at most `gap` seconds, between steps of one walking segment. Both are in the order of time.
    init(from stepTimes: [Timestamp], in segments: [RecordedSegment], gap: Double) {
        var walks = segments.filter { $0.activity == .walking }.map(\.clippedRange)[...]
        for (step, next) in zip(stepTimes, stepTimes.dropFirst()) {
            walks = walks.drop { $0.upperBound <= step }
            let interval = next.seconds(since: step)
            if let walk = walks.first, walk.contains(step), walk.contains(next), interval <= gap { add(interval) }
        }
    }
}

extension [Bout] {
    /// Adds a step, in the order of time, to the last bout or, after more than `gap` seconds, to a new one.
    package mutating func add(_ time: Timestamp, gap: TimeInterval = Bout.defaultGap) {
        if let last, time.seconds(since: last.range.upperBound) <= gap {
            self[count - 1] = Bout(range: last.range.lowerBound..<time, steps: last.steps + 1)
        } else {
            append(Bout(range: time..<time, steps: 1))
        }
    }
}

extension Bout {
    /// From the first step to the last one.
    public var interval: DateInterval { DateInterval(range) }
}
