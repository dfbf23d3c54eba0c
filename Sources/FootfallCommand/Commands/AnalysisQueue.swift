import FootfallTraces
import Foundation
import Synchronization

/// Analyses traces side by side, and returns the results in the order of the traces.
struct AnalysisQueue {
    private typealias Outcome = (index: Int, result: Result<AnalyzedTrace, TraceError>)

    private let files: [TraceFile]
    private let jobs: Int

    /// Prepares a queue.
    ///
    /// - Parameter jobs: How many traces to analyse at a time; nil for as many as there are processors.
    init(_ files: [TraceFile], jobs: Int?) {
        self.files = files
        self.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Runs a job for each trace.
    ///
    /// - Parameter take: Receives the results, one by one, in the order of the traces.
    /// - Throws: What `take` throws, and the job where it is no `TraceError`. The remaining traces are then cancelled.
    func run(_ job: AnalysisJob, take: (Result<AnalyzedTrace, TraceError>) throws -> Void) async throws {
        let progress = QueueProgress(files)
        defer { progress.clear() }
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            var finished: [Int: Result<AnalyzedTrace, TraceError>] = [:]
            var (started, taken) = (0, 0)
            var running = 0
            // The second bound keeps results from piling up behind a slow trace.
            func startMore() {
                while running < jobs, started < min(files.count, taken + 2 * jobs) {
                    let (index, file) = (started, files[started])
                    group.addTask {
                        do {
                            return (index, .success(try job.run(file) { progress.update(index, $0) }))
                        } catch let error as TraceError {
                            return (index, .failure(error))
                        }
                    }
                    started += 1
                    running += 1
                }
            }
            startMore()
            while let outcome = try await group.next() {
                running -= 1
                progress.update(outcome.index, 1, isFinished: true)
                finished[outcome.index] = outcome.result
                while let result = finished.removeValue(forKey: taken) {
                    taken += 1
                    // After an interruption only the first trace has a result worth printing.
                    if Interruption.isRequested, taken > 1 { continue }
                    progress.clear()
                    try take(result)
                }
                startMore()
            }
        }
    }
}

/// The progress of several traces, as one bar.
private final class QueueProgress: Sendable {
    private struct State {
        var bar = ProgressBar()
        /// The share of each trace that is done, 0…1.
        var shares: [Double]
        /// The work that is done, in bytes.
        var done = 0.0
        var finishedTraces = 0
    }

    private let files: [TraceFile]
    private let total: Double
    private let state: Mutex<State>

    init(_ files: [TraceFile]) {
        self.files = files
        total = files.reduce(0) { $0 + Self.weight($1) }
        state = Mutex(State(shares: files.map { _ in 0 }))
    }

    /// The work in a trace: its size in bytes, where that is known.
    private static func weight(_ file: TraceFile) -> Double { Double(max(file.size, 1)) }

    func update(_ index: Int, _ share: Double, isFinished: Bool = false) {
        state.withLock { state in
            state.done += Self.weight(files[index]) * (share - state.shares[index])
            state.shares[index] = share
            if isFinished { state.finishedTraces += 1 }
            let label = files.count == 1 ? files[0].name : "\(state.finishedTraces) of \(files.count) traces"
            state.bar.update(label, fraction: state.done / total)
        }
    }

    func clear() {
        state.withLock { $0.bar.clear() }
    }
}
