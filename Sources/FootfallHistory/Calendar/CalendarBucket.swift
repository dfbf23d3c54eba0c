package import Footfall
internal import FootfallReaders
package import Foundation

/// A bucket of local time.
public enum CalendarBucket: Hashable, Sendable {
    /// A number of minutes, counted from midnight. The last bucket of a day ends at midnight. The number is limited to
    /// 1...1440.
    case minutes(Int)
    /// From one full hour to the next.
    case hour
    /// From midnight to midnight: 23 or 25 hours if the clock changes.
    case day
    /// Seven days from the calendar's first weekday.
    case week
}

extension CalendarBucket {
    /// The most buckets of an answer: nearly two years of single minutes, in 48 MB. By the hour or longer, that is more
    /// than a century.
    public static let most = 1_000_000

    /// The number of buckets in a range, if the clock never changes.
    package func count(in range: Range<Timestamp>) -> Int {
        let perDay =
            switch self {
            case .minutes(let minutes): (1440 / Double(Self.width(minutes))).rounded(.up)
            case .hour: 24.0
            case .day: 1.0
            case .week: 1.0 / 7
            }
        return Int(clamping: range.upperBound.seconds(since: range.lowerBound) / 86400 * perDay)
    }

    /// Divides a range into buckets, one by one. Each calendar holds from its moment on.
    package func ranges(
        in range: Range<Timestamp>, _ calendars: [(since: Int64, calendar: Calendar)]
    ) -> some Sequence<Range<Timestamp>> {
        var start = range.lowerBound
        var index = 0
        // The end of a day costs more than that of a minute.
        var midnight = start
        return AnyIterator {
            guard start < range.upperBound else { return nil }
            while index + 1 < calendars.count, calendars[index + 1].since <= start.nanosecondsSince1970 {
                index += 1
                midnight = start
            }
            var end = next(after: start, calendars[index].calendar, &midnight)
            // If the zone changes inside a bucket, the bucket ends where the next one starts in the new zone: at once
            // where its clock has a later date.
            var probe = index
            while probe + 1 < calendars.count, calendars[probe + 1].since < end.nanosecondsSince1970 {
                probe += 1
                let since = Timestamp(nanosecondsSince1970: calendars[probe].since)
                if isNewDay(at: since, after: calendars[probe - 1].calendar, in: calendars[probe].calendar) {
                    end = since
                    break
                }
                let change = Timestamp(nanosecondsSince1970: calendars[probe].since - 1)
                midnight = start
                end = next(after: max(change, start), calendars[probe].calendar, &midnight)
                midnight = start
            }
            defer { start = min(end, range.upperBound) }
            return start..<min(end, range.upperBound)
        }
    }

    /// Whether the clock of another zone has a later date at a moment, where buckets are days.
    private func isNewDay(at moment: Timestamp, after one: Calendar, in other: Calendar) -> Bool {
        guard case .day = self else { return false }
        func date(_ calendar: Calendar) -> (Int, Int, Int) {
            let date = calendar.dateComponents([.year, .month, .day], from: Date(moment))
            return (date.year ?? 0, date.month ?? 0, date.day ?? 0)
        }
        return date(one) < date(other)
    }

    /// The first start of a bucket after a moment. `midnight` is the end of the moment's day, or an earlier moment
    /// where it is unknown.
    private func next(after moment: Timestamp, _ calendar: Calendar, _ midnight: inout Timestamp) -> Timestamp {
        switch self {
        case .week: return Self.end(of: .weekOfYear, at: moment, calendar)
        case .day: return Self.end(of: .day, at: moment, calendar)
        case .hour: return CalendarBucket.minutes(60).next(after: moment, calendar, &midnight)
        case .minutes(let minutes):
            let width = Int64(Self.width(minutes)) * 60
            if midnight <= moment { midnight = Self.end(of: .day, at: moment, calendar) }
            return min(midnight, Self.next(after: moment, width: width, calendar.timeZone))
        }
    }

    /// The minutes of a bucket for those that were asked for.
    private static func width(_ minutes: Int) -> Int { min(max(minutes, 1), 1440) }

    private static func end(of unit: Calendar.Component, at moment: Timestamp, _ calendar: Calendar) -> Timestamp {
        // A date is rounded to 0.1 µs, so it may lie in the next unit, whose start is then the result.
        guard let unit = calendar.dateInterval(of: unit, for: Date(moment)) else { return .supported.upperBound }
        let start = Timestamp(unit.start)
        if start > moment { return start }
        // An end that is not later would be an error of the calendar's data. A day's length ends the loop in any case.
        let end = Timestamp(unit.end)
        return end > moment ? end : moment.advanced(bySeconds: 86400)
    }

    /// The next moment whose local time is a multiple of `width` seconds since midnight, or at which the clock changes
    /// from or to such a time.
    private static func next(after moment: Timestamp, width: Int64, _ zone: TimeZone) -> Timestamp {
        let second: Int64 = 1_000_000_000
        let now = moment.nanosecondsSince1970.flooredQuotientAndRemainder(by: second).quotient
        func offset(_ seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
        }
        func clock(_ seconds: Int64, _ offset: Int64) -> Int64 {
            (seconds + offset).flooredQuotientAndRemainder(by: 86400).remainder
        }
        let old = offset(now)
        var end = now + width - clock(now, old) % width
        if offset(end) != old {
            var before = now
            var change = end
            while change - before > 1 {
                let middle = (before + change) / 2
                if offset(middle) == old { before = middle } else { change = middle }
            }
            let new = offset(change)
            let isBoundary = clock(change, old) % width == 0 || clock(change, new) % width == 0
            end = isBoundary ? change : change + width - clock(change, new) % width
        }
        return Timestamp(nanosecondsSince1970: end * second)
    }
}
