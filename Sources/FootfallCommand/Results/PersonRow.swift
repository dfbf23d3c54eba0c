import Footfall
import FootfallAnswers
import FootfallMeasures

/// A row of `persons.csv`: the days of one person.
struct PersonRow: Sendable {
    let person: String
    /// The logs whose tables are read.
    let logs: Int
    /// The logs whose tables cannot be read.
    let unreadableLogs: Int
    let days: [DayRow]
    private let leastWear: Double

    init(_ person: String, logs: Int, unreadable: Int, _ days: [DayRow], leastWear: Double) {
        (self.person, self.logs, unreadableLogs) = (person, logs, unreadable)
        (self.days, self.leastWear) = (days, leastWear)
    }

    /// The days of a kind that are valid.
    func validDays(_ kind: DayKind = .all) -> [DayRow] {
        days.filter { $0.isValid && (kind == .all || $0.isWeekend == (kind == .weekend)) }
    }

    /// The median of a column over the valid days; nil without a value.
    func median(of column: String) -> Double? {
        guard let index = MeasureColumn.summarized.firstIndex(where: { $0.column.name == column }) else { return nil }
        return DaySummary(of: validDays().map { $0.numbers[index] }).median
    }

    /// The record with these columns of `persons.csv`.
    func record(of columns: [String]) -> Record {
        let values = Dictionary(uniqueKeysWithValues: record)
        return columns.map { ($0, values[$0] ?? .null) }
    }

    private var record: Record {
        let cutPoints = Set(days.compactMap(\.cutPoints)).sorted()
        var record: Record = [
            ("person", .string(person)), ("logs", .integer(logs)), ("logsUnreadable", .integer(unreadableLogs)),
            ("days", .integer(days.count)), ("validDays", .integer(validDays().count)),
            ("validWeekdays", .integer(validDays(.weekday).count)),
            ("validWeekendDays", .integer(validDays(.weekend).count)),
            ("validDayHours", .number(leastWear / 3600, decimals: 2)),
            ("cutPoints", cutPoints.isEmpty ? .null : .string(cutPoints.joined(separator: "; "))),
            ("firstDate", .text(days.lazy.compactMap(\.date).first)), ("lastDate", .text(days.last?.date)),
            ("totalSteps", days.isEmpty ? .null : .integer(days.reduce(0) { $0 + $1.steps })),
            ("totalWearHours", .number(days.isEmpty ? nil : days.reduce(0) { $0 + $1.wear } / 3600, decimals: 3)),
        ]
        record += DailyRhythm(of: days.flatMap(\.hours)).record
        let kinds = DayKind.allCases.map { ($0, validDays($0).map(\.numbers)) }
        for (index, column) in MeasureColumn.summarized.enumerated() {
            for (kind, rows) in kinds { record += column.record(of: rows.map { $0[index] }, kind) }
        }
        return record
    }
}
