import Footfall
import FootfallHistory
import Foundation

/// The clock on the wall: how a moment reads where the wearer was, or in the zone that was asked for.
struct WallClock {
    /// The zone that was asked for; nil for where the wearer was at the time.
    let zone: TimeZone?
    /// Where the wearer was.
    let changes: [ZoneChange]

    /// The zone in force at a moment.
    func zone(at moment: Timestamp) -> TimeZone {
        zone ?? changes.last { $0.since <= moment }?.timeZone ?? changes.first?.timeZone ?? .gmt
    }

    /// A calendar for buckets in the zone that was asked for; nil for the wearer's.
    var calendar: Calendar? {
        zone.map { WallClock.calendar(in: $0) }
    }

    /// A moment to the second, `2026-11-20 08:00:00`.
    func local(_ moment: Timestamp) -> String {
        "\(date(moment)) \(time(moment)):\(WallClock.two(parts(moment).second))"
    }

    /// The day of a moment, `2026-11-20`.
    func date(_ moment: Timestamp) -> String {
        let parts = parts(moment)
        return "\(parts.year ?? 0)-\(WallClock.two(parts.month))-\(WallClock.two(parts.day))"
    }

    /// The time of day of a moment, `08:00`.
    func time(_ moment: Timestamp) -> String {
        let parts = parts(moment)
        return "\(WallClock.two(parts.hour)):\(WallClock.two(parts.minute))"
    }

    /// The day of the week of a moment.
    func weekday(_ moment: Timestamp) -> String {
        let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        return names[((parts(moment).weekday ?? 1) - 1) % 7]
    }

    /// Whole seconds since 1970 by the clock's own reckoning: midnights are multiples of 86400.
    func seconds(_ moment: Timestamp) -> Int {
        let seconds = Int((Double(moment.nanosecondsSince1970) * 1e-9).rounded())
        return seconds + zone(at: moment).secondsFromGMT(for: Date(moment))
    }

    private func parts(_ moment: Timestamp) -> DateComponents {
        WallClock.calendar(in: zone(at: moment)).dateComponents(
            [.year, .month, .day, .weekday, .hour, .minute, .second], from: Date(moment))
    }

    private static func calendar(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }

    /// A number in two digits at least.
    static func two(_ value: Int?) -> String {
        let value = value ?? 0
        return value < 10 ? "0\(value)" : String(value)
    }
}
