internal import Footfall
internal import FootfallMeasures
package import FootfallTables

/// A row of `persons.csv`: the days of one person.
public struct PersonRow: Sendable {
    /// The name.
    public let person: String
    /// The logs whose tables are read.
    public let logs: Int
    /// The logs whose tables cannot be read.
    public let unreadableLogs: Int
    /// The days with samples, in the order of time.
    public let days: [DayRow]
    /// What is left out of the days, as lines for the user.
    package let remarks: [String]
    private let leastWear: Double

    package init(_ person: String, logs: Int, unreadable: Int, _ days: [DayRow], leastWear: Double, remarks: [String]) {
        (self.person, self.logs, unreadableLogs) = (person, logs, unreadable)
        (self.days, self.leastWear, self.remarks) = (days, leastWear, remarks)
    }

    /// The days of a kind that are valid.
    package func validDays(_ kind: DayKind = .all) -> [DayRow] {
        days.filter { $0.isValid && (kind == .all || $0.isWeekend == (kind == .weekend)) }
    }

    /// The median of a column of `days.csv` over the valid days; nil without a value.
    public func median(of column: String) -> Double? {
        DaySummary(of: validDays().map { $0.value(of: column) }).median
    }

    /// The record with these columns of `persons.csv`.
    package func record(of columns: [String]) -> Record {
        let values = Dictionary(uniqueKeysWithValues: record)
        return columns.map { ($0, values[$0] ?? .null) }
    }

    private var record: Record {
        let cutPoints = Set(days.compactMap(\.cutPoints)).sorted()
        let calibrations = Set(days.flatMap(\.calibrations)).sorted()
        var record: Record = [
            ("person", .string(person)), ("logs", .integer(logs)), ("logsUnreadable", .integer(unreadableLogs)),
            ("days", .integer(days.count)), ("validDays", .integer(validDays().count)),
            ("validWeekdays", .integer(validDays(.weekday).count)),
            ("validWeekendDays", .integer(validDays(.weekend).count)),
            ("validDayHours", .number(leastWear / 3600, decimals: 2)),
            ("cutPoints", cutPoints.isEmpty ? .null : .string(cutPoints.joined(separator: "; "))),
            ("calibration", calibrations.isEmpty ? .null : .string(calibrations.joined(separator: "; "))),
            ("firstDate", .text(days.lazy.compactMap(\.date).first)), ("lastDate", .text(days.last?.date)),
            ("totalSteps", days.isEmpty ? .null : .integer(days.reduce(0) { $0 + $1.steps })),
            ("totalWearHours", .number(days.isEmpty ? nil : days.reduce(0) { $0 + $1.wear } / 3600, decimals: 3)),
        ]
        let steps = validDays().map(\.steps)
        record += [
            ("stepsMin", steps.min().map { .integer($0) } ?? .null),
            ("stepsMax", steps.max().map { .integer($0) } ?? .null),
        ]
        let hours = days.flatMap(\.hours)
        record += HourColumns.record(of: days.flatMap(\.hourlySteps), hours) + DailyRhythm(of: hours).record
        let kinds = DayKind.allCases.map { ($0, validDays($0).map(\.numbers)) }
        for (index, column) in MeasureColumn.summarized.enumerated() {
            for (kind, rows) in kinds { record += column.record(of: rows.map { $0[index] }, kind) }
        }
        return record
    }
}
