internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
public import Foundation

/// The steps of the wearer, in the form that Core Motion had before its pedometer. New code uses ``Pedometer``.
public final class StepCounter: Sendable {
    private let access: CoprocessorAccess
    private let delivery = Delivery()

    /// Creates a step counter of a coprocessor; nil for ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
    }

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

    /// Starts to count from 0. The handler is called at each multiple of `stepCounts`: 100, 200, 300 for 100.
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
        let start = Date((try? access.coprocessor)?.beginning ?? Timestamp(Date()))
        let updates = access.updates { coprocessor, yield in
            var reported = 0
            for try await state in coprocessor.liveStates() {
                let data = try PedometerData(from: start, state, coprocessor)
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
    public func stopStepCountingUpdates() {
        delivery.stop()
    }
}
