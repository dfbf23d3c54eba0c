/// Selects one of several kinds of message that carry acceleration.
///
/// The first kind to arrive is used. After every ``block`` messages, a kind that is at least 1.5 times as frequent
/// replaces it. So a kind that stops is also replaced.
struct KindChoice: Sendable {
    /// The number of messages between two comparisons.
    static let block = 64

    private(set) var chosen: UInt32?
    private var counts: [UInt32: Int] = [:]
    private var total = 0

    /// Counts a message of this kind and returns whether to use it.
    mutating func takes(_ kind: UInt32) -> Bool {
        if chosen == nil { chosen = kind }
        counts[kind, default: 0] += 1
        total += 1
        if total == KindChoice.block { compare() }
        return kind == chosen
    }

    private mutating func compare() {
        // Of equally frequent kinds, the lowest number is chosen, so that the choice does not depend on hashing.
        let frequent = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let used = chosen.flatMap { counts[$0] } ?? 0
        if let frequent, frequent.value * 2 >= used * 3 { chosen = frequent.key }
        counts.removeAll(keepingCapacity: true)
        total = 0
    }
}
