internal import Footfall
internal import FootfallHistory
public import Foundation
internal import Synchronization

/// What the wearer was doing, and is doing.
///
/// ```swift
/// let manager = MotionActivityManager()
/// for activity in try await manager.queryActivityStarting(from: yesterday, to: .now, to: .main) {
///     print(activity.startDate, activity.automotive, activity.stationary)
/// }
/// for try await activity in manager.updates() { show(activity) }
/// ```
public final class MotionActivityManager: Sendable {
    private let access: CoprocessorAccess
    private let delivery = DeliverySlot()

    /// Creates a manager.
    ///
    /// - Parameter coprocessor: Whose activities; nil for those of ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
    }

    /// Whether there is anything that knows activities: a ``MotionCoprocessor/default``.
    public static func isActivityAvailable() -> Bool { MotionCoprocessor.default != nil }

    /// Whether the history may be read.
    public static func authorizationStatus() -> AuthorizationStatus { .current }

    // MARK: What was

    /// Asks for the activities of a range.
    ///
    /// Each holds until the next one begins; the first one may have begun before the range, and says what held at its
    /// start. Where nothing was recorded, an ``MotionActivity/unknown`` one stands. What was forgotten for its age is
    /// left out without an error, and the end of the range is at most now. The last minute may not be settled yet, and
    /// then is missing.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: Its end, not included.
    ///   - queue: Where the handler is called.
    ///   - handler: Gets the activities in the order of time, or a ``MotionError``:
    ///     ``MotionErrorCode/invalidParameter`` when the range ends before it starts.
    public func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue,
        withHandler handler: @escaping @Sendable ([MotionActivity]?, (any Error)?) -> Void
    ) {
        Task.detached { [access] in
            let answer = Result { try Self.activities(from: start, to: end, access) }
            queue.addOperation { handler(try? answer.get(), answer.failure) }
        }
    }

    /// Asks for the activities of a range. See ``queryActivityStarting(from:to:to:withHandler:)``.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: Its end, not included.
    ///   - queue: Has no part in it; Core Motion's form has it, too.
    /// - Throws: ``MotionError``.
    public func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue
    ) async throws -> [MotionActivity] {
        try Self.activities(from: start, to: end, access)
    }

    private static func activities(
        from start: Date, to end: Date, _ access: CoprocessorAccess
    ) throws -> [MotionActivity] {
        let coprocessor = try access.coprocessor
        let range = try coprocessor.range(from: start, to: end)
        let segments = try coprocessor.ask(or: []) { try $0.activities(in: range, from: coprocessor.source) }
        var activities = MotionActivity.activities(of: segments)
        if let last = segments.last?.range.upperBound, range.upperBound.seconds(since: last) > Standing.patience {
            activities.append(MotionActivity(since: last))
        }
        // The first segment may have begun with halts that were over before the range.
        let first = activities.lastIndex { $0.startDate <= start } ?? 0
        return activities[first...].filter { Timestamp($0.startDate) < range.upperBound }
    }

    // MARK: What is

    /// Begins to tell what the wearer is doing: at once what it is now, then each change of it.
    ///
    /// Only one handler is called at a time; a second call puts its own in the place of the first. A change of the
    /// confidence alone is told as well. What is told is the best guess now, while a query answers what has been
    /// settled with more of the future in view; they may differ.
    ///
    /// - Parameters:
    ///   - queue: Where the handler is called.
    ///   - handler: Gets the activity; nil when there will be no more of them, because the device failed.
    public func startActivityUpdates(
        to queue: OperationQueue, withHandler handler: @escaping @Sendable (MotionActivity?) -> Void
    ) {
        delivery.replace(
            with: Delivery(of: updates(), to: queue) { result in handler(try? result.get()) })
    }

    /// Ends what ``startActivityUpdates(to:withHandler:)`` began. The handler is not called any more.
    public func stopActivityUpdates() {
        delivery.replace(with: nil)
    }

    /// What the wearer is doing: at once what it is now, then each change of it. See
    /// ``startActivityUpdates(to:withHandler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled; it throws ``MotionError``.
    public func updates() -> AsyncThrowingStream<MotionActivity, any Error> {
        let start = access.newest
        return access.updates { coprocessor, yield in
            var watch = ActivityWatch(coprocessor, since: start)
            for try await standing in coprocessor.standings() {
                for activity in try watch.changes(standing) { yield(activity) }
            }
        }
    }
}
