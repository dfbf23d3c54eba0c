internal import Footfall
package import FootfallTables

/// A number of a row: its column and how it follows from the row.
package struct Measure<Row>: Sendable {
    package let column: Column
    package let decimals: Int
    /// The number; nil if the data cannot support it.
    package let value: @Sendable (Row) -> Double?

    package init(_ column: Column, decimals: Int = 0, _ value: @escaping @Sendable (Row) -> Double?) {
        (self.column, self.decimals, self.value) = (column, decimals, value)
    }

    package init(
        _ name: String, _ unit: String?, decimals: Int, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double?
    ) {
        self.init(.number(name, unit, meaning), decimals: decimals, value)
    }

    /// The column with the number as its value.
    package var field: TableField<Row> {
        TableField(column) { [value, decimals] in .number(value($0), decimals: decimals) }
    }
}

extension Measure<DayMeasures> {
    /// The measures of a day that follow from steps and segments, so also from a history.
    package static let ofDay: [Measure<DayMeasures>] =
        wear + activities
        + Measure<CadenceMeasures>.all.map { measure in
            Measure(measure.column, decimals: measure.decimals) { measure.value($0.cadence) }
        }

    private static let wear: [Measure] = [
        Measure("coverageHours", "h", decimals: 3, "The time that samples cover.") { $0.coverage / 3600 },
        Measure("wearHours", "h", decimals: 3, "The covered time in which the sensor was worn.") { $0.wear / 3600 },
    ]

    private static let activities = Activity.allCases.map { activity in
        Measure("\(activity.rawValue)Minutes", "min", decimals: 2, NumberText.timeMeaning(activity)) {
            ($0.durations[activity] ?? 0) / 60
        }
    }
}

extension Measure<CadenceMeasures> {
    /// The measures of cadence of a time range.
    static let all: [Measure] = peaks + bandMinutes + bandSteps + intense + quantiles + times

    /// How the cadence of a bout spreads, step by step.
    package static let ofBoutCadence: [Measure] =
        [
            Measure(
                "cadenceSd", "steps/min", decimals: 1,
                "The standard deviation of the cadence, step by step; empty for fewer than three steps."
            ) { $0.cadenceDeviation }
        ]
        + [25, 50, 75].map { percent in
            Measure(
                "cadenceQ\(percent)", "steps/min", decimals: 1,
                "The \(percent) % quantile of the cadence, step by step."
            ) { $0.cadenceQuantile(Double(percent) / 100) }
        }

    private static let peaks = [1, 30, 60].map { count in
        Measure(
            "peakCadence\(count)Spm", "steps/min", decimals: 2,
            "The mean cadence of the \(count == 1 ? "minute" : "\(count) minutes") with the highest cadence."
        ) { $0.peakCadence(minutes: count) }
    }

    private static let bandMinutes = CadenceBand.allCases.map { band in
        Measure(.number("\(band.columnName)Minutes", "min", "The minutes with \(band.words) steps.")) {
            $0.minuteCadences.isEmpty ? nil : Double($0.minutes(in: band))
        }
    }

    private static let bandSteps = CadenceBand.allCases.filter { $0 != .zero }.map { band in
        Measure(.count("\(band.columnName)Steps", "The steps in minutes with \(band.words) steps.")) {
            $0.minuteCadences.isEmpty ? nil : Double($0.steps(in: band))
        }
    }

    private static let intense = [CadenceMeasures.moderateCadence, CadenceMeasures.vigorousCadence].flatMap { cadence in
        [
            Measure(.number("cadence\(cadence)PlusMinutes", "min", "The minutes with at least \(cadence) steps.")) {
                $0.minuteCadences.isEmpty ? nil : Double($0.minutes(atLeast: cadence))
            },
            Measure(.count("cadence\(cadence)PlusSteps", "The steps in minutes with at least \(cadence) steps.")) {
                $0.minuteCadences.isEmpty ? nil : Double($0.steps(atLeast: cadence))
            },
        ]
    }

    private static let quantiles = [5, 25, 50, 75, 95].map { percent in
        Measure(
            "cadenceQ\(percent)Spm", "steps/min", decimals: 1,
            "The \(percent) % quantile of the cadence while walking, step by step."
        ) { $0.cadenceQuantile(Double(percent) / 100) }
    }

    private static let times = [5, 25, 50, 75, 95].map { percent in
        Measure(
            "steps\(percent)AtHours", "h", decimals: 3,
            "The time after midnight by which \(percent) % of the day's steps were made."
        ) { day in day.time(ofShare: Double(percent) / 100).map { $0.seconds(since: day.range.lowerBound) / 3600 } }
    }
}

extension CadenceBand {
    /// `cadence1To19`
    fileprivate var columnName: String { "cadence" + text("To", more: "Plus") }

    /// `1 to 19`
    fileprivate var words: String { text(" to ", more: " or more") }

    /// The cadences, with a text between the bounds, or after the lower one if there is no upper one.
    package func text(_ between: String, more: String) -> String {
        switch self {
        case .zero: "0"
        case .faster: "\(cadences.lowerBound)\(more)"
        default: "\(cadences.lowerBound)\(between)\(cadences.upperBound)"
        }
    }
}
