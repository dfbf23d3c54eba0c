internal import Footfall
internal import FootfallHistory
internal import Foundation

/// The coprocessor that an object was made with, or the default one at the moment it is needed: objects may be made
/// before that is set.
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
                    .motionActivityNotAvailable, "There is no motion to tell of. Set MotionCoprocessor.default first.")
            }
            return coprocessor
        }
    }

    /// The end of what is known already; nil when nothing is.
    var newest: Timestamp? { (try? coprocessor)?.newest }

    /// A sequence of what `work` yields, until it returns, throws, or nobody listens any more.
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
}

extension MotionCoprocessor {
    /// The part of a range that lies before now.
    ///
    /// - Throws: ``MotionError`` when it ends before it starts.
    func range(from start: Date, to end: Date) throws(MotionError) -> Range<Timestamp> {
        guard start <= end else {
            throw MotionError(.invalidParameter, "The range ends, at \(end), before it starts, at \(start).")
        }
        let start = Timestamp(start)
        return start..<max(start, min(Timestamp(end), now))
    }
}

extension Result {
    /// What went wrong, if anything.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
