internal import Footfall
internal import FootfallHistory
internal import FootfallLive
internal import FootfallReaders
public import Foundation

/// The activities of the wearer, recorded and live.
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
    private let delivery = Delivery()

    /// Creates a manager of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) { access = CoprocessorAccess(coprocessor) }

    /// Whether there is a ``MotionCoprocessor/default``.
    public static func isActivityAvailable() -> Bool { MotionCoprocessor.default != nil }

    /// Whether the history may be read.
    public static func authorizationStatus() -> AuthorizationStatus { .current }

    // MARK: Queries

    /// Queries the activities of a range.
    ///
    /// Each activity lasts until the next one starts. The first activity is the one at the start of the range, if
    /// samples cover that, and may have started earlier. A gap between activities is an ``MotionActivity/unknown`` one.
    /// Activities older than the retention are omitted without an error. The range ends now at the latest, and its last
    /// minute may not be settled yet.
    ///
    /// The queue calls the handler with the activities in the order of time, or with a ``MotionError``:
    /// ``MotionErrorCode/invalidParameter`` when the range ends before it starts, or when the coprocessor's source is
    /// not in the history.
    public func queryActivityStarting(
        from start: Date, to end: Date, to queue: OperationQueue,
        @_inheritActorContext withHandler handler:
            @escaping @Sendable @isolated(any) ([MotionActivity]?, (any Error)?) -> Void
    ) {
        Task.detached { [access] in
            let answer = Result { try Self.activities(from: start, to: end, access) }
            await withTaskExecutorPreference(queue.executor(or: handler.isolation)) {
                await handler(try? answer.get(), answer.failure)
            }
        }
    }

    /// Queries the activities of a range. See ``queryActivityStarting(from:to:to:withHandler:)``.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: The end of the range, not included.
    ///   - queue: Not used; it is a parameter of Core Motion's method.
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
        let segments = try coprocessor.query(or: []) { try $0.activities(in: range, from: coprocessor.source) }
        var activities = MotionActivity.activities(of: segments)
        let end = segments.last?.range.upperBound
        if let end, range.upperBound.seconds(since: end) > LiveMotion.settlingSilence {
            activities.append(MotionActivity(since: end))
        }
        // Halts of the first segment may have ended before the range.
        let first = activities.lastIndex { $0.startDate <= start } ?? 0
        return activities[first...].filter { Timestamp($0.startDate) < range.upperBound }
    }

    // MARK: Live updates

    /// Starts live updates: the current activity at once, then each change.
    ///
    /// A second call replaces the first handler. A change of the confidence alone is also a change. Live updates are
    /// provisional; a query may return a different activity, which was settled with later samples.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the handler.
    ///   - handler: Gets the activity; nil after an error, when no more activities follow.
    public func startActivityUpdates(
        to queue: OperationQueue,
        @_inheritActorContext withHandler handler: @escaping @Sendable @isolated(any) (MotionActivity?) -> Void
    ) {
        delivery.start(updates(), on: queue, or: handler.isolation) { await handler(try? $0.get()) }
    }

    /// Stops live updates. The handler is not called again.
    public func stopActivityUpdates() { delivery.stop() }

    /// The current activity at once, then each change. See ``startActivityUpdates(to:withHandler:)``.
    ///
    /// The sequence ends with the device, and when its task is cancelled. It throws ``MotionError``.
    public func updates() -> AsyncThrowingStream<MotionActivity, any Error> { access.activityChanges() }
}

/// Finds the changes of activity in a sequence of live states.
struct ActivityChanges {
    private let coprocessor: MotionCoprocessor
    private var last: MotionActivity?
    /// The end of the recorded segments that were examined.
    private var examinedEnd: Timestamp

    /// `start`: recorded activities that begin earlier are omitted.
    init(_ coprocessor: MotionCoprocessor, since start: Timestamp?) {
        self.coprocessor = coprocessor
        examinedEnd = start ?? Timestamp.supported.lowerBound
    }

    /// The activities that differ from the one before. The first call returns at least the current activity.
    mutating func next(_ state: LiveState) throws -> [MotionActivity] {
        var changes: [MotionActivity] = []
        func append(_ activity: MotionActivity) {
            guard (changes.last ?? last)?.isSame(as: activity) != true else { return }
            changes.append(activity)
        }
        if let time = state.time, examinedEnd < time {
            // In a fast replay an activity can begin and end between two states; the history contains it.
            let segments = try coprocessor.query(or: []) {
                try $0.activities(in: examinedEnd..<time, from: coprocessor.source)
            }
            let start = Date(examinedEnd)
            for activity in MotionActivity.activities(of: segments) where activity.startDate >= start {
                append(activity)
            }
            examinedEnd = time
        }
        append(state.activity ?? MotionActivity(since: state.time ?? coprocessor.now))
        last = changes.last ?? last
        return changes
    }
}
