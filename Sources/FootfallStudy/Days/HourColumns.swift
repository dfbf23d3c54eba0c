internal import FootfallMeasures
internal import FootfallTables

/// The columns of the hours of the clock of a person.
enum HourColumns {
    /// `00` to `23`
    private static let hours = (0..<24).map { ($0 < 10 ? "0" : "") + String($0) }

    static let columns: [Column] =
        hours.map { hour in
            .number(
                "stepsHour\(hour)", nil,
                "The mean steps of the hour from \(hour):00 by the clock, over the days with 50 min of wear in it.")
        }
        + hours.map { hour in
            .number(
                "enmoMgHour\(hour)", "mg",
                "The mean ENMO of the hour from \(hour):00 by the clock, over the days with 30 min of worn epochs in it."
            )
        }

    /// The values of the columns, over all days of a person.
    static func record(of steps: [HourlySteps], _ hours: [DailyRhythm.Hour]) -> Record {
        let steps = Dictionary(grouping: steps, by: \.clockHour)
        let enmo = Dictionary(grouping: hours, by: \.clockHour)
        return self.hours.enumerated().map { hour, name in
            ("stepsHour\(name)", .number((steps[hour] ?? []).map(\.steps).mean, decimals: 2))
        }
            + self.hours.enumerated().map { hour, name in
                ("enmoMgHour\(name)", .number((enmo[hour] ?? []).map(\.enmoMg).mean, decimals: 2))
            }
    }
}
