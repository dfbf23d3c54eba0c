import Footfall
import FootfallEvaluation
import FootfallLive
import FootfallStudy
import FootfallTables

// What `devices`, `simulate` and `evaluate` write, and the dictionary itself.

extension TableDescription {
    /// The outputs of the remaining commands.
    static let others =
        named + [
            AnalyzedSecond.table.description, ExplanationText.table.description, AttachedDevice.table.description,
            simulation, truth, EvaluatedGroup.table.description, DictionaryEntry.table.description,
        ]

    static let simulation = TableDescription(
        "SCENARIO.csv", row: "a sample of a simulation",
        [
            Column("time", .number, unit: "s", "The time since the start; with --start, ISO 8601 in UTC."),
            .number("x", "g", "The acceleration along x, gravity included."),
            .number("y", "g", "The acceleration along y, gravity included."),
            .number("z", "g", "The acceleration along z, gravity included."),
        ])

    static let truth = TableDescription(
        "SCENARIO.truth.json", row: "the ground truth of a simulation",
        [
            .text("scenario", "The scenario."), .count("seed", "The seed of the random numbers."),
            .text("placement", "The place of the sensor."), .number("sampleRate", "Hz", "The nominal rate."),
            .time("start", "The start of the trace."), .seconds("duration", "The length of the trace."),
            .count("steps", "The steps, with those in gaps."),
            Column("stepTimes", .list, unit: "s", "The time of each step since the start."),
            .list(
                "segments", "The activities.",
                of: [
                    .seconds("offset", "The time since the start."), .seconds("duration", "The length."),
                    .text("activity", "The main activity."), .list("flags", "All activities at once."),
                    .count("steps", "The steps."),
                ]),
            .list(
                "gaps", "The spans without samples.",
                of: [.seconds("offset", "The time since the start."), .seconds("duration", "The length.")]),
        ])
}
