internal import Synchronization

/// Slows guesses of the token: after some wrong ones, an address may try one token a second.
///
/// Further tries are refused before the token is read, because the answer to a right one would otherwise show it.
final class GuessLimit: Sendable {
    /// The wrong tokens before the limit. A person mistypes fewer.
    private static let mostWrong = 20.0
    /// The addresses that are remembered. An address is forgotten after ``mostWrong`` seconds without a wrong token.
    private static let mostAddresses = 4096

    /// The wrong tokens of an address, of which one is forgiven each second.
    private struct Wrong {
        var count: Double
        var time: ContinuousClock.Instant

        func count(at now: ContinuousClock.Instant) -> Double { max(0, count - time.duration(to: now) / .seconds(1)) }
    }

    private let wrong = Mutex<[String: Wrong]>([:])

    /// Whether an address may try a token.
    func admits(_ address: String) -> Bool {
        wrong.withLock { ($0[address]?.count(at: .now) ?? 0) <= Self.mostWrong - 1 }
    }

    /// Counts a wrong token.
    func add(_ address: String) {
        let now = ContinuousClock.now
        wrong.withLock { wrong in
            wrong[address] = Wrong(count: (wrong[address]?.count(at: now) ?? 0) + 1, time: now)
            guard wrong.count > Self.mostAddresses else { return }
            wrong = wrong.filter { $0.value.count(at: now) > 0 }
            // So many addresses at a time belong to an attack, which a longer list does not slow.
            if wrong.count > Self.mostAddresses { wrong = [:] }
        }
    }
}
