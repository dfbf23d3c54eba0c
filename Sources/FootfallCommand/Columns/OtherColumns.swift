import Footfall
import FootfallAnswers
import FootfallDevices
import FootfallStudy

// What `devices`, `simulate` and `evaluate` write, and the dictionary itself.

extension TableDescription {
    /// The outputs of the remaining commands.
    static let others =
        named + [
            seconds, explanation, AttachedDevice.table.description, simulation, truth, evaluation,
            DictionaryEntry.table.description,
        ]

    static let explanation = TableDescription(
        "analyze --explain", row: "a log",
        [
            .text("trace", "The name of the log."),
            .text("layout", "How it is read, with the evidence for each choice; empty if it is refused."),
            .text("refusal", "Why it is refused; empty if it is read."),
            .text("remedy", "What helps against the refusal."),
            .text("delimiter", "The separator of columns, or tab; empty for a log that is no table."),
            .text("decimalSeparator", "The separator of decimals."),
            .count("headerLine", "The line of the titles; empty without titles."),
            .number("sampleRate", "Hz", "The median rate of the first samples."),
            .number("magnitude", "g", "The median vector magnitude of the first samples; 1 at rest."),
            .list("notes", "Assumptions that a user should check, as texts."),
            .list(
                "columns", "The columns of a table.",
                of: [
                    .count("number", "The number, from 1."), .text("title", "The title; empty without one."),
                    .list("values", "The first values, as texts."),
                    .text(
                        "role",
                        "What it is taken for: time, date, x, y, z, or gravity along one of them; empty if it is not read."
                    ),
                    .text("reason", "Why it is taken for that, or why it is not read."),
                ]),
            .text("command", "The command line that reads the log in the same way; empty if it is refused."),
        ])

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

    static let evaluation = TableDescription(
        "evaluate", row: "a group of recordings, or a recording; which columns it has depends on the ground truth",
        [
            .text("group", "The group, or 'recording SET/RECORDING'."),
            .text("counter", "The counter: Footfall, or the name of a file of --results."),
            .count("recordings", "The recordings of the group."),
            .number("mape", "%", "The mean absolute error of the step count."),
            .number("mapeBySubject", "%", "The same, as a mean over subjects."),
            .number("bias", nil, "The detected steps divided by the true ones, less 1."),
            .count("trueSteps", "The true steps."), .count("countedSteps", "The detected steps."),
            .number("timeF1", nil, "F1 of the step times within 0.25 s."),
            .number("medianTimeError", "s", "The median error of the matched step times."),
            .count("falseSteps", "The steps detected where there are none."),
            .number("stepFreeHours", "h", "The time without steps."),
            .number("falseStepsPerHour", "1/h", "The false steps in an hour without steps."),
            .agreement("agreement", "The agreement of counted and true steps, over recordings."),
            .agreement("perMinute", "The same over minutes, where their steps are known."),
            .evaluatedStepTimes, .pairedDifference,
            .number("macroF1", nil, "The mean F1 of the activities."),
            .number("right", nil, "The share of seconds with the right activity."),
            .number("unknownShare", nil, "The share of seconds with an unknown activity."),
            .number("kappa", nil, "Cohen's kappa of the seconds."),
            .number("balancedAccuracy", nil, "The mean recall of the activities that occur."),
            .number("fragmentation", nil, "The detected segments divided by the true ones."),
        ]
            + ["high", "medium", "low"].map {
                .number("\($0)Right", nil, "The share of right seconds among those of \($0) confidence.")
            }
            + Activity.allCases.filter { $0 != .unknown }.map {
                Column($0.rawValue, .object, "The measures of \($0.rawValue).", parts: Column.evaluatedActivity)
            } + [
                .list(
                    "live", "The provisional activities, by their delay. With --live.",
                    of: [
                        Column("delay", .count, unit: "s", "The time after which the activity is compared."),
                        .number("macroF1", nil, "The mean F1 of the activities."),
                        .number("right", nil, "The share of seconds with the right activity."),
                        .number("unknownShare", nil, "The share of seconds with an unknown activity."),
                        .number("kappa", nil, "Cohen's kappa of the seconds."),
                        .number("balancedAccuracy", nil, "The mean recall of the activities that occur."),
                    ]),
                .number("longestWait", "s", "The longest time until a second is settled. With --live."),
                Column(
                    "falseStepsByKind", .object,
                    "The false steps of each kind of recording without steps: "
                        + "steps, hours, perHour and upperBound, the end of the 95 % confidence interval."),
                .count("people", "The people of the group."),
                .count("detectedSteps", "All detected steps, with or without ground truth."),
                .number("hours", "h", "The time covered by samples."),
                .number("stepsPerHour", "1/h", "All detected steps in an hour, true or not."),
                .number("stepsPerHourLow", "1/h", "The lower end of its 95 % interval over people."),
                .number("stepsPerHourHigh", "1/h", "The upper end of that interval."),
                Column("shares", .object, "The share of the time that is detected as each activity."),
                Column("confidentShares", .object, "The same, with medium and high confidence only."),
                Column("change", .object, "The change of each figure since the --baseline."),
            ])
}

extension Column {
    /// The columns of one activity in an evaluation.
    fileprivate static let evaluatedActivity: [Column] = [
        Column("seconds", .count, unit: "s", "The true time of the activity."),
        .number("recall", nil, "The share of the true time that is detected."),
        .number("precision", nil, "The share of the detected time that is true."),
        .number("f1", nil, "The harmonic mean of recall and precision."),
        .count("changes", "The true changes of the activity."),
        .number("changeError", "s", "The median error of their times."),
        Column(
            "answers", .object, "The seconds detected as each activity.",
            parts: (Activity.allCases.map(\.rawValue) + ["none"]).map {
                Column($0, .count, unit: "s", $0 == "none" ? "Without an answer." : "Detected as \($0).")
            }),
        Column(
            "rates", .object, "The same as shares of the true time.",
            parts: (Activity.allCases.map(\.rawValue) + ["none"]).map {
                .number($0, nil, $0 == "none" ? "Without an answer." : "Detected as \($0).")
            }),
    ]
}
