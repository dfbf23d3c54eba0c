internal import Footfall
internal import FootfallHistory
internal import FootfallTables

/// The days with data of a week or a month of a long report.
struct ReportPeriod {
    enum Unit: String {
        case week
        case month
    }

    /// The longest time, in days, that is shown in weeks: a year.
    private static let mostDaysOfWeeks = 371.0

    let unit: Unit
    /// From the first to the last day with data.
    let total: ReportBucket
    /// The days with data.
    let days: Int

    /// The periods with data of a report, in order.
    static func all(of report: HistoryReport) -> [ReportPeriod] {
        let unit = (report.known?.seconds ?? 0) <= mostDaysOfWeeks * 86400 ? Unit.week : .month
        var groups: [(key: String, days: [ReportBucket])] = []
        for day in report.days.map(\.total) {
            let key = unit.key(of: day.start)
            if groups.last?.key == key {
                groups[groups.count - 1].days.append(day)
            } else {
                groups.append((key, [day]))
            }
        }
        return groups.compactMap { ReportPeriod(unit, $0.days, report.clock) }
    }

    private init?(_ unit: Unit, _ days: [ReportBucket], _ clock: WallClock) {
        guard let first = days.first, let last = days.last else { return nil }
        (self.unit, self.days) = (unit, days.count)
        total = ReportBucket(days, in: first.range.lowerBound..<last.range.upperBound, clock)
    }

    var stepsPerDay: Int { (total.steps + days / 2) / days }

    /// `November 2026`; of a week its first and last day with data, `16 Nov to 22 Nov`.
    var name: String {
        guard unit == .week else { return total.start.monthAndYear }
        let last = LocalTime(total.range.upperBound.advanced(bySeconds: -1e-9), in: total.timeZone)
        return last.date == total.start.date ? last.shortDate : "\(total.start.shortDate) to \(last.shortDate)"
    }

    /// `6 days with data`
    var dayCount: String { "\(NumberText.count(days, "day")) with data" }
}

extension ReportPeriod.Unit {
    /// A text that the days of a period share.
    fileprivate func key(of day: LocalTime) -> String {
        switch self {
        // 1 January 1970 was a Thursday, weeks start on Monday.
        case .week:
            String((Int64(day.secondsSince1970) + 3 * 86400).flooredQuotientAndRemainder(by: 7 * 86400).quotient)
        case .month: String(day.date.prefix(7))
        }
    }
}
