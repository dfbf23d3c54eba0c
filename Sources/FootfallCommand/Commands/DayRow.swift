import Footfall
import FootfallMeasures
import FootfallReport
import Foundation

/// A row of `days.csv`: a day of the wearer's calendar and the values of its measures.
struct DayRow: Sendable {
    /// From midnight to midnight, clipped to the samples of the trace.
    let range: Range<Timestamp>
    let date: String
    let weekday: String
    let steps: Int
    let coverage: Double
    let nonWear: Double
    let durations: [Activity: Double]
    let isValid: Bool
    /// The values of ``Measure/ofDay``.
    let values: [Double?]
    let minutes: [DayMinute?]
    /// The totals with missing time of day filled; nil before they are computed, and where too much is missing.
    fileprivate var adjusted: DayMinute?

    /// Evaluates the measures of a day.
    ///
    /// - Parameters:
    ///   - part: The part of the day between the first sample and the last.
    ///   - leastWear: The wear of a valid day, in seconds.
    init(_ day: DayMeasures, _ part: Range<Timestamp>, leastWear: Double, in zone: TimeZone) {
        let noon = LocalTime(day.range.lowerBound.advanced(bySeconds: day.range.seconds / 2), in: zone)
        (range, date, weekday) = (part, noon.date, noon.weekday)
        (steps, coverage, nonWear, durations) = (day.steps, day.coverage, day.coverage - day.wear, day.durations)
        isValid = day.isValid(leastWear: leastWear)
        values = Measure.ofDay.map { $0.value(day) }
        minutes = day.minutes
    }

    /// The record with the columns of `days.csv`.
    var record: Record {
        let bucket: Record = [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("steps", .integer(steps)),
            ("coverage", .seconds(coverage)),
        ]
        let day: Record = [
            ("nonWear", .seconds(nonWear)), ("date", .string(date)), ("weekday", .string(weekday)),
            ("valid", .bool(isValid)),
        ]
        let measures = zip(Measure.ofDay, values).map { ($0.column.name, $0.json($1)) }
        return bucket + Activity.allCases.map { ($0.rawValue, .seconds(durations[$0] ?? 0)) } + day + measures
            + [
                ("adjustedSteps", .number(adjusted?.steps, decimals: 1)),
                ("adjustedOnFootMinutes", .number(adjusted.map { $0.onFoot / 60 }, decimals: 2)),
            ]
    }
}

extension [DayRow] {
    /// Fills the missing time of day of each day from the other days, which are of the same person.
    mutating func adjust() {
        let totals = AdjustedTotals(of: lazy.map(\.minutes))
        for index in indices { self[index].adjust(totals) }
    }
}

extension DayRow {
    fileprivate mutating func adjust(_ totals: AdjustedTotals) { adjusted = totals.totals(of: minutes) }
}
