internal import Footfall
internal import FootfallWire
internal import Foundation

/// Turns what a wall clock shows into moments. Asking the calendar and the zone is slow, so the day and the quarter of
/// an hour last asked for are kept: no zone changes its offset within a quarter of an hour.
struct LocalClock: Sendable {
    private let zone: TimeZone
    private let isUTC: Bool
    private var date = CivilDate(year: 1970, month: 1, day: 1)
    private var startOfDay: Int64 = 0
    private var quarter = Int64.min
    private var offset: Int64 = 0

    init(zone: TimeZone) {
        self.zone = zone
        isUTC = zone == .gmt || zone.identifier == "UTC"
    }

    /// The moment at which the clock shows `time`; nil when no such date exists or it is not supported.
    ///
    /// Of two moments with the same reading, when clocks go back, it is the first. A reading that clocks skip when
    /// they go forward is taken as if they had not yet been changed.
    mutating func timestamp(of time: CivilTime) -> Timestamp? {
        guard let newDate = time.date else { return nil }
        if newDate != date {
            guard let start = newDate.start else { return nil }
            date = newDate
            startOfDay = start.nanosecondsSince1970
        }
        let local = startOfDay + time.nanosecondOfDay
        let offset = time.offsetSeconds.map(Int64.init) ?? offset(at: local)
        let moment = Timestamp(nanosecondsSince1970: local - offset * 1_000_000_000)
        return Timestamp.supported.contains(moment) ? moment : nil
    }

    /// What the zone's clocks are ahead of UTC, in seconds, when they show `local` nanoseconds since 1970.
    private mutating func offset(at local: Int64) -> Int64 {
        guard !isUTC else { return 0 }
        let (newQuarter, _) = local.quotientAndRemainder(dividingBy: 900_000_000_000)
        if newQuarter != quarter {
            quarter = newQuarter
            offset = zone.offset(atLocalSecond: local / 1_000_000_000)
        }
        return offset
    }
}

extension TimeZone {
    /// What the zone's clocks are ahead of UTC, in seconds, when they show `local` seconds since 1970.
    func offset(atLocalSecond local: Int64) -> Int64 {
        func offset(_ second: Int64) -> Int64 {
            Int64(secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second))))
        }
        let before = offset(local - 86400)
        let after = offset(local + 86400)
        if before == after || offset(local - before) == before { return before }
        return offset(local - after) == after ? after : before
    }
}
