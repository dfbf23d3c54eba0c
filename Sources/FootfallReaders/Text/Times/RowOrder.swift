internal import Footfall

/// Resolves local times at a change of the clock, from the order of the rows.
///
/// In autumn an hour occurs twice. A row is in its second pass if the first pass would be before the row above, by more
/// than half of the change. Smaller steps back are rows out of order.
///
/// Some loggers do not set their clock when local time changes, so their rows continue without a jump. In spring they
/// pass an hour that does not exist in the zone. In autumn they pass only once the hour that occurs twice. Such rows
/// keep the offset before the change.
package struct RowOrder: Sendable {
    /// The time of the row above; for the first row, the earliest supported time.
    var previous = Timestamp.supported.lowerBound
    /// How far the clock of the row above was ahead of UTC, in seconds; nil before the first row.
    private var offset: Int64?
    /// The same of the last row whose local time occurs once.
    private var certainOffset: Int64?
    /// How far a clock that was not set is ahead of UTC, in seconds; nil for another clock.
    private(set) var keptOffset: Int64?

    /// The longest step between rows that continue, in nanoseconds.
    private static let longestStep: Int64 = 60_000_000_000

    /// How far the clock of the next row is ahead of UTC, in seconds.
    ///
    /// - Parameter local: The time on that clock, in nanoseconds since 1970.
    mutating func offset(_ offsets: LocalOffsets, at local: Int64) -> Int64 {
        if let keptOffset { return keptOffset }
        switch offsets {
        case .once(let found):
            if let before = offset, before != found, continues(local, with: before) { return before }
            (offset, certainOffset) = (found, found)
            return found
        case .twice(let first, let second):
            let isSecond = step(to: local, with: first) < (second - first) * 500_000_000
            offset = isSecond ? second : first
            return isSecond ? second : first
        case .never(let before):
            if !continues(local, with: before) { offset = before }
            return before
        }
    }

    /// Whether the clock goes on without a change. It then keeps its offset.
    private mutating func continues(_ local: Int64, with before: Int64) -> Bool {
        guard before == certainOffset, abs(step(to: local, with: before)) <= Self.longestStep else { return false }
        keptOffset = before
        return true
    }

    /// The nanoseconds from the row above.
    private func step(to local: Int64, with offset: Int64) -> Int64 {
        local - offset * 1_000_000_000 - previous.nanosecondsSince1970
    }
}
