import Dispatch
import Foundation
import Synchronization

/// Independent pieces of work, done on several threads and handed over in their order, so that how many threads there are
/// changes nothing but the time it takes.
///
/// Workers run ahead of the hand-over by a few pieces at most: results do not pile up in memory.
final class OrderedWork<Input: Sendable, Output: Sendable>: Sendable {
    private struct State {
        var next = 0
        var finished: [Int: Output] = [:]
        /// How much of each piece that is being done is behind us, 0…1.
        var running: [Int: Double] = [:]
    }

    private let inputs: [Input]
    private let jobs: Int
    private let state = Mutex(State())
    /// How many more pieces may be begun.
    private let room = DispatchSemaphore(value: 0)
    private let news = DispatchSemaphore(value: 0)

    /// Prepares the work.
    ///
    /// - Parameter jobs: How many pieces to do at a time.
    init(_ inputs: [Input], jobs: Int) {
        self.inputs = inputs
        self.jobs = max(1, min(jobs, inputs.count))
        for _ in 0..<2 * self.jobs { room.signal() }
    }

    /// Does all of it.
    ///
    /// - Parameters:
    ///   - work: Does one piece, and tells from time to time which share of it, 0…1, is done.
    ///   - watch: Told several times a second how much each running piece has done, by its place among the inputs.
    ///   - take: Takes what came of a piece, on the calling thread. When it throws, the rest is left undone.
    func run(
        _ work: @escaping @Sendable (Input, _ progress: (Double) -> Void) -> Output,
        watch: ([Int: Double]) -> Void, take: (Int, Output) throws -> Void
    ) rethrows {
        for _ in 0..<jobs {
            Thread.detachNewThread { self.serve(work) }
        }
        for index in inputs.indices {
            while true {
                if let output = state.withLock({ $0.finished.removeValue(forKey: index) }) {
                    try take(index, output)
                    room.signal()
                    break
                }
                _ = news.wait(timeout: .now() + .milliseconds(100))
                watch(state.withLock { $0.running })
            }
        }
    }

    private func serve(_ work: (Input, (Double) -> Void) -> Output) {
        while true {
            room.wait()
            let index = state.withLock { state in
                defer { state.next += 1 }
                return state.next
            }
            guard index < inputs.count else { return }
            let output = work(inputs[index]) { fraction in state.withLock { $0.running[index] = fraction } }
            state.withLock {
                $0.running[index] = nil
                $0.finished[index] = output
            }
            news.signal()
        }
    }
}
