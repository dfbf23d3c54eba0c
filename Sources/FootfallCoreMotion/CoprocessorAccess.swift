internal import Footfall
internal import FootfallHistory
internal import FootfallReaders
internal import Foundation

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
