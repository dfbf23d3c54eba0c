internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
public import Foundation

/// The steps of a range, and the measures that follow from them.
public struct PedometerData: Hashable, Sendable {
    /// The start of the range of the query, even when the data begin later.
    public let startDate: Date
    /// The end of the range of the query; in a live update the time of the update.
    public let endDate: Date
    /// The number of steps.
    public let steps: Int
    /// The seconds of the range with samples. 0 means that there are no data, not that the wearer took no steps.
    public let coverage: TimeInterval
    /// Whether a part of the range is older than the retention.
    public let isTruncated: Bool
    private let metres: Double?
    private let secondsPerMetre: Double?
    private let stepsPerSecond: Double?
    private let activeSecondsPerMetre: Double?

    /// The number of steps.
    public var numberOfSteps: NSNumber { NSNumber(value: steps) }
    /// The distance in metres; nil without a step length.
    public var distance: NSNumber? { metres.map { NSNumber(value: $0) } }
    /// Nil: an accelerometer does not measure floors.
    public var floorsAscended: NSNumber? { nil }
    /// Nil: an accelerometer does not measure floors.
    public var floorsDescended: NSNumber? { nil }
    /// The current pace in seconds per metre; nil in queries, without steps, and without a step length.
    public var currentPace: NSNumber? { secondsPerMetre.map { NSNumber(value: $0) } }
    /// The current cadence in steps per second; nil in queries, and without steps.
    public var currentCadence: NSNumber? { stepsPerSecond.map { NSNumber(value: $0) } }
    /// The average pace on foot in seconds per metre; nil without steps, and without a step length.
    public var averageActivePace: NSNumber? { activeSecondsPerMetre.map { NSNumber(value: $0) } }

    /// Whether two updates have the same steps and cadence. Their times may differ.
    func isSame(as other: PedometerData) -> Bool {
        steps == other.steps && stepsPerSecond == other.stepsPerSecond
    }
}

extension PedometerData {
    /// The recorded steps of a range.
    init(from start: Date, to end: Date, _ coprocessor: MotionCoprocessor) throws(MotionError) {
        let range = try coprocessor.range(from: start, to: end)
        try self.init(from: start, to: end, recorded: range, provisional: 0, cadence: nil, coprocessor)
    }

    /// The recorded and provisional steps from a start until now.
    init(from start: Date, _ state: LiveState, _ coprocessor: MotionCoprocessor) throws(MotionError) {
        let first = Timestamp(start)
        let recorded = first..<max(first, state.settledEnd ?? Timestamp.supported.upperBound)
        let end = max(first, state.time ?? coprocessor.beginning)
        try self.init(
            from: start, to: Date(end), recorded: recorded,
            provisional: state.provisionalSteps.count { $0 >= first }, cadence: state.cadence, coprocessor)
    }

    private init(
        from start: Date, to end: Date, recorded range: Range<Timestamp>, provisional: Int, cadence: Double?,
        _ coprocessor: MotionCoprocessor
    ) throws(MotionError) {
        let source = coprocessor.source
        let count = try coprocessor.query(or: nil) { try $0.steps(in: range, from: source) }
        steps = (count?.count ?? 0) + provisional
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
        let walks = try coprocessor.query(or: []) {
            try $0.activities(in: range, from: source, where: .activity(.walking, .running))
        }
        let seconds = walks.reduce(0) { $0 + $1.clippedDuration }
        metres = distance
        secondsPerMetre = cadence.flatMap { length.pace(atStepsPerMinute: $0) }
        activeSecondsPerMetre = seconds > 0 && distance > 0 ? seconds / distance : nil
    }
}

/// The moment when the wearer stops walking or running, or continues.
public struct PedometerEvent: Hashable, Sendable {
    /// The kinds of event.
    public enum Kind: Int, CaseIterable, Sendable {
        /// The wearer stops walking or running.
        case pause
        /// The wearer walks or runs again.
        case resume
    }

    /// The time of the event.
    public let date: Date
    /// The kind of event.
    public let type: Kind
}
