internal import Footfall
internal import Foundation
internal import GRDB

extension MotionHistory {
    /// How often a read-only history checks for recordings of other processes.
    private static let pollInterval = Duration.milliseconds(200)

    /// The history's revision, now and after each recording or deletion by any process.
    ///
    /// ```swift
    /// for try await _ in history.revisions() { show(try history.summary(of: today)) }
    /// ```
    ///
    /// A slow consumer misses revisions, but never the newest. The sequence ends when its task is cancelled, and throws
    /// ``HistoryError`` if the history becomes unreadable. Changes by this object arrive at once, those of another
    /// process within 0.2 s.
    public func revisions() -> AsyncThrowingStream<Int, any Error> { updates { try $0.revision } }

    /// The steps of a range, now and whenever they change.
    ///
    /// ```swift
    /// for try await steps in history.stepUpdates(in: day, from: "pocket") {
    ///     print(steps.count)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - range: The range; may end in the future.
    ///   - source: The source; nil, the default, for the only one.
    /// - Returns: A sequence in which each answer differs from the one before, see ``revisions()``.
    public func stepUpdates(
        in range: some TimeRange, from source: String? = nil
    ) -> AsyncThrowingStream<StepCount, any Error> {
        let range = range.timestamps
        return updates { try $0.source(source).steps(in: range) }
    }

    /// The answer to a question, now and whenever it changes.
    ///
    /// ```swift
    /// for try await walks in history.updates({ try $0.source("pocket").bouts(in: day) }) { show(walks) }
    /// ```
    ///
    /// - Parameter question: Queries of one snapshot, and not of the history, as in ``read(_:)``. It runs again after
    ///   each change of the history.
    /// - Returns: A sequence in which each answer differs from the one before, see ``revisions()``. It throws
    ///   ``HistoryError``, or what the question throws, and then ends.
    public func updates<Answer: Sendable & Equatable>(
        _ question: @escaping @Sendable (HistorySnapshot) throws -> Answer
    ) -> AsyncThrowingStream<Answer, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [self] in
                do {
                    if isReadOnly {
                        try await poll(question) { continuation.yield($0) }
                    } else {
                        try checkAccess()
                        // SQLite reports no changes of tables without row ids, so the observed row is the revision.
                        let answers = ValueObservation.tracking { [url] db in
                            let snapshot = HistorySnapshot(url: url, db: db)
                            _ = try snapshot.revision
                            return try question(snapshot)
                        }
                        for try await answer in answers.removeDuplicates().values(in: database) {
                            continuation.yield(answer)
                        }
                    }
                    continuation.finish()
                } catch is CancellationError {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: HistoryError.translating(error, at: url))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Repeats a question whenever the revision grows: SQLite reports no changes of other processes.
    private func poll<Answer: Equatable>(
        _ question: (HistorySnapshot) throws -> Answer, _ yield: (Answer) -> Void
    ) async throws {
        var lastRevision: Int?
        var lastAnswer: Answer?
        while true {
            try Task.checkCancellation()
            let (revision, answer) = try read { snapshot in
                let revision = try snapshot.revision
                return (revision, revision == lastRevision ? lastAnswer : try question(snapshot))
            }
            if let answer, answer != lastAnswer { yield(answer) }
            (lastRevision, lastAnswer) = (revision, answer)
            try await Task.sleep(for: MotionHistory.pollInterval)
        }
    }
}
