public import Footfall
internal import FootfallTables
public import Foundation

/// The totals of days, with the missing time of day filled from the other days of the same person.
///
/// Time without wear has no steps in the totals of a day, so days with less wear have lower totals. The adjusted totals
/// of a day follow from four rules, which are those of `stepcount`:
///
/// 1. A minute is present with at least ``leastMinuteWear`` of wear.
/// 2. Another minute takes the mean of the present minutes of the same five minutes of the clock: over the days of the
///    same day of the week; without one, over the weekdays or over the weekend days; without one, over all days. The
///    filled minutes of one of these means count in the next.
/// 3. An hour is present with at least ``leastHourMinutes`` present or filled minutes.
/// 4. A day has totals with at least ``leastDayMinutes`` such minutes in present hours. The totals are those of these
///   minutes.
///
/// ```swift
/// let days = ranges.map { AdjustedDay(DayMeasures(steps: steps, segments: segments, in: $0), in: zone) }
/// let totals = AdjustedTotals(of: days)
/// print(days.compactMap { totals.totals(of: $0)?.steps })
/// ```
public struct AdjustedTotals: Sendable {
    /// The wear of a present minute, in seconds: 30.
    public static let leastMinuteWear = 30.0
    /// The minutes of a present hour: 50.
    public static let leastHourMinutes = 50
    /// The minutes of a day with totals: 1260, which is 21 h.
    public static let leastDayMinutes = 1260

    /// The mean of a missing minute, by day of the week and five minutes of the clock; nil if no day has it.
    private let fillings: [[DayMinute?]]

    /// Computes the means of the minutes over the days of one person.
    public init(of days: some Sequence<AdjustedDay>) {
        var sums = [[MinuteSum]](
            repeating: .init(repeating: MinuteSum(), count: AdjustedDay.slots), count: AdjustedDay.kinds)
        for day in days {
            for (slot, minute) in zip(day.clock, day.minutes) { sums[day.kind][slot].add(minute) }
        }
        let groups = [AdjustedDay.allKinds.map { [$0] }, AdjustedDay.partsOfWeek, [AdjustedDay.allKinds]].joined()
        for slot in 0..<AdjustedDay.slots {
            for kinds in groups {
                let mean = kinds.reduce(into: MinuteSum()) { $0.add(sums[$1][slot]) }.mean
                for kind in kinds { sums[kind][slot].fill(with: mean) }
            }
        }
        fillings = sums.map { $0.map(\.filling) }
    }

    /// The adjusted totals of a day; nil if too many minutes are missing on all days.
    public func totals(of day: AdjustedDay) -> DayMinute? {
        var (totals, count) = (DayMinute(steps: 0, onFoot: 0), 0)
        for first in stride(from: 0, to: day.minutes.count, by: 60) {
            let hour = (first..<min(first + 60, day.minutes.count)).compactMap { index in
                day.minutes[index] ?? fillings[day.kind][day.clock[index]]
            }
            guard hour.count >= Self.leastHourMinutes else { continue }
            for minute in hour { totals.add(minute) }
            count += hour.count
        }
        return count >= Self.leastDayMinutes ? totals : nil
    }
}

/// The sum of the minutes of the same time of day.
private struct MinuteSum {
    private var totals = DayMinute(steps: 0, onFoot: 0)
    private var present = 0.0
    private var missing = 0.0
    /// The mean that the missing minutes took.
    private(set) var filling: DayMinute?

    var mean: DayMinute? {
        present > 0 ? DayMinute(steps: totals.steps / present, onFoot: totals.onFoot / present) : nil
    }

    mutating func add(_ minute: DayMinute?) {
        if let minute { totals.add(minute) }
        if minute == nil { missing += 1 } else { present += 1 }
    }

    mutating func add(_ other: MinuteSum) {
        totals.add(other.totals)
        present += other.present
    }

    /// Gives the missing minutes a mean, unless they have one.
    mutating func fill(with mean: DayMinute?) {
        guard filling == nil, let mean else { return }
        filling = mean
        totals.add(DayMinute(steps: mean.steps * missing, onFoot: mean.onFoot * missing))
        (present, missing) = (present + missing, 0)
    }
}

extension DayMinute {
    fileprivate mutating func add(_ other: DayMinute) {
        steps += other.steps
        onFoot += other.onFoot
    }
}

/// The minutes of a day, with the time of the clock that each has.
///
/// On a day of a clock change the minutes after the change have the time of the clock, not the time since midnight.
public struct AdjustedDay: Sendable {
    /// The five minutes of the clock in a day.
    static let slots = 288
    /// The kinds of days: Monday to Sunday, and a day without a date.
    static let kinds = 8
    static let allKinds = Array(0..<kinds)
    /// Monday to Friday, Saturday and Sunday, and days without a date.
    static let partsOfWeek = [[0, 1, 2, 3, 4], [5, 6], [7]]

    /// The minutes, from the start of the day; nil for a minute that is not present.
    public let minutes: [DayMinute?]
    /// The five minutes of the clock of each minute, from midnight.
    let clock: [Int]
    /// 0 for Monday to 6 for Sunday; 7 for a day without a date.
    let kind: Int

    /// Finds the time of the clock of each minute. Without a date of the log, the day of the week is unknown.
    public init(_ day: DayMeasures, in zone: TimeZone, isDated: Bool = true) {
        self.init(minutes: day.minutes, from: day.range.lowerBound, in: zone, isDated: isDated)
    }

    /// Finds the time of the clock of each minute.
    ///
    /// - Parameters:
    ///   - minutes: The minutes, from the start of the day; nil for a minute that is not present.
    ///   - start: Midnight in the zone of the wearer.
    ///   - zone: The zone of the wearer.
    ///   - isDated: Whether the log has a date. Without one, the day of the week is unknown.
    public init(minutes: [DayMinute?], from start: Timestamp, in zone: TimeZone, isDated: Bool = true) {
        self.minutes = minutes
        var offsets = ZoneOffsets(of: zone)
        func clockMinute(after seconds: Double) -> Int64 {
            let time = start.advanced(bySeconds: seconds)
            return time.minute + offsets.seconds(at: time) / 60
        }
        clock = minutes.indices.map { index in
            let minute = clockMinute(after: 60 * Double(index)).flooredQuotientAndRemainder(by: 1440).remainder
            return Int(minute / 5)
        }
        let day = clockMinute(after: 43_200).flooredQuotientAndRemainder(by: 1440).quotient
        // 1970 started on a Thursday.
        kind = isDated ? Int((day + 3).flooredQuotientAndRemainder(by: 7).remainder) : 7
    }
}
