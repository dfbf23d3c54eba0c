internal import Footfall
internal import Foundation

/// The times of the clock at which a person goes to bed and gets up.
struct NightTimes: Hashable, Sendable {
    /// Minutes after midnight.
    private let bed: Int
    private let rise: Int

    /// Reads times such as `22:30-06:30`; nil for anything else, and for two equal times.
    init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
        guard times.count == 2, let bed = times[0], let rise = times[1], bed != rise else { return nil }
        (self.bed, self.rise) = (bed, rise)
    }

    /// The minutes after midnight of a time such as `22:30`.
    static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }), let hour = Int(parts[0]), hour < 24,
            let minute = Int(parts[1]), minute < 60
        else { return nil }
        return 60 * hour + minute
    }

    /// The night that starts on the date of a moment, in the wearer's zone. A time that the clock skips is the first
    /// one after it; of a time that the clock repeats, the first one counts.
    func night(startingOnDayOf moment: Timestamp, in zone: TimeZone) -> Range<Timestamp>? {
        guard let start = zone.time(bed, onDayOf: moment),
            let end = zone.time(rise, days: rise < bed ? 1 : 0, onDayOf: moment), start < end
        else {
            return nil
        }
        return start..<end
    }
}

extension TimeZone {
    /// A time of the clock, in minutes after midnight, some days after the date of a moment. A time that the clock
    /// skips is the first one after it; of a time that the clock repeats, the first one counts.
    func time(_ minutes: Int, days: Int = 0, onDayOf moment: Timestamp) -> Timestamp? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = self
        let date = Date(timeIntervalSince1970: moment.seconds(since: .epoch))
        let day = calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: date))
        return day.flatMap { day in
            calendar.date(
                bySettingHour: minutes / 60, minute: minutes % 60, second: 0, of: day, matchingPolicy: .nextTime,
                repeatedTimePolicy: .first)
        }.flatMap { Timestamp(secondsSince1970: $0.timeIntervalSince1970) }
    }
}
