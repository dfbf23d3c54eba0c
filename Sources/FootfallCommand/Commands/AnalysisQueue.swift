import FootfallHistory
import FootfallReaders
import FootfallStudy
import Foundation
import Synchronization

/// Analyzes traces in parallel. The results come in the order of the traces.
struct AnalysisQueue {
    /// The time that jobs have to stop after a signal. A job that still waits for a pipe is abandoned.
    private static let stopTime = Duration.milliseconds(400)

    private let files: [TraceFile]
    private let jobs: Int

    /// Prepares a queue with `jobs` traces at a time; nil for as many as there are processors.
    init(_ files: [TraceFile], jobs: Int?) {
        self.files = files
        self.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Runs a job for each trace, each on a thread of its own, and `take` receives the results, one by one, in the
    /// order of the traces. After a signal it receives those of the finished jobs, and of a single trace that of the
    /// part that was read; the traces without a complete result are returned. Throws what `take` throws, and the error
    /// of a history, which all jobs share; the remaining jobs then stop. Any other error of a job is the result of its
    /// trace.
    func run(
        _ job: AnalysisJob, take: (Result<AnalyzedTrace, any Error>) throws -> Void
    ) throws -> [TraceFile] {
        let progress = QueueProgress(files)
        defer { progress.clear() }
        let outcomes = Outcomes()
        defer { outcomes.isStopped.store(true, ordering: .relaxed) }
        var finished: [Int: Result<AnalyzedTrace, any Error>] = [:]
        var missing = Set(files.indices)
        var (started, taken, running) = (0, 0, 0)
        var deadline: ContinuousClock.Instant?
        func takeResult(_ index: Int) throws {
            guard let result = finished.removeValue(forKey: index) else { return }
            progress.clear()
            try take(result)
        }
        repeat {
            // The second bound keeps results from piling up behind a slow trace.
            while running < jobs, started < min(files.count, taken + 2 * jobs), deadline == nil {
                outcomes.start(job, files[started], started, progress)
                started += 1
                running += 1
            }
            if Interruption.isRequested { deadline = deadline ?? .now + Self.stopTime }
            if let (index, result) = outcomes.next() {
                running -= 1
                // All jobs share the history.
                if case .failure(let error as HistoryError) = result, error.url != nil, error.url == job.history?.url {
                    throw error
                }
                guard deadline == nil || result.isComplete || files.count == 1 else { continue }
                if result.isComplete { missing.remove(index) }
                finished[index] = result
                while finished[taken] != nil {
                    try takeResult(taken)
                    taken += 1
                }
            } else if let deadline, deadline < .now {
                break
            }
        } while running > 0 || started < files.count && deadline == nil
        for index in finished.keys.sorted() { try takeResult(index) }
        return missing.sorted().map { files[$0] }
    }
}

/// The results of jobs, as they end.
private final class Outcomes: Sendable {
    let isStopped = Atomic(false)
    private let waiting = Mutex<[(index: Int, result: Result<AnalyzedTrace, any Error>)]>([])
    private let count = DispatchSemaphore(value: 0)

    func start(_ job: AnalysisJob, _ file: TraceFile, _ index: Int, _ progress: QueueProgress) {
        Thread.detachNewThread { [self] in
            let isStopped = { self.isStopped.load(ordering: .relaxed) || Interruption.isRequested }
            let result = Result { try job.run(file, unless: isStopped) { progress.update(index, $0) } }
            progress.update(index, 1, isFinished: true)
            waiting.withLock { $0.append((index, result)) }
            count.signal()
        }
    }

    /// The next result; nil after 0.1 s without one.
    func next() -> (index: Int, result: Result<AnalyzedTrace, any Error>)? {
        guard count.wait(timeout: .now() + .milliseconds(100)) == .success else { return nil }
        return waiting.withLock { $0.removeFirst() }
    }
}

extension Result<AnalyzedTrace, any Error> {
    /// Whether the trace was read to its end. A failure after a signal may be due to the signal.
    fileprivate var isComplete: Bool { (try? get().analysis).map { !$0.isInterrupted } ?? !Interruption.isRequested }
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

    /// The work in a trace: its size in bytes, or 1 if that is unknown.
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

    func clear() { state.withLock { $0.bar.clear() } }
}
