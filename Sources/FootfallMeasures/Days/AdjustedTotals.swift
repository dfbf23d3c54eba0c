/// The totals of days, with the missing time of day filled from the other days of the same person.
///
/// Time without wear has no steps in the totals of a day, so days with less wear have lower totals. The adjusted totals of a
/// day follow from three rules. Their thresholds are those of `stepcount`:
///
/// 1. A minute is present with at least ``leastMinuteWear`` of wear. Another minute takes the mean of the same minute over the
///    days on which it is present. Minutes count from the start of the day.
/// 2. An hour is present with at least ``leastHourMinutes`` present or filled minutes.
/// 3. A day has totals with at least ``leastDayMinutes`` such minutes in present hours. The totals are those of these minutes.
///
/// ```swift
/// let days = ranges.map { DayMeasures(steps: steps, segments: segments, in: $0) }
/// let totals = AdjustedTotals(of: days.map(\.minutes))
/// print(days.compactMap { totals.totals(of: $0.minutes)?.steps })
/// ```
public struct AdjustedTotals: Sendable {
    /// The wear of a present minute, in seconds: 30.
    public static let leastMinuteWear = 30.0
    /// The minutes of a present hour: 50.
    public static let leastHourMinutes = 50
    /// The minutes of a day with totals: 1260, which is 21 h.
    public static let leastDayMinutes = 1260

    /// The mean of each minute over the days on which it is present.
    private let means: [DayMinute?]

    /// Computes the means of the minutes over the days of one person.
    ///
    /// - Parameter days: The minutes of each day, from its start; nil for a minute that is not present.
    public init(of days: some Sequence<[DayMinute?]>) {
        var sums: [(totals: DayMinute, count: Double)] = []
        for minutes in days {
            while sums.count < minutes.count { sums.append((DayMinute(steps: 0, onFoot: 0), 0)) }
            for (index, minute) in minutes.enumerated() {
                guard let minute else { continue }
                sums[index].totals.add(minute)
                sums[index].count += 1
            }
        }
        means = sums.map { totals, count in
            count > 0 ? DayMinute(steps: totals.steps / count, onFoot: totals.onFoot / count) : nil
        }
    }

    /// The adjusted totals of a day; nil if too many minutes are missing on all days.
    ///
    /// - Parameter minutes: The minutes of the day, from its start; nil for a minute that is not present.
    public func totals(of minutes: [DayMinute?]) -> DayMinute? {
        var (totals, count) = (DayMinute(steps: 0, onFoot: 0), 0)
        for first in stride(from: 0, to: minutes.count, by: 60) {
            let hour = (first..<min(first + 60, minutes.count)).compactMap { index in
                minutes[index] ?? (index < means.count ? means[index] : nil)
            }
            guard hour.count >= Self.leastHourMinutes else { continue }
            for minute in hour { totals.add(minute) }
            count += hour.count
        }
        return count >= Self.leastDayMinutes ? totals : nil
    }
}

extension DayMinute {
    fileprivate mutating func add(_ other: DayMinute) {
        steps += other.steps
        onFoot += other.onFoot
    }
}
