public import Footfall
internal import FootfallReaders
internal import FootfallTables
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
}

/// The intervals from step to step, which add up over ranges.
package struct Pace: Hashable, Sendable {
    package private(set) var intervals = 0
    package private(set) var seconds = 0.0

    package init() {}

    /// Adds the steps of a bout.
    mutating func add(_ bout: Bout) {
        intervals += bout.steps - 1
        seconds += bout.duration
    }

    package mutating func add(_ other: Pace) {
        intervals += other.intervals
        seconds += other.seconds
    }

    /// Steps per minute; nil without an interval.
    package var cadence: Double? { seconds > 0 ? Double(intervals) / seconds * 60 : nil }
}

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
        let covered = (coverage * 10).rounded() / 10
        return "\(NumberText.steps(count)) from \(range.lowerBound) to \(range.upperBound) (\(covered) s covered)"
    }
}

/// The parts of a range that samples cover.
public struct Coverage: Hashable, Sendable {
    /// The requested range.
    public let range: Range<Timestamp>
    /// The covered parts, in the order of time. They do not touch each other.
    public let covered: [Range<Timestamp>]
    /// Whether the retention removed something from the range, see ``StepCount/isTruncated``.
    public let isTruncated: Bool

    /// The uncovered parts, in the order of time.
    public var gaps: [Range<Timestamp>] { covered.gaps(in: range) }

    /// The covered time in seconds.
    public var seconds: TimeInterval { Double(covered.reduce(0) { $0 + $1.nanoseconds }) / 1e9 }

    /// The covered share of the range, 0…1; 0 for an empty range.
    public var fraction: Double { range.isEmpty ? 0 : seconds / range.seconds }
}

extension Sequence<Range<Timestamp>> {
    /// The parts of a range outside these spans, which are in the order of time and do not overlap.
    package func gaps(in range: Range<Timestamp>) -> [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var end = range.lowerBound
        for span in self {
            if end < span.lowerBound { gaps.append(end..<Swift.min(span.lowerBound, range.upperBound)) }
            end = Swift.max(end, span.upperBound)
            if end >= range.upperBound { return gaps }
        }
        if end < range.upperBound { gaps.append(end..<range.upperBound) }
        return gaps
    }
}
