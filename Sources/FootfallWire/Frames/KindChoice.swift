/// Keeps to one of several kinds of message, where more than one carries acceleration.
///
/// Rule: the first kind to come is used. After every ``block`` messages, a kind that came at least half as often again as
/// the one in use takes over; that also covers a kind that has fallen silent.
struct KindChoice: Sendable {
    /// Messages between two looks at the counts.
    static let block = 64

    private(set) var chosen: UInt32?
    private var counts: [UInt32: Int] = [:]
    private var total = 0

    /// Whether a message of this kind is to be used.
    mutating func takes(_ kind: UInt32) -> Bool {
        if chosen == nil { chosen = kind }
        counts[kind, default: 0] += 1
        total += 1
        if total == KindChoice.block { look() }
        return kind == chosen
    }

    private mutating func look() {
        // Of kinds that are equally frequent the lowest number, so that the choice does not depend on hashing.
        let frequent = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        let used = chosen.flatMap { counts[$0] } ?? 0
        if let frequent, frequent.value * 2 >= used * 3 { chosen = frequent.key }
        counts.removeAll(keepingCapacity: true)
        total = 0
    }
}
