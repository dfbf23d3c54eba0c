public import Footfall
public import Foundation
internal import GRDB

/// A range, such as a day, at a glance.
public struct MotionSummary: Hashable, Sendable {
    /// Steps, coverage and whether something was forgotten.
    public let steps: StepCount
    /// Seconds of each activity; those that did not occur are absent. They add up to the coverage.
    public let durations: [Activity: TimeInterval]
    /// The longest run of steps; nil without steps.
    public let longestBout: Bout?
    /// Steps a minute while walking: the steps in walking segments by their time; nil when nobody walked.
    public let walkingCadence: Double?
    /// The segments of the range, in the order of time.
    public let segments: [RecordedSegment]

    /// The range asked about.
    public var range: Range<Timestamp> { steps.range }
    /// The range asked about.
    public var interval: DateInterval { steps.interval }
}

/// Consecutive steps with no break longer than the bout gap.
public struct Bout: Hashable, Sendable {
    /// From the first step to the last one.
    public let range: Range<Timestamp>
    /// The number of steps, the last one included.
    public let steps: Int

    /// The time from the first step to the last one, in seconds.
    public var duration: TimeInterval { range.seconds }
    /// Steps a minute, from the first to the last one; nil for a single step.
    public var cadence: Double? { duration > 0 ? Double(steps - 1) / duration * 60 : nil }
    /// From the first step to the last one.
    public var interval: DateInterval { DateInterval(range) }
}

extension MotionHistory {
    /// A range at a glance.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - source: Whose; may be left out when there is only one source.
    ///   - boutGap: The longest break, in seconds, within a bout.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps and segments in the range.
    public func summary(
        of range: Range<Timestamp>, from source: String? = nil, boutGap: TimeInterval = 10
    ) throws -> MotionSummary {
        try read { db in
            let inquiry = try Inquiry(source, at: url, db)
            let segments = try inquiry.segments(in: range, db)
            var nanoseconds: [Activity: Int64] = [:]
            for segment in segments {
                nanoseconds[segment.activity, default: 0] += segment.clippedRange.nanoseconds
            }
            let durations = nanoseconds.mapValues { Double($0) / 1e9 }
            let walked = segments.reduce(0) { $0 + ($1.activity == .walking ? $1.steps : 0) }
            return MotionSummary(
                steps: try inquiry.steps(in: range, db), durations: durations,
                longestBout: try inquiry.bouts(in: range, gap: boutGap, db).max { $0.duration < $1.duration },
                walkingCadence: durations[.walking].map { Double(walked) / $0 * 60 }, segments: segments)
        }
    }

    /// The bouts in a range, in the order of time.
    ///
    /// - Parameters:
    ///   - range: The range; a bout is cut off at its ends.
    ///   - source: Whose; may be left out when there is only one source.
    ///   - gap: The longest break, in seconds, within a bout.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps in the range.
    public func bouts(
        in range: Range<Timestamp>, from source: String? = nil, gap: TimeInterval = 10
    ) throws -> [Bout] {
        try read { db in try Inquiry(source, at: url, db).bouts(in: range, gap: gap, db) }
    }

    /// The times of all steps in a range, in order.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - source: Whose steps; may be left out when there is only one source.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the steps in the range.
    public func stepTimes(in range: Range<Timestamp>, from source: String? = nil) throws -> [Timestamp] {
        try read { db in try Inquiry(source, at: url, db).stepTimes(in: range, db) }
    }
}

extension Inquiry {
    func stepTimes(in range: Range<Timestamp>, _ db: Database) throws -> [Timestamp] {
        var times: [Timestamp] = []
        try forEachStep(in: range, db) { times.append($0) }
        return times
    }

    func bouts(in range: Range<Timestamp>, gap: TimeInterval, _ db: Database) throws -> [Bout] {
        var bouts: [Bout] = []
        try forEachStep(in: range, db) { time in
            if let last = bouts.last, time.seconds(since: last.range.upperBound) <= gap {
                bouts[bouts.count - 1] = Bout(range: last.range.lowerBound..<time, steps: last.steps + 1)
            } else {
                bouts.append(Bout(range: time..<time, steps: 1))
            }
        }
        return bouts
    }

    private func forEachStep(in range: Range<Timestamp>, _ db: Database, _ body: (Timestamp) -> Void) throws {
        let visible = visible(range)
        guard let source else { return }
        try db.forEach(
            "SELECT time FROM step WHERE source = ? AND time >= ? AND time < ? ORDER BY time",
            [source.id, visible.lowerBound, visible.upperBound]
        ) { body(Timestamp(nanosecondsSince1970: $0[0])) }
    }
}
