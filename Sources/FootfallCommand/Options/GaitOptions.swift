import ArgumentParser
import FootfallHistory
import FootfallMeasures

/// The options of the gait measures.
struct GaitOptions: ParsableArguments {
    @Option(
        help: "For gait and nights."
    )
    var placement: SensorPlacement?

    @Option(
        help: ArgumentHelp(
            "The least bout of gait.csv (default: 3s).",
            valueName: "duration"),
        transform: QueryValue.duration)
    var gaitBout: Double?

    func validate() throws {
        if let gaitBout, !(1...GaitMeter.longestSeconds).contains(gaitBout) {
            throw ValidationError("--gait-bout: a gait bout lasts from 1 to 60 s. Write such a duration, as 10s.")
        }
    }

    var meter: GaitMeter { GaitMeter(placement: placement, leastSeconds: gaitBout ?? GaitMeter.leastSeconds) }

    /// Whether an option is given.
    var isEmpty: Bool { placement == nil && gaitBout == nil }
}
