internal import Footfall

/// Converts the date-times of a table to moments, in a zone where they state none. Calendars and zones are slow. So the
/// clock keeps three results: the start of the last day; the offset of the last quarter of an hour, since no zone
/// changes its offset within one; and the last minute as written, which `plainTime(_:at:after:)` uses.
struct LocalClock: Sendable {
    let parser: CivilTimeParser
    private let zone: LocalZone
    private var date = CivilDate(year: 1970, month: 1, day: 1)
    private var startOfDay: Int64 = 0
    private var quarter = Int64.min
    private var offsets = LocalOffsets.once(0)
    /// The order of the rows.
    var order = RowOrder()
    var minute = Minute()

    /// A minute as written, such as `2013-10-21 10:00`.
    struct Minute {
        /// Nil before the first.
        var characters: SIMD2<UInt64>?
        /// The start on the clock of the text, in nanoseconds since 1970.
        var start: Int64 = 0
        /// How far that clock is ahead of UTC where the text states no zone, in nanoseconds.
        var offset: Int64 = 0

        /// The characters before the seconds and their colon.
        static let length = 16
        /// In nanoseconds.
        static let nanoseconds: Int64 = 60_000_000_000
    }

    init(_ parser: CivilTimeParser = CivilTimeParser(), zone: LocalZone) {
        self.parser = parser
        self.zone = zone
    }

    /// The moment of a civil time; nil when its date does not exist or is not supported. When clocks go back, the order
    /// of the rows tells the two moments of a time that occurs twice; see ``RowOrder``. When clocks go forward, a
    /// skipped time is read with the offset before the change.
    mutating func timestamp(of time: CivilTime) -> Timestamp? {
        guard let newDate = time.date else { return nil }
        if newDate != date {
            guard let start = newDate.start else { return nil }
            date = newDate
            startOfDay = start.nanosecondsSince1970
        }
        return timestamp(atLocal: startOfDay + time.nanosecondOfDay, offset: time.offsetSeconds.map(Int64.init))
    }

    /// The moment of a local time, in nanoseconds since 1970; nil if it is not supported. The offset from UTC is in
    /// seconds; nil for that of the zone.
    mutating func timestamp(atLocal local: Int64, offset: Int64? = nil) -> Timestamp? {
        let offset = offset ?? self.offset(at: local)
        let moment = Timestamp(nanosecondsSince1970: local - offset * 1_000_000_000)
        return Timestamp.supported.contains(moment) ? moment : nil
    }

    /// Seconds ahead of UTC at a local time, in nanoseconds since 1970.
    private mutating func offset(at local: Int64) -> Int64 {
        guard !zone.isUTC else { return 0 }
        let (newQuarter, _) = local.quotientAndRemainder(dividingBy: 900_000_000_000)
        if newQuarter != quarter {
            quarter = newQuarter
            offsets = zone.offsets(atLocalSecond: local / 1_000_000_000)
        }
        return order.offset(offsets, at: local)
    }
}

/// The zone of local times: how far its clocks are ahead of UTC.
package struct LocalZone: Sendable {
    /// Its name in the time-zone database, `UTC`, or an offset such as `-04:00`.
    package let name: String
    package let isUTC: Bool
    private let offset: @Sendable (Int64) -> Int64

    /// A zone whose `offset` returns the seconds ahead of UTC at a moment, in seconds since 1970.
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

    /// How far the clock of the next row is ahead of UTC, in seconds, at its local time in nanoseconds since 1970.
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
