internal import FootfallMeasures
package import FootfallTables

/// The days that a statistic is over. All of them are valid.
package enum DayKind: String, CaseIterable, Sendable {
    case all = ""
    case weekday = "Weekday"
    case weekend = "Weekend"

    fileprivate var words: String {
        switch self {
        case .all: "valid days"
        case .weekday: "valid days from Monday to Friday"
        case .weekend: "valid Saturdays and Sundays"
        }
    }
}

extension TableDescription {
    package static let persons = TableDescription(
        "persons.csv", row: "a person, in the folder of results",
        [
            .text("person", "The person: the name of the trace, or that of --persons."),
            .count("logs", "The traces of the person whose tables are read."),
            .count("logsUnreadable", "The traces of the person whose tables cannot be read; their days are missing."),
            .count("days", "The days with samples."),
            .count("validDays", "The days with the wear of --valid-day."),
            .count("validWeekdays", "The valid days from Monday to Friday."),
            .count("validWeekendDays", "The valid Saturdays and Sundays."),
            .number("validDayHours", "h", "The wear of a valid day."),
            .text("cutPoints", "The cut points of intensity; empty without any."),
            .text("calibration", "The states of calibration of the days, as in days.csv; empty if none states one."),
            Column("firstDate", .date, "The first day."), Column("lastDate", .date, "The last day."),
            .count("totalSteps", "The steps of all days, valid or not."),
            .number("totalWearHours", "h", "The wear of all days."),
            .count("stepsMin", "The steps of the valid day with the fewest."),
            .count("stepsMax", "The steps of the valid day with the most."),
        ] + DailyRhythm.columns + MeasureColumn.statistics.filter { MeasureColumn.usual.contains($0.name) },
        derived: MeasureColumn.statistics.filter { !MeasureColumn.usual.contains($0.name) } + HourColumns.columns,
        pattern:
            "With --all-columns, stepsHour00 to stepsHour23, the mean steps of each hour of the clock over the days with 50 min of "
            + "wear in it, and enmoMgHour00 to enmoMgHour23, its mean ENMO over those with 30 min of worn epochs; and for "
            + "each column NAME of days.csv from coverageHours on, and for steps: NAMEMean and NAMEMedian, "
            + "over the valid days; NAMEWeekdayMean and NAMEWeekdayMedian, over those from Monday to Friday; NAMEWeekendMean "
            + "and NAMEWeekendMedian, over Saturdays and Sundays. Days without a value do not count.")

    /// The names of the columns, without --all-columns those that studies usually report.
    package static func personColumns(all: Bool) -> [String] { all ? persons.names : persons.columns.map(\.name) }
}

extension MeasureColumn {
    /// The columns of days that persons have means and medians of.
    static let summarized: [MeasureColumn] =
        [MeasureColumn(column: .count("steps", "The steps."), decimals: 0)] + all + adjusted

    /// The totals with missing time of day filled.
    static let adjusted = [
        MeasureColumn(
            column: .number(
                "adjustedSteps", nil,
                "The steps of a valid day, with missing time of day filled from the other days of the person."),
            decimals: 1),
        MeasureColumn(
            column: .number("adjustedOnFootMinutes", "min", "The time of walking and running, filled likewise."),
            decimals: 2),
    ]

    /// The columns of all means and medians.
    fileprivate static let statistics = summarized.flatMap(\.statistics)

    /// The means and medians that papers on steps, cadence and intensity usually report.
    fileprivate static let usual: Set = [
        "stepsMean", "stepsMedian", "stepsWeekdayMean", "stepsWeekendMean", "adjustedStepsMean", "adjustedStepsMedian",
        "wearHoursMean", "peakCadence1SpmMean", "peakCadence30SpmMean", "walkingMinutesMean",
        "cadence100PlusMinutesMean", "enmoMgMean", "m10EnmoMgMean", "l5EnmoMgMean", "intensityGradientMean",
        "sedentaryMinutesMean", "lightMinutesMean", "mvpaMinutesMean",
    ]

    /// The columns of the mean and the median, for each kind of days.
    fileprivate var statistics: [Column] {
        DayKind.allCases.flatMap { kind in
            ["Mean", "Median"].map { statistic in
                Column(
                    column.name + kind.rawValue + statistic, .number, unit: column.unit,
                    "The \(statistic.lowercased()) of \(column.name) over the \(kind.words).")
            }
        }
    }

    /// The mean and the median over days of a kind. Both have at least two decimals, because they need not be whole.
    func record(of values: [Double?], _ kind: DayKind) -> Record {
        let summary = DaySummary(of: values)
        let decimals = max(decimals, 2)
        return [("Mean", summary.mean), ("Median", summary.median)].map { statistic, value in
            (column.name + kind.rawValue + statistic, .number(value, decimals: decimals))
        }
    }
}
