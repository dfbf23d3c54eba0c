internal import Footfall
internal import FootfallHistory
public import Foundation

/// The steps of the wearer: those of any range, and those from a moment on as they are made.
///
/// ```swift
/// let pedometer = Pedometer()
/// let today = try await pedometer.queryPedometerData(from: midnight, to: .now)
/// for try await update in pedometer.updates(from: midnight) { print(update.steps) }
/// ```
public final class Pedometer: Sendable {
    private let access: CoprocessorAccess
    private let updating = DeliverySlot()
    private let watching = DeliverySlot()
    /// Where handlers are called, one after the other.
    private let queue = OperationQueue.serial(named: "Footfall.Pedometer")

    /// Creates a pedometer.
    ///
    /// - Parameter coprocessor: Whose steps; nil for those of ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
    }

    /// Whether there is anything that counts steps: a ``MotionCoprocessor/default``.
    public static func isStepCountingAvailable() -> Bool { MotionCoprocessor.default != nil }
    /// Whether there are distances: whether the coprocessor knows how long steps are.
    public static func isDistanceAvailable() -> Bool { MotionCoprocessor.default?.stepLength != nil }
    /// False: an accelerometer alone does not see floors.
    public static func isFloorCountingAvailable() -> Bool { false }
    /// Whether updates have a pace: whether there are a device and a step length.
    public static func isPaceAvailable() -> Bool { isDistanceAvailable() && isCadenceAvailable() }
    /// Whether updates have a cadence: whether there is a device.
    public static func isCadenceAvailable() -> Bool { MotionCoprocessor.default?.isLive == true }
    /// Whether there are events: whether there is a device.
    public static func isPedometerEventTrackingAvailable() -> Bool { isCadenceAvailable() }
    /// Whether the history may be read.
    public static func authorizationStatus() -> AuthorizationStatus { .current }

    // MARK: What was

    /// Asks for the steps of a range: those with `start ≤ time < end`, so that neighbouring ranges add up exactly.
    ///
    /// What was forgotten for its age is left out without an error, see ``PedometerData/isTruncated``, and the end of
    /// the range is at most now. A range of which nothing is known has no steps. Only settled steps are counted: of a
    /// walk that goes on, the last seconds are missing.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: Its end, not included.
    ///   - handler: Gets the data, or a ``MotionError``: ``MotionErrorCode/invalidParameter`` when the range ends
    ///     before it starts.
    public func queryPedometerData(
        from start: Date, to end: Date,
        withHandler handler: @escaping @Sendable (PedometerData?, (any Error)?) -> Void
    ) {
        queue.addOperation { [access] in
            let answer = Result { try PedometerData(from: start, to: end, access.coprocessor) }
            handler(try? answer.get(), answer.failure)
        }
    }

    /// Asks for the steps of a range. See ``queryPedometerData(from:to:withHandler:)``.
    ///
    /// - Throws: ``MotionError``.
    public func queryPedometerData(from start: Date, to end: Date) async throws -> PedometerData {
        try PedometerData(from: start, to: end, access.coprocessor)
    }

    // MARK: What is

    /// Begins to tell of steps: at once of all since `start`, then of as many whenever it changes.
    ///
    /// Each update counts everything from `start` to its own time; what was missed between two calls is in the next
    /// one. It counts provisional steps as well, of which a few may turn out to be none. Only one handler is called at
    /// a time; a second call puts its own in the place of the first. Queries may go on meanwhile.
    ///
    /// - Parameters:
    ///   - start: From when on steps count; may be in the past.
    ///   - handler: Gets the data, or a ``MotionError`` after which nothing follows. It is called on a queue of the
    ///     pedometer's own, never by two threads at a time.
    public func startUpdates(
        from start: Date, withHandler handler: @escaping @Sendable (PedometerData?, (any Error)?) -> Void
    ) {
        updating.replace(
            with: Delivery(of: updates(from: start), to: queue) { handler(try? $0.get(), $0.failure) })
    }

    /// Ends what ``startUpdates(from:withHandler:)`` began. The handler is not called any more.
    public func stopUpdates() {
        updating.replace(with: nil)
    }

    /// All steps from a moment on: at once, then whenever their number changes. See
    /// ``startUpdates(from:withHandler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled; it throws ``MotionError``.
    public func updates(from start: Date) -> AsyncThrowingStream<PedometerData, any Error> {
        access.updates { coprocessor, yield in
            var last: PedometerData?
            for try await standing in coprocessor.standings() {
                let data = try PedometerData(from: start, standing, coprocessor)
                if last.map({ $0.says(data) }) != true { yield(data) }
                last = data
            }
        }
    }

    /// Begins to tell when the wearer stops walking or running, and when they go on; at once when they are on foot
    /// already.
    ///
    /// Only one handler is called at a time; a second call puts its own in the place of the first.
    ///
    /// - Parameter handler: Gets the event, or a ``MotionError`` after which nothing follows. It is called on a queue
    ///   of the pedometer's own, never by two threads at a time.
    public func startEventUpdates(handler: @escaping @Sendable (PedometerEvent?, (any Error)?) -> Void) {
        watching.replace(
            with: Delivery(of: eventUpdates(), to: queue) { handler(try? $0.get(), $0.failure) })
    }

    /// Ends what ``startEventUpdates(handler:)`` began. The handler is not called any more.
    public func stopEventUpdates() {
        watching.replace(with: nil)
    }

    /// When the wearer stops walking or running, and when they go on. See ``startEventUpdates(handler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled; it throws ``MotionError``.
    public func eventUpdates() -> AsyncThrowingStream<PedometerEvent, any Error> {
        let start = access.newest
        return access.updates { coprocessor, yield in
            var watch = ActivityWatch(coprocessor, since: start)
            var wasOnFoot = false
            for try await standing in coprocessor.standings() {
                for activity in try watch.changes(standing) where activity.isOnFoot != wasOnFoot {
                    wasOnFoot = activity.isOnFoot
                    yield(PedometerEvent(date: activity.startDate, type: wasOnFoot ? .resume : .pause))
                }
            }
        }
    }
}

extension OperationQueue {
    /// A queue that does one thing after the other.
    static func serial(named name: String) -> OperationQueue {
        let queue = OperationQueue()
        queue.name = name
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}
