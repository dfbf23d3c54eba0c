public import Footfall
internal import FootfallHistory
public import Foundation

/// How far a ``MotionActivity`` can be relied on.
public enum MotionActivityConfidence: Int, CaseIterable, Sendable {
    /// The likeliest of several.
    case low
    /// Probably right.
    case medium
    /// Almost certainly right.
    case high
}

/// What held from a moment on, until the next activity.
///
/// The flags are independent: a car at a red light is ``automotive`` and ``stationary``. None of them is set while the
/// device moves without any of the activities being recognised; ``unknown`` means that there was too little to go by.
public struct MotionActivity: Hashable, Sendable {
    /// What held.
    public let flags: ActivityFlags
    /// Why no activity is known; nil where one is, or where nobody said.
    public let reason: UnknownReason?
    /// How far it can be relied on.
    public let confidence: MotionActivityConfidence
    /// When it began.
    public let startDate: Date

    /// Still: the device lies, or its wearer or vehicle stands.
    public var stationary: Bool { flags.contains(.stationary) }
    /// On foot at a walking gait.
    public var walking: Bool { flags.contains(.walking) }
    /// On foot at a running gait.
    public var running: Bool { flags.contains(.running) }
    /// In a motor vehicle.
    public var automotive: Bool { flags.contains(.automotive) }
    /// On a bicycle.
    public var cycling: Bool { flags.contains(.cycling) }
    /// Too little is known to tell, or nothing, as in a gap without samples.
    public var unknown: Bool { flags.contains(.unknown) }

    /// When it began, in seconds since the system was booted; negative before that.
    public var timestamp: TimeInterval {
        ProcessInfo.processInfo.systemUptime + startDate.timeIntervalSinceNow
    }

    /// Whether somebody is on foot.
    var isOnFoot: Bool { walking || running }

    init(flags: ActivityFlags, reason: UnknownReason?, probability: Float, since start: Timestamp) {
        self.flags = flags
        self.reason = reason
        confidence =
            switch Confidence(probability: probability) {
            case .low: .low
            case .medium: .medium
            case .high: .high
            }
        startDate = Date(start)
    }

    /// Nothing is known since a moment.
    init(since start: Timestamp) {
        self.init(flags: .unknown, reason: nil, probability: 0, since: start)
    }

    /// What held at the end of a segment.
    init(_ segment: Segment) {
        let states = Self.states(segment.range, flags: segment.flags, halts: segment.halts)
        let last = states.last ?? (segment.flags, segment.range.lowerBound)
        self.init(flags: last.flags, reason: segment.reason, probability: segment.probability, since: last.start)
    }

    /// Whether two say the same, whenever it began.
    func says(_ other: MotionActivity) -> Bool {
        flags == other.flags && confidence == other.confidence
    }

    /// The activities that recorded segments consist of, one after the other, with nothing known between those that do
    /// not touch.
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

    /// The flags of a segment and of its halts, each from its start on.
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
