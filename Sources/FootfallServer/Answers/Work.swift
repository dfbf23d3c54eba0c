internal import FootfallHistory
internal import NIOHTTP1
internal import Synchronization

/// The work for one answer. It is over when the client has left, or when the time of an answer has passed.
///
/// Long answers have threads of their own, so that a short answer never waits for a long one.
final class Work: Sendable {
    /// An answer is long, and its thread makes only short ones.
    struct IsLong: Error {}

    /// The seconds from which on an answer is long: more than the activities of a day, less than its minutes.
    private static let longAnswer = 0.05

    private let end: ContinuousClock.Instant
    private let isAbandoned = Atomic(false)
    private let acceptsLong = Atomic(false)

    /// - Parameter limit: The time until the answer, with that in which it waits for others.
    init(limit: Duration) { end = .now + limit }

    /// Ends the work after its client has left.
    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    /// Allows a long answer from now on.
    func acceptLong() { acceptsLong.store(true, ordering: .relaxed) }

    var isOver: Bool { isAbandoned.load(ordering: .relaxed) || .now >= end }

    /// Ends the work when it is over.
    ///
    /// - Throws: ``Problem``.
    func check() throws(Problem) {
        guard isOver else { return }
        throw Problem(
            .serviceUnavailable,
            "The answer takes too long. Ask for a shorter range, or try again when fewer clients ask.",
            headers: [("Retry-After", "10")])
    }

    /// Begins an answer of a known cost.
    ///
    /// - Throws: ``IsLong`` where only short answers are allowed.
    func begin(_ cost: QueryCost) throws(IsLong) {
        guard cost.seconds < Self.longAnswer || acceptsLong.load(ordering: .relaxed) else { throw IsLong() }
    }
}
