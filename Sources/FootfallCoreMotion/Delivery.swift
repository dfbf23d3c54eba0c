internal import Foundation
internal import Synchronization

/// Hands the elements of a sequence to a handler on a queue, until it is stopped or given up.
final class Delivery: Sendable {
    private let isStopped = Flag()
    private let task: Task<Void, Never>

    /// Begins to deliver. An error is delivered as well; nothing is when the sequence just ends.
    init<Element: Sendable>(
        of elements: AsyncThrowingStream<Element, any Error>, to queue: OperationQueue,
        handler: @escaping @Sendable (Result<Element, any Error>) -> Void
    ) {
        task = Task { [isStopped] in
            func deliver(_ result: Result<Element, any Error>) {
                queue.addOperation { if !isStopped.isUp { handler(result) } }
            }
            do {
                for try await element in elements { deliver(.success(element)) }
            } catch {
                deliver(.failure(error))
            }
        }
    }

    deinit { stop() }

    /// Ends it: the handler is not called any more, though a call may be under way.
    func stop() {
        isStopped.raise()
        task.cancel()
    }

    private final class Flag: Sendable {
        private let state = Atomic(false)
        var isUp: Bool { state.load(ordering: .acquiring) }
        func raise() { state.store(true, ordering: .releasing) }
    }
}

/// Room for one delivery.
final class DeliverySlot: Sendable {
    private let delivery = Mutex<Delivery?>(nil)

    /// Stops the delivery there was, and keeps another one, if any.
    func replace(with next: Delivery?) {
        let last = delivery.withLock { delivery in
            defer { delivery = next }
            return delivery
        }
        last?.stop()
    }
}
