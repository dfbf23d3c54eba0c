public import Footfall
internal import FootfallHistory
internal import FootfallReaders
public import Foundation

/// The confidence of a ``MotionActivity``: `low`, `medium` or `high`, with the raw values of Core Motion.
public typealias MotionActivityConfidence = Confidence

/// An activity from its start until the next one.
///
/// The flags are independent: a car at a red light is ``automotive`` and ``stationary``. All flags are false while the
/// device moves and no activity is recognized. ``unknown`` means that there is too little data.
public struct MotionActivity: Codable, Hashable, Sendable {
    /// The flags of the activity.
    public let flags: ActivityFlags
    /// Why the activity is unknown; nil when it is known or when there is no reason.
    public let reason: UnknownReason?
    /// The confidence of the activity.
    public let confidence: MotionActivityConfidence
    /// The start of the activity.
    public let startDate: Date

    /// The device does not move, or its wearer or vehicle stands.
    public var stationary: Bool { flags.contains(.stationary) }
    /// The wearer walks.
    public var walking: Bool { flags.contains(.walking) }
    /// The wearer runs.
    public var running: Bool { flags.contains(.running) }
    /// The wearer is in a motor vehicle.
    public var automotive: Bool { flags.contains(.automotive) }
    /// The wearer rides a bicycle.
    public var cycling: Bool { flags.contains(.cycling) }
    /// There is too little data, or none, as in a gap.
    public var unknown: Bool { flags.contains(.unknown) }

    /// The start in seconds since the system was booted; negative for an earlier start.
    public var timestamp: TimeInterval { ProcessInfo.processInfo.systemUptime + startDate.timeIntervalSinceNow }

    var isOnFoot: Bool { walking || running }

    init(flags: ActivityFlags, reason: UnknownReason?, probability: Float, since start: Timestamp) {
        self.flags = flags
        self.reason = reason
        confidence = Confidence(probability: probability)
        startDate = Date(start)
    }

    init(since start: Timestamp) { self.init(flags: .unknown, reason: nil, probability: 0, since: start) }

    init(_ segment: Segment) {
        let states = Self.states(segment.range, flags: segment.flags, halts: segment.halts)
        let last = states.last ?? (segment.flags, segment.range.lowerBound)
        self.init(flags: last.flags, reason: segment.reason, probability: segment.probability, since: last.start)
    }

    /// Whether two activities have the same flags and confidence. Their starts may differ.
    func isSame(as other: MotionActivity) -> Bool { flags == other.flags && confidence == other.confidence }

    /// The activities of recorded segments in the order of time, with an unknown one in each gap.
    static func activities(of segments: [RecordedSegment]) -> [MotionActivity] {
        var activities: [MotionActivity] = []
        var end: Timestamp?
        for segment in segments {
            if let end, end < segment.range.lowerBound { activities.append(MotionActivity(since: end)) }
            end = segment.range.upperBound
            for state in states(segment.range, flags: segment.flags, halts: segment.halts) {
                activities.append(
                    MotionActivity(
                        flags: state.flags, reason: segment.reason, probability: segment.probability,
                        since: state.start))
            }
        }
        return activities
    }

    /// The flags of a segment and of its halts with their starts.
    private static func states(
        _ range: Range<Timestamp>, flags: ActivityFlags, halts: [Range<Timestamp>]
    ) -> [(flags: ActivityFlags, start: Timestamp)] {
        var states: [(flags: ActivityFlags, start: Timestamp)] = []
        var end = range.lowerBound
        for halt in halts {
            if end < halt.lowerBound { states.append((flags.withoutHalt, end)) }
            states.append((flags.union(.stationary), halt.lowerBound))
            end = halt.upperBound
        }
        if end < range.upperBound { states.append((flags.withoutHalt, end)) }
        return states
    }
}

extension MotionActivity: CustomStringConvertible {
    /// In the form of Core Motion: the start, the confidence and each flag.
    public var description: String {
        let flags: [(String, Bool)] = [
            ("unknown", unknown), ("stationary", stationary), ("walking", walking), ("running", running),
            ("automotive", automotive), ("cycling", cycling),
        ]
        let values = flags.map { "\($0),\($1 ? 1 : 0)" }.joined(separator: ",")
        return "MotionActivity @ \(timestamp),<startDate,\(startDate),confidence,\(confidence.rawValue),\(values)>"
    }
}
