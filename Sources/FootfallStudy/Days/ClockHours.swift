internal import FootfallMeasures
internal import FootfallTables

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
    static let ofHours: [TableField] =
        (0..<24).map { hour in
            .number(
                "stepsHour\(NumberText.twoDigits(hour))", nil, decimals: 2,
                "The mean steps of the hour from \(NumberText.twoDigits(hour)):00 by the clock, over the days with 50 min of wear in "
                    + "it."
            ) { $0.meanSteps(hour) }
        }
        + (0..<24).map { hour in
            .number(
                "enmoMgHour\(NumberText.twoDigits(hour))", "mg", decimals: 2,
                "The mean ENMO of the hour from \(NumberText.twoDigits(hour)):00 by the clock, over the days with 30 min of worn "
                    + "epochs in it."
            ) { $0.meanEnmoMg(hour) }
        }
}
