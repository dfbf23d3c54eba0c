internal import Footfall
internal import FootfallHistory
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
    /// may disappear later. A second call replaces the first handler. Queries are possible at the same time.
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
    public func stopUpdates() {
        steps.stop()
    }

    /// All steps since a time, at once and after each change. See ``startUpdates(from:withHandler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled. It throws ``MotionError``.
    public func updates(from start: Date) -> AsyncThrowingStream<PedometerData, any Error> {
        access.updates { coprocessor, yield in
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
    public func stopEventUpdates() {
        events.stop()
    }

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
