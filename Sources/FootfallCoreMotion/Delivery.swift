internal import Foundation
internal import Synchronization

/// Delivers the elements of one sequence at a time to a handler.
final class Delivery: Sendable {
    /// The number of the current sequence and the task that reads it.
    private let current = Mutex<(number: Int, task: Task<Void, Never>?)>((0, nil))

    deinit { stop() }

    /// Delivers elements, and the error if the sequence throws one. A sequence that was started before is stopped.
    /// `queue` is the queue that calls a handler of no actor. `actor` is the actor of the handler, which calls it; nil
    /// for a handler of no actor.
    func start<Element: Sendable>(
        _ elements: AsyncThrowingStream<Element, any Error>, on queue: OperationQueue, or actor: (any Actor)?,
        handler: nonisolated(nonsending) @escaping @Sendable (Result<Element, any Error>) async -> Void
    ) {
        let number = stop()
        let isCurrent: @Sendable () -> Bool = { [weak self] in self?.current.withLock { $0.number == number } ?? false }
        // On the actor, so that nothing else of the actor, such as `stop`, runs between the check and the handler.
        @Sendable func deliver(_ result: Result<Element, any Error>, on actor: isolated (any Actor)?) async {
            if isCurrent() { await handler(result) }
        }
        let task = Task(executorPreference: queue.executor(or: actor)) {
            do {
                for try await element in elements { await deliver(.success(element), on: actor) }
            } catch {
                await deliver(.failure(error), on: actor)
            }
        }
        current.withLock { current in
            if current.number == number { current.task = task } else { task.cancel() }
        }
    }

    /// Stops the sequence. On the actor or the serial queue of the handler, no call of it begins after this one
    /// returns. On another thread, one more may begin. Returns the number of the next sequence.
    @discardableResult
    func stop() -> Int {
        let (number, task) = current.withLock { current in
            let task = current.task
            current = (current.number + 1, nil)
            return (current.number, task)
        }
        task?.cancel()
        return number
    }
}

/// Runs the jobs of tasks as operations of a queue.
final class QueueExecutor: TaskExecutor {
    private let queue: OperationQueue

    init(_ queue: OperationQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension OperationQueue {
    /// The executor of a task that calls a handler: this queue, or none for the handler of an actor. A task that
    /// prefers an executor enqueues each call of an actor again, even on the actor itself (SE-0417). Between a check on
    /// the actor and the handler, other work of the actor could then run.
    func executor(or actor: (any Actor)?) -> QueueExecutor? { actor == nil ? QueueExecutor(self) : nil }
}
