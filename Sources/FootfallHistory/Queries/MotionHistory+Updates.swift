public import Footfall
public import Foundation
internal import GRDB

extension MotionHistory {
    /// How often a history that is open for reading looks whether another process has recorded something.
    private static let pollInterval = Duration.milliseconds(200)

    /// The history's revision, now and whenever something was recorded or deleted, by this or another process.
    ///
    /// ```swift
    /// for try await _ in history.revisions() { show(try history.summary(of: today)) }
    /// ```
    ///
    /// Who is slow misses revisions, but never the newest. The sequence ends when its task is cancelled, and throws
    /// ``HistoryError`` when the history can no longer be read. A writer's own recordings show at once, those of
    /// another process within a fifth of a second.
    public func revisions() -> AsyncThrowingStream<Int64, any Error> {
        updates { db in try db.integer("SELECT revision FROM history") ?? 0 }
    }

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
    ///   - source: Whose steps; may be left out when there is only one source.
    /// - Returns: A sequence of differing answers, see ``revisions()``.
    public func stepUpdates(
        in range: Range<Timestamp>, from source: String? = nil
    ) -> AsyncThrowingStream<StepCount, any Error> {
        updates { [url] db in try Inquiry(source, at: url, db).steps(in: range, db) }
    }

    /// The steps of an interval, now and whenever they change. See ``stepUpdates(in:from:)-(Range<Timestamp>,_)``.
    public func stepUpdates(
        in interval: DateInterval, from source: String? = nil
    ) -> AsyncThrowingStream<StepCount, any Error> {
        stepUpdates(in: Range(interval), from: source)
    }

    /// Answers of a question, each different from the one before.
    private func updates<Answer: Sendable & Equatable>(
        _ question: @escaping @Sendable (Database) throws -> Answer
    ) -> AsyncThrowingStream<Answer, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [self] in
                do {
                    if isReadOnly {
                        try await poll(question) { continuation.yield($0) }
                    } else {
                        // SQLite announces no changes of tables without row ids, so the revision is what is observed.
                        let answers = ValueObservation.tracking { db in
                            _ = try db.integer("SELECT revision FROM history")
                            return try question(db)
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

    /// Asks again whenever the revision has grown: SQLite tells nobody about the changes of other processes.
    private func poll<Answer: Equatable>(
        _ question: (Database) throws -> Answer, _ yield: (Answer) -> Void
    ) async throws {
        var lastRevision: Int64?
        var lastAnswer: Answer?
        while true {
            try Task.checkCancellation()
            let revision = try readBlocking { db in try db.integer("SELECT revision FROM history") }
            if revision != lastRevision {
                lastRevision = revision
                let answer = try readBlocking(question)
                if answer != lastAnswer {
                    lastAnswer = answer
                    yield(answer)
                }
            }
            try await Task.sleep(for: MotionHistory.pollInterval)
        }
    }

    /// The same as `read`, for asynchronous callers, which would otherwise get GRDB's asynchronous form.
    private func readBlocking<Answer>(_ question: (Database) throws -> Answer) throws -> Answer {
        try read(question)
    }
}
