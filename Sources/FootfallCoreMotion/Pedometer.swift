internal import Footfall
internal import FootfallHistory
internal import FootfallLive
internal import FootfallReaders
public import Foundation

/// The steps of the wearer, recorded and live.
///
/// ```swift
/// let pedometer = Pedometer()
/// let today = try await pedometer.queryPedometerData(from: midnight, to: .now)
/// for try await update in pedometer.updates(from: midnight) { print(update.steps) }
/// ```
public final class Pedometer: Sendable {
    private let access: CoprocessorAccess
    private let steps = Delivery()
    private let events = Delivery()
    /// The queue of the handlers, which calls one at a time.
    private let queue = OperationQueue()

    /// Creates a pedometer of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
        queue.name = "Footfall.Pedometer"
        queue.maxConcurrentOperationCount = 1
    }

    /// Whether there is a ``MotionCoprocessor/default``.
    public static func isStepCountingAvailable() -> Bool { MotionCoprocessor.default != nil }
    /// Whether there is a distance, which needs a step length.
    public static func isDistanceAvailable() -> Bool { MotionCoprocessor.default?.stepLength != nil }
    /// False: an accelerometer does not measure floors.
    public static func isFloorCountingAvailable() -> Bool { false }
    /// Whether updates have a pace, which needs a device and a step length.
    public static func isPaceAvailable() -> Bool { isDistanceAvailable() && isCadenceAvailable() }
    /// Whether updates have a cadence, which needs a device.
    public static func isCadenceAvailable() -> Bool { MotionCoprocessor.default?.isLive == true }
    /// Whether there are events, which need a device.
    public static func isPedometerEventTrackingAvailable() -> Bool { isCadenceAvailable() }
    /// Whether the history may be read.
    public static func authorizationStatus() -> AuthorizationStatus { .current }

    // MARK: Queries

    /// Queries the steps of a range: those with `start ≤ time < end`. The steps of adjacent ranges add up exactly.
    ///
    /// Steps older than the retention are omitted without an error, see ``PedometerData/isTruncated``. The range ends
    /// now at the latest. Only settled steps count: the last seconds of a walk in progress are missing.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: The end of the range, not included.
    ///   - handler: Gets the data, or a ``MotionError``: ``MotionErrorCode/invalidParameter`` when the range ends
    ///     before it starts, or when the coprocessor's source is not in the history.
    public func queryPedometerData(
        from start: Date, to end: Date,
        @_inheritActorContext withHandler handler:
            @escaping @Sendable @isolated(any) (PedometerData?, (any Error)?) -> Void
    ) {
        Task(executorPreference: queue.executor(or: handler.isolation)) { [access] in
            let answer = Result { try PedometerData(from: start, to: end, access.coprocessor) }
            await handler(try? answer.get(), answer.failure)
        }
    }

    /// Queries the steps of a range. See ``queryPedometerData(from:to:withHandler:)``.
    ///
    /// - Throws: ``MotionError``.
    public func queryPedometerData(from start: Date, to end: Date) async throws -> PedometerData {
        try PedometerData(from: start, to: end, access.coprocessor)
    }

    // MARK: Live updates

    /// Starts live updates: all steps since `start` at once, then after each change.
    ///
    /// Each update contains all steps from `start` to its own time, provisional steps included. A few provisional steps
    /// may disappear later. A slow handler gets the newest data. A second call replaces the first handler. Queries are
    /// possible at the same time.
    ///
    /// - Parameters:
    ///   - start: The time from which steps count; may be in the past.
    ///   - handler: Gets the data, or a ``MotionError`` after which no more data follow. The pedometer's own queue
    ///     calls it, one call at a time.
    public func startUpdates(
        from start: Date,
        @_inheritActorContext withHandler handler:
            @escaping @Sendable @isolated(any) (PedometerData?, (any Error)?) -> Void
    ) {
        steps.start(updates(from: start), on: queue, or: handler.isolation) { await handler(try? $0.get(), $0.failure) }
    }

    /// Stops live updates. The handler is not called again.
    public func stopUpdates() { steps.stop() }

    /// All steps since a time, at once and after each change. See ``startUpdates(from:withHandler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled. It throws ``MotionError``.
    public func updates(from start: Date) -> AsyncThrowingStream<PedometerData, any Error> {
        access.updates(mostWaiting: 1) { coprocessor, yield in
            var last: PedometerData?
            for try await state in coprocessor.liveStates() {
                let data = try PedometerData(from: start, state, coprocessor)
                if last?.isSame(as: data) != true { yield(data) }
                last = data
            }
        }
    }

    /// Starts events: one when the wearer stops walking or running, and one when they continue. The first event is a
    /// `resume` if the wearer is on foot.
    ///
    /// A second call replaces the first handler.
    ///
    /// - Parameter handler: Gets the event, or a ``MotionError`` after which no more events follow. The pedometer's own
    ///   queue calls it, one call at a time.
    public func startEventUpdates(
        @_inheritActorContext handler: @escaping @Sendable @isolated(any) (PedometerEvent?, (any Error)?) -> Void
    ) {
        events.start(eventUpdates(), on: queue, or: handler.isolation) { await handler(try? $0.get(), $0.failure) }
    }

    /// Stops events. The handler is not called again.
    public func stopEventUpdates() { events.stop() }

    /// The moments when the wearer stops walking or running, or continues. See ``startEventUpdates(handler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled. It throws ``MotionError``.
    public func eventUpdates() -> AsyncThrowingStream<PedometerEvent, any Error> {
        let activities = access.activityChanges()
        return access.updates { _, yield in
            var wasOnFoot = false
            for try await activity in activities where activity.isOnFoot != wasOnFoot {
                wasOnFoot = activity.isOnFoot
                yield(PedometerEvent(date: activity.startDate, type: wasOnFoot ? .resume : .pause))
            }
        }
    }
}

/// The steps of a range, and the measures that follow from them.
public struct PedometerData: Hashable, Sendable {
    /// The start of the range of the query, even when the data begin later.
    public let startDate: Date
    /// The end of the range of the query; in a live update the time of the update.
    public let endDate: Date
    /// The number of steps.
    public let steps: Int
    /// The seconds of the range with samples. 0 means that there are no data, not that the wearer took no steps. In a
    /// live update the last minute may be missing.
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
    /// The average pace on foot in seconds per metre, without provisional steps; nil without steps, and without a step
    /// length.
    public var averageActivePace: NSNumber? { activeSecondsPerMetre.map { NSNumber(value: $0) } }

    /// Whether two updates have the same steps and cadence. Their times may differ.
    func isSame(as other: PedometerData) -> Bool { steps == other.steps && stepsPerSecond == other.stepsPerSecond }
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
        let end = max(first, state.time ?? coprocessor.now)
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
        let walks = try coprocessor.query(or: []) {
            try $0.activities(in: range, from: source, where: .activity(.walking, .running))
        }
        // The time of the provisional steps is not known yet, so they do not count in the average.
        let seconds = walks.reduce(0) { $0 + $1.clippedDuration }
        let walked = length.distance(ofSteps: walks.reduce(0) { $0 + $1.steps })
        metres = length.distance(ofSteps: steps)
        secondsPerMetre = cadence.flatMap { length.pace(atStepsPerMinute: $0) }
        activeSecondsPerMetre = seconds > 0 && walked > 0 ? seconds / walked : nil
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

/// The steps of the wearer, in the form that Core Motion had before its pedometer. New code uses ``Pedometer``.
public final class StepCounter: Sendable {
    private let access: CoprocessorAccess
    private let delivery = Delivery()

    /// Creates a step counter of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) { access = CoprocessorAccess(coprocessor) }

    /// Whether there is a ``MotionCoprocessor/default``.
    public static func isStepCountingAvailable() -> Bool { MotionCoprocessor.default != nil }

    /// Queries the number of steps in a range. See ``Pedometer/queryPedometerData(from:to:withHandler:)``.
    ///
    /// The queue calls the handler with the number of steps, 0 in a range without data, or a ``MotionError``.
    public func queryStepCountStarting(
        from start: Date, to end: Date, to queue: OperationQueue,
        @_inheritActorContext withHandler handler: @escaping @Sendable @isolated(any) (Int, (any Error)?) -> Void
    ) {
        Task.detached { [access] in
            let answer = Result { try PedometerData(from: start, to: end, access.coprocessor).steps }
            await withTaskExecutorPreference(queue.executor(or: handler.isolation)) {
                await handler((try? answer.get()) ?? 0, answer.failure)
            }
        }
    }

    /// Queries the number of steps in a range. See ``queryStepCountStarting(from:to:to:withHandler:)``.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: The end of the range, not included.
    ///   - queue: Not used; it is a parameter of Core Motion's method.
    /// - Throws: ``MotionError``.
    public func queryStepCountStarting(from start: Date, to end: Date, to queue: OperationQueue) async throws -> Int {
        try PedometerData(from: start, to: end, access.coprocessor).steps
    }

    /// Starts to count from 0; if the device has no samples yet, from its first one on. The handler is called at each
    /// multiple of `stepCounts`: 100, 200, 300 for 100.
    ///
    /// It gets the number of all steps since this call. One call stands for several multiples that are reached at
    /// once. A second call replaces the first handler.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the handler.
    ///   - stepCounts: The number of steps between two calls; at least 1.
    ///   - handler: Gets the number of steps and the time, or a ``MotionError`` after which no more calls follow.
    public func startStepCountingUpdates(
        to queue: OperationQueue, updateOn stepCounts: Int,
        @_inheritActorContext withHandler handler: @escaping @Sendable @isolated(any) (Int, Date, (any Error)?) -> Void
    ) {
        let beginning = (try? access.coprocessor)?.beginning
        let updates = access.updates(mostWaiting: 1) { coprocessor, yield in
            var reported = 0
            for try await state in coprocessor.liveStates() {
                guard let start = beginning ?? state.start else { continue }
                let data = try PedometerData(from: Date(start), state, coprocessor)
                let reached = data.steps / max(1, stepCounts)
                guard reached > reported else { continue }
                reported = reached
                yield(data)
            }
        }
        delivery.start(updates, on: queue, or: handler.isolation) { result in
            switch result {
            case .success(let data): await handler(data.steps, data.endDate, nil)
            case .failure(let error): await handler(0, Date(), error)
            }
        }
    }

    /// Stops counting. The handler is not called again.
    public func stopStepCountingUpdates() { delivery.stop() }
}
