internal import Footfall
internal import FootfallMeasures

// What queries and live motion print.

extension TableDescription {
    /// The rows of queries and of live motion.
    package static let answers = [stepCounts, recordedSegments, boutRows, coverage, summary, measures, live]

    package static let stepCounts = TableDescription(
        "query steps", row: "the range, or a bucket of it", Column.stepCount)

    package static let recordedSegments = TableDescription(
        "query activities", row: "a segment",
        Column.segment.filter { $0.name != "offset" } + [
            .time("clippedStart", "The start of the part in the queried range."),
            .time("clippedEnd", "The end of the part in the queried range; the steps are those of the part."),
            .flag("open", "Whether this is the newest segment, which may still grow."),
            .text("source", "The wearer or the device."),
        ])

    package static let boutRows = TableDescription(
        "query bouts", row: "a bout of the range: steps without a break over 10 s", Column.bout)

    package static let coverage = TableDescription(
        "query coverage", row: "the range",
        Column.stepCount.filter { $0.name != "steps" } + [
            .spans("covered", "The spans with samples."), .spans("gaps", "The spans without samples."),
        ])

    package static let summary = TableDescription(
        "query summary", row: "a day",
        Column.stepCount + Column.durations + [
            .number("walkingCadence", "steps/min", "The steps per minute of walking; empty without walking."),
            Column(
                "longestBout", .object, "The longest bout; empty without steps.",
                parts: [
                    .time("start", "The first step."), .time("end", "The last step."),
                    .count("steps", "The steps of the bout."),
                ]),
            .seconds("nonWear", "The time in which the sensor was not worn, a part of unknown."),
        ])

    package static let measures = TableDescription(
        "query measures", row: "a day",
        Column.stepCount + [.flag("valid", "Whether wearHours reaches --valid-day.")]
            + Measure<DayMeasures>.ofDay.map(\.column))

    package static let sources = TableDescription(
        "sources", row: "a source",
        [
            .text("source", "The wearer or the device."),
            .text("timeZone", "The wearer's zone, such as Europe/Berlin, or an offset such as -04:00."),
            .time("start", "The oldest kept time."), .time("end", "The newest time."),
            .count("steps", "The kept steps."), .seconds("coverage", "The kept time with samples."),
            .time("forgottenBefore", "Events before this time have expired; empty if none has."),
        ])

    package static let live = TableDescription(
        "live", row: "a settled event, or a change of the live state",
        [.text("event", "step, segment, gap, nonWear or state.")]
            + Column.segment.filter { $0.name != "offset" } + [
                .number("quality", nil, "The quality of a step's time, 0 to 1."),
                .number("cadence", "steps/min", "The cadence at this moment."),
                .number("sampleRate", "Hz", "The rate of the samples."),
                .count("dropped", "The samples that were dropped so far."),
                .flag("provisional", "Whether a later record may correct this one: true for states."),
            ])
}

extension Column {
    /// The columns of a count of steps.
    package static let stepCount: [Column] = [
        .time("start", "The start of the range."), .time("end", "The end of the range, not included."),
        .count("steps", "The steps."), .seconds("coverage", "The time that samples cover."),
        .flag("truncated", "Whether the range starts before the time that the history keeps."),
    ]

    /// The columns of a bout.
    package static let bout: [Column] =
        [
            .time("start", "The first step."), .time("end", "The last step."),
            .seconds("duration", "The time from the first step to the last one."),
            .count("steps", "The steps, with the first and the last one."),
            .number("cadence", "steps/min", "The mean cadence; empty for a single step."),
            .seconds("sinceLast", "The time since the last step of the bout before; empty for the first bout."),
        ] + Measure.ofBoutCadence.map(\.column)

    /// The columns of a segment.
    package static let segment: [Column] = [
        .time("start", "The start of the segment."), .time("end", "The end of the segment, not included."),
        .seconds("offset", "The time of the start since the first sample of the trace."),
        .seconds("duration", "The length of the segment."),
        .text("activity", "stationary, walking, running, automotive, cycling or unknown."),
        .list("flags", "The activities that hold for the whole segment."),
        .text("confidence", "low, medium or high, from the probability."),
        .number("probability", nil, "The probability that the activity is right, 0 to 1."),
        .count("steps", "The steps of the segment."),
        .spans("halts", "Halts within the segment, such as red lights."),
        .text("reason", "Why the activity is unknown: tooShort, lowRate, handled, unclear or notWorn; else empty."),
    ]

    /// The time of each activity.
    package static let durations: [Column] = Activity.allCases.map { activity in
        .seconds(
            activity.rawValue,
            activity == .unknown ? "The time of no known activity." : "The time of \(activity.rawValue).")
    }
}
