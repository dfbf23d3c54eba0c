public import Footfall
internal import FootfallReaders
internal import FootfallTables
public import Foundation

/// The clock of a wearer who may travel, or of one chosen time zone.
package struct WallClock: Hashable, Sendable {
    /// The chosen zone; nil for the wearer's zone at each moment.
    let zone: TimeZone?
    let changes: [ZoneChange]

    /// Creates the clock of a chosen zone or, without one, of a wearer's zones in the order of time.
    package init(zone: TimeZone?, changes: [ZoneChange] = []) {
        self.zone = zone
        self.changes = changes
    }

    /// The zone in force at a moment. The first zone holds before its start, too.
    package func zone(at moment: Timestamp) -> TimeZone {
        zone ?? changes.last { $0.since <= moment }?.timeZone ?? changes.first?.timeZone ?? .gmt
    }

    /// The calendar of buckets in the chosen zone; nil for the wearer's.
    package var calendar: Calendar? { zone.map { Calendar(.iso8601, in: $0) } }

    /// The local time at a moment.
    package func local(_ moment: Timestamp) -> LocalTime { LocalTime(moment, in: zone(at: moment)) }

    /// Whether the clock has more than one offset at these moments, so that one reading may be that of two of them.
    package func changesOffset(at moments: some Sequence<Timestamp>) -> Bool {
        Set(moments.map { zone(at: $0).offset(at: $0) }).count > 1
    }
}

/// The start of a wearer's stay in a time zone.
public struct ZoneChange: Hashable, Sendable {
    /// The moment from which the zone holds. For the first zone this is the beginning of
    /// ``/Footfall/Timestamp/supported``.
    public let since: Timestamp
    /// The zone.
    public let timeZone: TimeZone
}

/// The local date and time of day at a moment.
package struct LocalTime {
    /// `2026-11-20`
    package let date: String
    /// `Friday`
    package let weekday: String
    /// `08:00:12`
    package let second: String
    /// The offset from UTC in seconds.
    package let offset: Int
    /// Whole local seconds since 1970, to the nearest: midnights are multiples of 86400.
    package let secondsSince1970: Int

    package init(_ moment: Timestamp, in zone: TimeZone) {
        offset = Int(zone.offset(at: moment))
        secondsSince1970 = Int(clamping: moment.seconds(since: .epoch).rounded()) + offset
        let local = moment.advanced(bySeconds: Double(offset))
        let text = local.description
        date = String(text.prefix(10))
        second = String(text.dropFirst(11).prefix(8))
        let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
        // In whole nanoseconds: as a Double, a midnight may be in the day before.
        let days = local.nanosecondsSince1970.flooredQuotientAndRemainder(by: 86_400_000_000_000).quotient
        weekday = names[Int(days.flooredQuotientAndRemainder(by: 7).remainder)]
    }

    /// `08:00`
    package var minute: String { String(second.prefix(5)) }
    /// `Friday 2026-11-20`
    package var day: String { "\(weekday) \(date)" }
    /// `Fri 20`, for people.
    package var shortDay: String { "\(weekday.prefix(3)) \(dayOfMonth)" }
    /// `20 Nov`, likewise. Its spaces do not break.
    package var shortDate: String { "\(dayOfMonth)\u{A0}\(month.prefix(3))" }
    /// `Fri 20 November`, likewise.
    package var dayAndMonth: String { "\(weekday.prefix(3))\u{A0}\(dayOfMonth)\u{A0}\(month)" }
    /// `Fri 20 November 2026`, likewise.
    package var fullDay: String { "\(dayAndMonth)\u{A0}\(date.prefix(4))" }

    /// `November 2026`, likewise.
    package var monthAndYear: String { "\(month)\u{A0}\(date.prefix(4))" }

    private var dayOfMonth: Substring { date.suffix(2).drop { $0 == "0" } }
    private var month: String { Self.months[(Int(date.dropFirst(5).prefix(2)) ?? 1) - 1] }
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// `2026-11-20 08:00:12`
    package var full: String { "\(date) \(second)" }
    /// The same or, with the offset, `2026-11-20 08:00:12+01:00`.
    package func full(hasOffset: Bool) -> String { full + (hasOffset ? zone : "") }
    /// `+01:00`
    package var zone: String { Timestamp.offsetText(seconds: offset) }
}

extension TimeZone {
    /// The zone for a person: as outputs state it, with `UTC` before an offset.
    package var name: String { ("+-".contains(statedName.prefix(1)) ? "UTC" : "") + statedName }
}
