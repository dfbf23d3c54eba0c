internal import FootfallHistory
internal import NIOHTTP1
internal import Synchronization

/// The work for one answer. It is over when the client has left, or when the time of an answer has passed.
///
/// Other threads make long answers than short ones, which therefore never wait for long ones.
final class Work: Sendable {
    /// The end of an attempt to make a long answer where short ones are made.
    struct IsLong: Error {}

    /// The seconds from which on an answer is long: more than the activities of a day, less than its minutes.
    private static let longAnswer = 0.05

    private let end: ContinuousClock.Instant
    private let isAbandoned = Atomic(false)
    private let acceptsLong = Atomic(false)

    /// - Parameter limit: The time until the answer, with that in which it waits for others.
    init(limit: Duration) { end = .now + limit }

    /// Ends the work, because nobody waits for the answer.
    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    /// Makes a long answer, too, from now on.
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
    /// - Throws: ``IsLong`` if other threads have to make it.
    func begin(_ cost: QueryCost) throws(IsLong) {
        guard cost.seconds < Self.longAnswer || acceptsLong.load(ordering: .relaxed) else { throw IsLong() }
    }
}
