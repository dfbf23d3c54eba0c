internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables

/// The intensity of a day, and the rules that the user chose.
struct DayIntensity: Sendable {
    let measures: IntensityMeasures
    /// Those of the waking day; nil if the night is unclear.
    let waking: IntensityMeasures?
    /// How sedentary and active minutes of the waking day alternate; nil also without a light cut point.
    let fragmentation: Fragmentation?
    /// The parts of the day that are nights; nil if they are unclear.
    let nights: [Range<Timestamp>]?
    let rules: DayRules

    init(_ epochs: [EpochMeasures], in day: Range<Timestamp>, nights: [Range<Timestamp>]?, by rules: DayRules) {
        measures = IntensityMeasures(epochs: epochs, in: day)
        (self.nights, self.rules) = (nights, rules)
        waking = nights.map { nights in
            IntensityMeasures(epochs: epochs.filter { epoch in !nights.contains { $0.contains(epoch.start) } }, in: day)
        }
        fragmentation = waking.flatMap { waking in rules.cutPoints.flatMap { Fragmentation(waking, by: $0) } }
    }
}

extension Measure<DayIntensity> {
    /// The measures of intensity of a day, from its epochs.
    static let ofIntensity: [Measure] = acceleration + counts + levels + bouts + mostActive + ofWakingDay

    private static let acceleration = [
        Measure("enmoMg", "mg", decimals: 2, "The average acceleration: the mean ENMO of the worn epochs.") {
            $0.measures.meanEnmoMg
        },
        Measure("m10EnmoMg", "mg", decimals: 2, "The mean ENMO of the most active 10 h in a row (M10).") {
            $0.measures.mostActive()?.meanEnmoMg
        },
        Measure("m10StartHours", "h", decimals: 3, "The time after midnight at which M10 starts.") {
            $0.hours(of: $0.measures.mostActive())
        },
        Measure("m10Coverage", nil, decimals: 3, "The share of M10 that worn epochs cover, 0.5 to 1.") {
            $0.measures.mostActive()?.coverage
        },
        Measure("l5EnmoMg", "mg", decimals: 2, "The mean ENMO of the least active 5 h in a row (L5).") {
            $0.measures.leastActive()?.meanEnmoMg
        },
        Measure("l5StartHours", "h", decimals: 3, "The time after midnight at which L5 starts.") {
            $0.hours(of: $0.measures.leastActive())
        },
        Measure("l5Coverage", nil, decimals: 3, "The share of L5 that worn epochs cover, 0.5 to 1.") {
            $0.measures.leastActive()?.coverage
        },
        Measure(
            "intensityGradient", nil, decimals: 4,
            "The slope of the logarithm of the minutes over that of ENMO, in bins of 25 mg."
        ) { $0.measures.gradient?.slope },
        Measure("intensityIntercept", nil, decimals: 4, "The logarithm of the minutes at 1 mg on that line.") {
            $0.measures.gradient?.intercept
        },
        Measure("intensityRSquared", nil, decimals: 4, "The share of the variance that the line explains, 0 to 1.") {
            $0.measures.gradient?.rSquared
        },
    ]

    private static let counts = [
        Measure(
            "countsYPerMinute", "1/min", decimals: 1,
            "The mean ActiGraph counts of the y axis, axis 1 of ActiGraph, of the worn minutes of the clock."
        ) { $0.measures.countsPerMinute?.y },
        Measure(
            "countsVmPerMinute", "1/min", decimals: 1,
            "The mean vector magnitude of the ActiGraph counts of these minutes."
        ) { $0.measures.countsPerMinute?.vectorMagnitude },
    ]

    private static let levels = IntensityLevel.allCases.map { level in
        let name = level == .moderateToVigorous ? "mvpa" : level.rawValue
        let words = level == .moderateToVigorous ? "moderate and vigorous" : level.rawValue
        return Measure("\(name)Minutes", "min", decimals: 2, "The worn time of \(words) intensity, by --cut-points.") {
            day in
            day.rules.cutPoints.flatMap { day.measures.minutes(in: level, by: $0) }
        }
    }

    /// The least activity that each rule takes for a bout.
    private static func rule(_ minutes: Int) -> String {
        "By the rule whole, a bout lasts \(minutes) min or more from its first active epoch to its last; by window, as in GGIR, "
            + "\(minutes * 48) s of activity in \(minutes) min make one."
    }

    private static let bouts = [1, 5, 10].flatMap { minutes in
        [
            Measure(
                .count(
                    "mvpaBouts\(minutes)Count",
                    "The bouts of MVPA of at least \(minutes) min, by the rule of --mvpa-bouts. \(rule(minutes))")
            ) {
                $0.bouts(minutes: minutes).map { Double($0.count) }
            },
            Measure(
                "mvpaBouts\(minutes)Minutes", "min", decimals: 2,
                "The time of these bouts; by the rule window, of their active epochs only."
            ) {
                $0.bouts(minutes: minutes)?.reduce(0) { $0 + $1.seconds / 60 }
            },
        ]
    }
}

extension DayIntensity {
    fileprivate func hours(of window: IntensityMeasures.Window?) -> Double? {
        window.map { $0.start.seconds(since: measures.range.lowerBound) / 3600 }
    }

    /// Nil without cut points, and without a worn epoch.
    fileprivate func bouts(minutes: Int) -> [(range: Range<Timestamp>, seconds: Double)]? {
        guard let cutPoints = rules.cutPoints, !measures.epochs.isEmpty else { return nil }
        return measures.activeBouts(minutes: Double(minutes), rule: rules.bouts, by: cutPoints)
    }
}

extension Measure<DayRow> {
    /// The numbers of a day, in the order of ``DayRow/numbers``: the steps, the measures of the day, those of its
    /// intensity and of its sensors, and the totals with missing time of day filled.
    static let summarized: [Measure] = shapes.enumerated().map { index, shape in
        Measure(shape.column, decimals: shape.decimals) { $0.numbers[index] }
    }

    private static let shapes =
        [(column: Column.count("steps", "The steps."), decimals: 0)] + Measure<DayMeasures>.ofDay.map(\.shape)
        + Measure<DayIntensity>.ofIntensity.map(\.shape) + Measure<DaySensors>.ofSensors.map(\.shape) + adjusted

    static let adjusted = [
        (
            column: Column.number(
                "adjustedSteps", nil,
                "The steps of a valid day, with missing time of day filled from the other days of the person."),
            decimals: 1
        ),
        (.number("adjustedOnFootMinutes", "min", "The time of walking and running, filled likewise."), 2),
    ]
}

extension Measure {
    fileprivate var shape: (column: Column, decimals: Int) { (column, decimals) }
}
