internal import Footfall
internal import FootfallHistory
internal import Foundation
internal import Synchronization

/// The coprocessor of an object: its own, or the default one at the time of each call, which may be set later.
struct CoprocessorAccess: Sendable {
    private let own: MotionCoprocessor?

    init(_ own: MotionCoprocessor?) {
        self.own = own
    }

    /// The coprocessor.
    ///
    /// - Throws: ``MotionError`` when there is none.
    var coprocessor: MotionCoprocessor {
        get throws(MotionError) {
            guard let coprocessor = own ?? MotionCoprocessor.default else {
                throw MotionError(
                    .motionActivityNotAvailable, "There is no motion coprocessor. Set MotionCoprocessor.default first.")
            }
            return coprocessor
        }
    }

    /// A sequence of the elements that `work` yields, until `work` returns or throws, or the reader is cancelled.
    func updates<Update: Sendable>(
        _ work: @escaping @Sendable (MotionCoprocessor, _ yield: (Update) -> Void) async throws -> Void
    ) -> AsyncThrowingStream<Update, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await work(coprocessor) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The changes of activity that begin after this call, preceded by the current activity.
    func activityChanges() -> AsyncThrowingStream<MotionActivity, any Error> {
        let start = (try? coprocessor)?.newest
        return updates { coprocessor, yield in
            var changes = ActivityChanges(coprocessor, since: start)
            for try await state in coprocessor.liveStates() {
                for activity in try changes.next(state) { yield(activity) }
            }
        }
    }
}

extension MotionCoprocessor {
    /// The part of a range before now.
    ///
    /// - Throws: ``MotionError`` when the range ends before it starts.
    func range(from start: Date, to end: Date) throws(MotionError) -> Range<Timestamp> {
        guard start <= end else {
            throw MotionError(.invalidParameter, "The range ends, at \(end), before it starts, at \(start).")
        }
        let start = Timestamp(start)
        return start..<max(start, min(Timestamp(end), now))
    }
}

/// Delivers the elements of one sequence at a time to a handler on a queue.
final class Delivery: Sendable {
    /// The number of the current sequence and the task that reads it.
    private let current = Mutex<(number: Int, task: Task<Void, Never>?)>((0, nil))

    deinit { stop() }

    /// Delivers elements, and the error if the sequence throws one. A sequence that was started before is stopped.
    func start<Element: Sendable>(
        _ elements: AsyncThrowingStream<Element, any Error>, on queue: OperationQueue,
        handler: @escaping @Sendable (Result<Element, any Error>) -> Void
    ) {
        let number = stop()
        let isCurrent: @Sendable () -> Bool = { [weak self] in self?.current.withLock { $0.number == number } ?? false }
        let task = Task {
            var previous: Operation?
            func deliver(_ result: Result<Element, any Error>) {
                let operation = BlockOperation { if isCurrent() { handler(result) } }
                // A queue that runs several operations at a time would change their order.
                if let previous { operation.addDependency(previous) }
                // An operation keeps those that it depends on, and so all before.
                operation.completionBlock = { [weak operation] in
                    for previous in operation?.dependencies ?? [] { operation?.removeDependency(previous) }
                }
                previous = operation
                queue.addOperation(operation)
            }
            do {
                for try await element in elements { deliver(.success(element)) }
            } catch {
                deliver(.failure(error))
            }
        }
        current.withLock { current in
            if current.number == number { current.task = task } else { task.cancel() }
        }
    }

    /// Stops the sequence: no call of the handler begins after this one returns. Returns the number of the next sequence.
    @discardableResult
    func stop() -> Int {
        current.withLock { current in
            current.task?.cancel()
            current = (current.number + 1, nil)
            return current.number
        }
    }
}
