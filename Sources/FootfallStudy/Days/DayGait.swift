internal import Footfall
internal import FootfallAnswers
internal import FootfallMeasures

/// The gait bouts of a day whose vertical excursion is known, for the height of the person.
struct DayGait: Sendable {
    /// The step length and the cadence in steps/min of each bout.
    let bouts: [(step: StepLength, cadence: Double)]

    fileprivate func median(_ value: ((step: StepLength, cadence: Double)) -> Double) -> Double? {
        bouts.map(value).sorted().sortedQuantile(0.5)
    }
}

extension Measure<DayGait> {
    /// The lengths of a day, for persons whose height --persons states.
    static let ofLength: [Measure] = [
        Measure(
            "stepLengthM", "m", decimals: 3,
            "The median step length of the gait bouts, from the vertical excursion at the lower back and the height in --persons."
        ) { $0.median { $0.step.metres } },
        Measure("strideLengthM", "m", decimals: 3, "Twice that: the length of two steps.") {
            $0.median { 2 * $0.step.metres }
        },
        Measure("walkingSpeedMps", "m/s", decimals: 3, "The median of step length by step time of these bouts.") {
            $0.median { $0.step.speed(atStepsPerMinute: $0.cadence) }
        },
    ]
}
