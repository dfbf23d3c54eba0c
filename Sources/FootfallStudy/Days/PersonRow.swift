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
    /// Lines for the user: the data that the days leave out.
    package let remarks: [String]
    /// The wear of a valid day, in seconds.
    let leastWear: Double

    /// The days of a kind that are valid.
    package func validDays(_ kind: DayKind = .all) -> [DayRow] {
        days.filter { $0.isValid && (kind == .all || $0.isWeekend == (kind == .weekend)) }
    }

    /// The median of a column of `days.csv` over the valid days; nil without a value.
    public func median(of column: String) -> Double? {
        DaySummary(of: validDays().map { $0.value(of: column) }).median
    }

    /// The same over all days, valid or not.
    package func medianOfAllDays(_ column: String) -> Double? {
        DaySummary(of: days.map { $0.value(of: column) }).median
    }

    /// The record with these columns of `persons.csv`.
    package func record(of columns: [String]) -> Record {
        let values = Dictionary(uniqueKeysWithValues: PersonSummary.table.record(of: PersonSummary(self)))
        return columns.map { ($0, values[$0] ?? .null) }
    }
}

/// The valid days that a statistic covers.
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

/// The data of the columns of a person.
struct PersonSummary: Sendable {
    let row: PersonRow
    let rhythm: DailyRhythm
    let hours: ClockHours
    private let numbers: [DayKind: [[Double?]]]

    init(_ row: PersonRow) {
        self.row = row
        let hours = row.days.flatMap(\.hours)
        rhythm = DailyRhythm(of: hours)
        self.hours = ClockHours(row.days.flatMap(\.hourlySteps), hours)
        numbers = Dictionary(uniqueKeysWithValues: DayKind.allCases.map { ($0, row.validDays($0).map(\.numbers)) })
    }

    /// The statistics of a number over the valid days of a kind.
    func days(_ index: Int, _ kind: DayKind) -> DaySummary { DaySummary(of: (numbers[kind] ?? []).map { $0[index] }) }

    /// The different values of the days, joined; nil without one.
    func joined(_ values: (DayRow) -> [String]) -> String? {
        let values = Set(row.days.flatMap(values)).sorted()
        return values.isEmpty ? nil : values.joined(separator: "; ")
    }
}

extension PersonSummary {
    static let table = Table<PersonSummary>(
        "persons.csv", row: "a person, in the folder of results",
        counts + totals + TableField<DailyRhythm>.ofRhythm.map { field in field.of { $0.rhythm } }
            + Measure<DayRow>.statistics.filter { Measure<DayRow>.usual.contains($0.column.name) },
        derived: Measure<DayRow>.statistics.filter { !Measure<DayRow>.usual.contains($0.column.name) }
            + TableField<ClockHours>.ofHours.map { field in field.of { $0.hours } },
        pattern:
            "With --all-columns, stepsHour00 to stepsHour23, the mean steps of each hour of the clock over the days with 50 min of "
            + "wear in it, and enmoMgHour00 to enmoMgHour23, its mean ENMO over those with 30 min of worn epochs; and for "
            + "each column NAME of days.csv from coverageHours on, and for steps: NAMEMean and NAMEMedian, "
            + "over the valid days; NAMEWeekdayMean and NAMEWeekdayMedian, over those from Monday to Friday; NAMEWeekendMean "
            + "and NAMEWeekendMedian, over Saturdays and Sundays. Days without a value do not count.")

    private static let counts: [TableField<PersonSummary>] = [
        .text("person", "The person: the name of the trace, or that of --persons.") { $0.row.person },
        .count("logs", "The traces of the person whose tables are read.") { $0.row.logs },
        .count("logsUnreadable", "The traces of the person whose tables cannot be read; their days are missing.") {
            $0.row.unreadableLogs
        },
        .count("days", "The days with samples.") { $0.row.days.count },
        .count("validDays", "The days with the wear of --valid-day.") { $0.row.validDays().count },
        .count("validWeekdays", "The valid days from Monday to Friday.") { $0.row.validDays(.weekday).count },
        .count("validWeekendDays", "The valid Saturdays and Sundays.") { $0.row.validDays(.weekend).count },
        .number("validDayHours", "h", decimals: 2, "The wear of a valid day.") { $0.row.leastWear / 3600 },
        .text("cutPoints", "The cut points of intensity; empty without any.") { person in
            person.joined { [$0.cutPoints].compactMap(\.self) }
        },
        .text(
            "calibration", "The states of calibration of the days, as in days.csv; empty if none states one."
        ) { person in person.joined { $0.calibrations } },
    ]

    private static let totals: [TableField<PersonSummary>] = [
        TableField(Column("firstDate", .date, "The first day.")) { .text($0.row.days.lazy.compactMap(\.date).first) },
        TableField(Column("lastDate", .date, "The last day.")) { .text($0.row.days.last?.date) },
        .count("totalSteps", "The steps of all days, valid or not.") { person in
            person.row.days.isEmpty ? nil : person.row.days.reduce(0) { $0 + $1.steps }
        },
        .number("totalWearHours", "h", decimals: 3, "The wear of all days.") { person in
            person.row.days.isEmpty ? nil : person.row.days.reduce(0) { $0 + $1.wear } / 3600
        },
        .count("stepsMin", "The steps of the valid day with the fewest.") { $0.row.validDays().map(\.steps).min() },
        .count("stepsMax", "The steps of the valid day with the most.") { $0.row.validDays().map(\.steps).max() },
    ]
}

extension TableDescription {
    package static let persons = PersonSummary.table.description

    /// The names of the columns, without --all-columns those that studies usually report.
    package static func personColumns(all: Bool) -> [String] { all ? persons.names : persons.columns.map(\.name) }
}

extension Measure<DayRow> {
    private typealias Statistic = any KeyPath<DaySummary, Double?> & Sendable

    /// The mean and the median over the valid days of each kind. Both have at least two decimals, because they need not
    /// be whole.
    fileprivate static let statistics: [TableField<PersonSummary>] = summarized.enumerated().flatMap { index, measure in
        DayKind.allCases.flatMap { kind in
            [("Mean", \.mean), ("Median", \.median)].map { (name: String, value: Statistic) in
                Measure<PersonSummary>(measure.column(name, over: kind), decimals: max(measure.decimals, 2)) {
                    $0.days(index, kind)[keyPath: value]
                }.field
            }
        }
    }

    /// The means and medians that papers on steps, cadence and intensity usually report.
    fileprivate static let usual: Set = [
        "stepsMean", "stepsMedian", "stepsWeekdayMean", "stepsWeekendMean", "adjustedStepsMean", "adjustedStepsMedian",
        "wearHoursMean", "peakCadence1SpmMean", "peakCadence30SpmMean", "walkingMinutesMean",
        "cadence100PlusMinutesMean", "enmoMgMean", "m10EnmoMgMean", "l5EnmoMgMean", "intensityGradientMean",
        "sedentaryMinutesMean", "lightMinutesMean", "mvpaMinutesMean",
    ]

    private func column(_ statistic: String, over kind: DayKind) -> Column {
        Column(
            column.name + kind.rawValue + statistic, .number, unit: column.unit,
            "The \(statistic.lowercased()) of \(column.name) over the \(kind.words).")
    }
}

/// The steps and the ENMO of a person by the hour of the clock, 0 to 23, over all days.
struct ClockHours: Sendable {
    private let steps: [Int: [HourlySteps]]
    private let enmo: [Int: [DailyRhythm.Hour]]

    init(_ steps: [HourlySteps], _ hours: [DailyRhythm.Hour]) {
        self.steps = Dictionary(grouping: steps, by: \.clockHour)
        enmo = Dictionary(grouping: hours, by: \.clockHour)
    }

    fileprivate func meanSteps(_ hour: Int) -> Double? { (steps[hour] ?? []).map(\.steps).mean }
    fileprivate func meanEnmoMg(_ hour: Int) -> Double? { (enmo[hour] ?? []).map(\.enmoMg).mean }
}

extension TableField<ClockHours> {
    /// The columns of a person.
    static let ofHours =
        hours("stepsHour", nil, "mean steps", least: "50 min of wear") { $0.meanSteps($1) }
        + hours("enmoMgHour", "mg", "mean ENMO", least: "30 min of worn epochs") { $0.meanEnmoMg($1) }

    private static func hours(
        _ name: String, _ unit: String?, _ measure: String, least: String,
        _ value: @escaping @Sendable (ClockHours, Int) -> Double?
    ) -> [TableField] {
        (0..<24).map { hour in
            let clock = NumberText.twoDigits(hour)
            let meaning = "The \(measure) of the hour from \(clock):00 by the clock, over the days with \(least) in it."
            return .number(name + clock, unit, decimals: 2, meaning) { value($0, hour) }
        }
    }
}
