internal import Footfall
internal import FootfallHistory
public import Foundation

/// Steps alone, in the manner of Core Motion before it had a pedometer. New code uses ``Pedometer``.
public final class StepCounter: Sendable {
    private let access: CoprocessorAccess
    private let delivery = DeliverySlot()

    /// Creates a step counter.
    ///
    /// - Parameter coprocessor: Whose steps; nil for those of ``MotionCoprocessor/default``.
    public init(_ coprocessor: MotionCoprocessor? = nil) {
        access = CoprocessorAccess(coprocessor)
    }

    /// Whether there is anything that counts steps: a ``MotionCoprocessor/default``.
    public static func isStepCountingAvailable() -> Bool { MotionCoprocessor.default != nil }

    /// Asks for the number of steps in a range. See ``Pedometer/queryPedometerData(from:to:withHandler:)``.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: Its end, not included.
    ///   - queue: Where the handler is called.
    ///   - handler: Gets the number of steps, 0 where nothing is known, or a ``MotionError``.
    public func queryStepCountStarting(
        from start: Date, to end: Date, to queue: OperationQueue,
        withHandler handler: @escaping @Sendable (Int, (any Error)?) -> Void
    ) {
        Task.detached { [access] in
            let answer = Result { try PedometerData(from: start, to: end, access.coprocessor).steps }
            queue.addOperation { handler((try? answer.get()) ?? 0, answer.failure) }
        }
    }

    /// Asks for the number of steps in a range. See ``queryStepCountStarting(from:to:to:withHandler:)``.
    ///
    /// - Parameters:
    ///   - start: The start of the range.
    ///   - end: Its end, not included.
    ///   - queue: Has no part in it; Core Motion's form has it, too.
    /// - Throws: ``MotionError``.
    public func queryStepCountStarting(from start: Date, to end: Date, to queue: OperationQueue) async throws -> Int {
        try PedometerData(from: start, to: end, access.coprocessor).steps
    }

    /// Begins to count from 0, and to tell whenever another `stepCounts` steps have been made: at 100, 200, 300 steps
    /// for 100.
    ///
    /// The number told is that of all steps since this call; where several hundreds are reached at once, one call tells
    /// of all of them. Only one handler is called at a time; a second call puts its own in the place of the first.
    ///
    /// - Parameters:
    ///   - queue: Where the handler is called.
    ///   - stepCounts: After how many steps to tell; at least 1.
    ///   - handler: Gets the number of steps and when they were counted, or a ``MotionError`` after which nothing
    ///     follows.
    public func startStepCountingUpdates(
        to queue: OperationQueue, updateOn stepCounts: Int,
        withHandler handler: @escaping @Sendable (Int, Date, (any Error)?) -> Void
    ) {
        let start = Date((try? access.coprocessor)?.beginning ?? Timestamp(Date()))
        let updates = access.updates { coprocessor, yield in
            var told = 0
            for try await standing in coprocessor.standings() {
                let data = try PedometerData(from: start, standing, coprocessor)
                let reached = data.steps / max(1, stepCounts)
                guard reached > told else { continue }
                told = reached
                yield(data)
            }
        }
        delivery.replace(
            with: Delivery(of: updates, to: queue) { result in
                switch result {
                case .success(let data): handler(data.steps, data.endDate, nil)
                case .failure(let error): handler(0, Date(), error)
                }
            })
    }

    /// Ends what ``startStepCountingUpdates(to:updateOn:withHandler:)`` began. The handler is not called any more.
    public func stopStepCountingUpdates() {
        delivery.replace(with: nil)
    }
}
