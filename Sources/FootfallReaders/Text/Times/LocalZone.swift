/// The zone of local times: how far its clocks are ahead of UTC.
package struct LocalZone: Sendable {
    /// Its name in the time-zone database, `UTC`, or an offset such as `-04:00`.
    package let name: String
    package let isUTC: Bool
    private let offset: @Sendable (Int64) -> Int64

    /// - Parameter offset: Returns the seconds ahead of UTC at a moment, in seconds since 1970.
    package init(name: String, isUTC: Bool, offset: @escaping @Sendable (Int64) -> Int64) {
        (self.name, self.isUTC, self.offset) = (name, isUTC, offset)
    }

    /// How far the clocks are ahead of UTC at a local time, in seconds since 1970.
    package func offsets(atLocalSecond local: Int64) -> LocalOffsets {
        let before = offset(local - 86400)
        let after = offset(local + 86400)
        guard before != after else { return .once(before) }
        switch (offset(local - before) == before, offset(local - after) == after) {
        case (true, true): return .twice(before, after)
        case (true, false): return .once(before)
        case (false, true): return .once(after)
        case (false, false): return .never(before)
        }
    }
}

/// How far the clocks of a zone are ahead of UTC at a local time, in seconds.
package enum LocalOffsets {
    /// The time occurs once.
    case once(Int64)
    /// Clocks go back, and the time occurs before and after that.
    case twice(Int64, Int64)
    /// Clocks go forward past this time; the offset before that.
    case never(Int64)

    /// The offset of the first moment with this local time.
    package var first: Int64 {
        switch self {
        case .once(let offset), .twice(let offset, _), .never(let offset): offset
        }
    }
}
