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
    /// The wear of a valid day, in seconds.
    let leastWear: Double

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
        let values = Dictionary(uniqueKeysWithValues: PersonSummary.table.record(of: PersonSummary(self)))
        return columns.map { ($0, values[$0] ?? .null) }
    }
}
