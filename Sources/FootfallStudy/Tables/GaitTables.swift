internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation

extension TableDescription {
    static let gait = GaitMeasures.table.description.withLocalTimes
    static let gaitDays = GaitDay.table.description
}

extension GaitMeasures {
    static let table = Table<GaitMeasures>(
        "gait.csv", row: "a gait bout: at least five steps without a missing one, at most a minute",
        [
            .time("start", "The first step.") { $0.range.lowerBound },
            .time("end", "The last step.") { $0.range.upperBound },
        ] + Measure.ofBout.map(\.field) + [
            .text("withheld", "The measures that are empty, and the reasons; empty if none is withheld.") {
                $0.withheld.map(\.text).joined(separator: "; ")
            }
        ], timeDecimals: 6)
}

struct GaitDay {
    /// Such as `2026-11-20`.
    let date: String
    let summary: GaitSummary

    static let table = Table<GaitDay>(
        "gaitdays.csv", row: "a day of the wearer's calendar with gait bouts",
        [
            TableField(Column("date", .date, "The date of the day in the wearer's zone.")) { .string($0.date) },
            .count("bouts", "The gait bouts that start on the day.") { $0.summary.bouts.count },
            .seconds("duration", "The time of these bouts.") { $0.summary.seconds },
        ] + Measure.ofGaitDay.map { measure in measure.field.of { $0.summary } })
}

extension Measure<GaitMeasures> {
    static let ofBout: [Measure] =
        [
            Measure(.seconds("duration", "The time from the first step to the last one."), decimals: 3) {
                $0.range.seconds
            },
            Measure(.count("steps", "The steps, with the first and the last one.")) { Double($0.steps) },
        ] + ofGait

    /// The numbers that describe the gait.
    static let ofGait: [Measure] = timing + rms + excursion

    private static let timing: [Measure] = [
        Measure("cadence", "steps/min", decimals: 1, "The mean cadence.") { $0.cadence },
        Measure(
            "cadenceCv", nil, decimals: 4,
            "How even the steps are: standard deviation of the time between detected steps / its mean."
        ) { $0.cadenceVariation },
        Measure("stepTime", "s", decimals: 4, "The mean time between two steps.") { $0.stepTime },
        Measure("stepTimeSd", "s", decimals: 4, "The standard deviation of the time between two steps.") {
            $0.stepTimeDeviation
        },
        Measure("stepTimeCv", nil, decimals: 4, "Standard deviation of the step time / its mean.") {
            $0.stepTimeVariation
        },
        Measure("strideTime", "s", decimals: 4, "The mean time between two contacts of one foot.") { $0.strideTime },
        Measure("strideTimeSd", "s", decimals: 4, "The standard deviation of the stride time.") {
            $0.strideTimeDeviation
        },
        Measure("strideTimeCv", nil, decimals: 4, "Standard deviation of the stride time / its mean.") {
            $0.strideTimeVariation
        },
        Measure("stepTimeAsymmetry", "s", decimals: 4, "The difference between the means of alternate step times.") {
            $0.stepTimeAsymmetry
        },
        Measure(
            "stepRegularity", nil, decimals: 4,
            "The unbiased autocorrelation of the vertical acceleration at one step."
        ) { $0.stepRegularity },
        Measure("strideRegularity", nil, decimals: 4, "The same at one stride.") { $0.strideRegularity },
        Measure("stepSymmetry", nil, decimals: 4, "Step regularity / stride regularity.") { $0.stepSymmetry },
        Measure(
            "harmonicRatio", nil, decimals: 4, "The even / the odd harmonics of a stride, of the vertical acceleration."
        ) { $0.harmonicRatio },
        Measure(
            "spectralArcLength", nil, decimals: 4,
            "The smoothness of a stride, of the vertical acceleration: the closer to 0, the smoother."
        ) { $0.spectralArcLength },
    ]

    private static let excursion = [
        Measure(
            "verticalExcursion", "m", decimals: 4,
            "The mean difference between the highest and the lowest position in a step. The step length follows from it."
        ) { $0.verticalExcursion }
    ]

    private static let rms = ["X", "Y", "Z"].enumerated().map { axis, name in
        Measure(
            "rms\(name)Mg", "mg", decimals: 1,
            "The root mean square of the acceleration along the \(name.lowercased()) axis of the sensor, around its mean."
        ) { $0.rms.map { 1000 * $0[axis] } }
    }
}

extension Measure<GaitSummary> {
    /// The median and the interquartile range of each number.
    static let ofGaitDay: [Measure] = Measure<GaitMeasures>.ofGait.flatMap { measure in
        let column = measure.column
        return [
            Measure("\(column.name)Median", column.unit, decimals: 4, "The median of \(column.name) over the bouts.") {
                $0.median(measure.value)
            },
            Measure(
                "\(column.name)Iqr", column.unit, decimals: 4,
                "The interquartile range of \(column.name) over the bouts."
            ) { $0.interquartileRange(measure.value) },
        ]
    }
}
