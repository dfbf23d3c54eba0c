package import FootfallTables

/// A program whose column names `summarize --names` writes.
package enum NamingProgram: String, CaseIterable, Sendable {
    case stepcount
    case ggir
}

/// A column of days or persons under the name that another program gives to the same definition. Columns whose
/// definitions differ are left out; the page ColumnNames lists them.
struct NamedColumn: Sendable {
    /// The column of `days.csv` or `persons.csv`.
    let column: String
    let name: String
    /// The number of the column's units in one unit of the program: 24 for hours that become days.
    var divisor = 1.0
    /// Whether the definitions agree only without missing data: a day that is worn from midnight to midnight, or a
    /// person whose days are all valid. Otherwise the value is empty.
    var needsAll = false

    static func days(of program: NamingProgram) -> [NamedColumn] {
        switch program {
        case .stepcount:
            [
                NamedColumn(column: "person", name: "Filename"), NamedColumn(column: "date", name: "Date"),
                NamedColumn(column: "steps", name: "Steps"), NamedColumn(column: "enmoMg", name: "ENMO(mg)"),
            ]
        case .ggir:
            [
                NamedColumn(column: "person", name: "ID"), NamedColumn(column: "date", name: "calendar_date"),
                NamedColumn(column: "weekday", name: "weekday"), NamedColumn(column: "coverageHours", name: "N hours"),
                NamedColumn(column: "wearHours", name: "N valid hours"),
                NamedColumn(column: "enmoMg", name: "mean_ENMO_mg_0-24hr", needsAll: true),
                NamedColumn(column: "intensityGradient", name: "ig_gradient_ENMO_0-24hr", needsAll: true),
                NamedColumn(column: "intensityIntercept", name: "ig_intercept_ENMO_0-24hr", needsAll: true),
                NamedColumn(column: "intensityRSquared", name: "ig_rsquared_ENMO_0-24hr", needsAll: true),
            ]
        }
    }

    static func persons(of program: NamingProgram) -> [NamedColumn] {
        switch program {
        case .stepcount:
            [
                NamedColumn(column: "person", name: "Filename"),
                NamedColumn(column: "totalSteps", name: "TotalSteps"),
                NamedColumn(column: "totalWearHours", name: "WearTime(days)", divisor: 24),
            ]
                + [
                    ("stepsMean", "StepsDayAvg"), ("stepsMedian", "StepsDayMed"), ("stepsMin", "StepsDayMin"),
                    ("stepsMax", "StepsDayMax"), ("stepsWeekdayMean", "StepsDayAvg_Weekday"),
                    ("stepsWeekdayMedian", "StepsDayMed_Weekday"), ("stepsWeekendMean", "StepsDayAvg_Weekend"),
                    ("stepsWeekendMedian", "StepsDayMed_Weekend"),
                ].map { NamedColumn(column: $0, name: $1, needsAll: true) }
        case .ggir:
            [
                NamedColumn(column: "person", name: "ID"),
                NamedColumn(column: "validWeekendDays", name: "N valid WEdays"),
                NamedColumn(column: "validWeekdays", name: "N valid WKdays"),
            ]
        }
    }

    /// The record of a row of the table, from one with the columns of Footfall. `isWhole` states whether no data is
    /// missing.
    static func record(_ columns: [NamedColumn], of row: Record, isWhole: Bool) -> Record {
        let values = Dictionary(uniqueKeysWithValues: row)
        return columns.map { column in
            let value = values[column.column] ?? .null
            guard isWhole || !column.needsAll else { return (column.name, .null) }
            guard column.divisor != 1, case .number(let number, _) = value else { return (column.name, value) }
            return (column.name, .number(number.map { $0 / column.divisor }, decimals: 5))
        }
    }

    /// The description of this column in a table of `days.csv` or `persons.csv`.
    fileprivate func described(in table: TableDescription) -> Column {
        guard let own = table.all.first(where: { $0.name == column }) else { return .text(name, "") }
        let unit = divisor == 1 ? own.unit : "d"
        let condition = needsAll ? " Empty where data is missing, because the program treats it otherwise." : ""
        return Column(name, own.kind, unit: unit, "\(column) of \(table.name).\(condition)")
    }
}

extension TableDescription {
    /// `days-stepcount.csv`
    static func days(named program: NamingProgram) -> TableDescription {
        TableDescription(
            "days-\(program).csv", row: "a day, under the names of \(program), by summarize --names \(program)",
            NamedColumn.days(of: program).map { $0.described(in: .days) })
    }

    /// `persons-stepcount.csv`
    static func persons(named program: NamingProgram) -> TableDescription {
        TableDescription(
            "persons-\(program).csv", row: "a person, under the names of \(program), by summarize --names \(program)",
            NamedColumn.persons(of: program).map { $0.described(in: .persons) })
    }

    /// The tables under the names of other programs.
    package static let named = NamingProgram.allCases.flatMap { [days(named: $0), persons(named: $0)] }
}
