internal import Footfall
internal import FootfallHistory
public import Foundation

/// The steps of a range, and what follows from them.
public struct PedometerData: Hashable, Sendable {
    /// The start of the range, as it was asked for, also where data begin later.
    public let startDate: Date
    /// The end of the range, as it was asked for; of a live update, its time.
    public let endDate: Date
    /// The number of steps.
    public let steps: Int
    /// Seconds of the range that are covered by samples: no coverage means that nothing is known, not that nobody
    /// walked.
    public let coverage: TimeInterval
    /// Whether something of the range has been forgotten for its age.
    public let isTruncated: Bool
    private let metres: Double?
    private let secondsPerMetre: Double?
    private let stepsPerSecond: Double?
    private let activeSecondsPerMetre: Double?

    /// The number of steps.
    public var numberOfSteps: NSNumber { NSNumber(value: steps) }
    /// The distance in metres, by the coprocessor's step length; nil when it has none.
    public var distance: NSNumber? { metres.map { NSNumber(value: $0) } }
    /// Nil: an accelerometer alone does not see floors.
    public var floorsAscended: NSNumber? { nil }
    /// Nil: an accelerometer alone does not see floors.
    public var floorsDescended: NSNumber? { nil }
    /// Seconds that a metre takes now; nil in queries, when nobody is stepping, and without a step length.
    public var currentPace: NSNumber? { secondsPerMetre.map { NSNumber(value: $0) } }
    /// Steps a second now; nil in queries, and when nobody is stepping.
    public var currentCadence: NSNumber? { stepsPerSecond.map { NSNumber(value: $0) } }
    /// Seconds on foot that a metre took; nil when nobody walked, and without a step length.
    public var averageActivePace: NSNumber? { activeSecondsPerMetre.map { NSNumber(value: $0) } }

    /// Whether two tell the same, whenever they tell it.
    func says(_ other: PedometerData) -> Bool {
        steps == other.steps && stepsPerSecond == other.stepsPerSecond
    }
}

extension PedometerData {
    /// What the history knows of a range.
    init(from start: Date, to end: Date, _ coprocessor: MotionCoprocessor) throws(MotionError) {
        let range = try coprocessor.range(from: start, to: end)
        try self.init(from: start, to: end, recorded: range, more: 0, cadence: nil, coprocessor)
    }

    /// What is known from a moment on until now, provisional steps included.
    init(from start: Date, _ standing: Standing, _ coprocessor: MotionCoprocessor) throws(MotionError) {
        let first = Timestamp(start)
        let more = standing.provisionalSteps.count { $0 >= first }
        let recorded = first..<max(first, standing.recordedEnd)
        let end = max(first, standing.time ?? coprocessor.beginning)
        try self.init(
            from: start, to: Date(end), recorded: recorded, more: more, cadence: standing.cadence, coprocessor)
    }

    private init(
        from start: Date, to end: Date, recorded range: Range<Timestamp>, more: Int, cadence: Double?,
        _ coprocessor: MotionCoprocessor
    ) throws(MotionError) {
        let source = coprocessor.source
        let count = try coprocessor.ask(or: nil) { try $0.steps(in: range, from: source) }
        steps = (count?.count ?? 0) + more
        coverage = count?.coverage ?? 0
        isTruncated = count?.isTruncated ?? false
        startDate = start
        endDate = end
        stepsPerSecond = cadence.map { $0 / 60 }
        guard let length = coprocessor.stepLength else {
            (metres, secondsPerMetre, activeSecondsPerMetre) = (nil, nil, nil)
            return
        }
        let distance = length.distance(ofSteps: steps)
        let walks = try coprocessor.ask(or: []) {
            try $0.activities(in: range, from: source, where: .activity(.walking, .running))
        }
        let seconds = walks.reduce(0) { $0 + $1.clippedDuration }
        metres = distance
        secondsPerMetre = cadence.flatMap { length.pace(atStepsPerMinute: $0) }
        activeSecondsPerMetre = seconds > 0 && distance > 0 ? seconds / distance : nil
    }
}

/// That somebody has stopped walking or running, or gone on.
public struct PedometerEvent: Hashable, Sendable {
    /// What has happened.
    public enum Kind: Int, CaseIterable, Sendable {
        /// Nobody is on foot any more.
        case pause
        /// Somebody is on foot again.
        case resume
    }

    /// When it happened.
    public let date: Date
    /// What has happened.
    public let type: Kind
}
