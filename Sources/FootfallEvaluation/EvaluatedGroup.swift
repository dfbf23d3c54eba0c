internal import Footfall
package import FootfallTables

/// A group of recordings, or one recording, as a row of the table of an evaluation.
package struct EvaluatedGroup: Sendable {
    /// The measures.
    package let group: Evaluation.Group
    /// The counter whose steps are evaluated.
    package let counter: String
    /// Whether the ground truth has step counts instead of labels.
    let hasSteps: Bool
    /// Whether provisional activities are compared.
    let hasLive: Bool
    /// The changes since a baseline; nil where no counter has one.
    let changes: [Baseline.Difference]?

    /// The groups and the recordings of an evaluation of a counter, compared with the baseline of the same counter.
    /// `hasLive` means that provisional activities are compared.
    package static func rows(
        of evaluation: Evaluation, by counter: String, hasLive: Bool, baseline: Baseline?
    ) -> [EvaluatedGroup] {
        (evaluation.groups + evaluation.outcomes.map(\.group)).map { group in
            EvaluatedGroup(
                group: group, counter: counter, hasSteps: evaluation.hasStepTruth, hasLive: hasLive,
                changes: baseline.map { $0.differences(in: group) })
        }
    }

    /// The keys and values. Which keys there are depends on the ground truth.
    package var record: Record { Self.table.record(of: self) }
}

// The columns of an evaluation. Their names are a contract with scripts, with baselines and with requirements.

extension EvaluatedGroup {
    package static let table = Table<EvaluatedGroup>(
        "evaluate", row: "a group of recordings, or a recording; which columns it has depends on the ground truth",
        heads + [
            TableField.steps.only { $0.hasSteps ? $0.group.steps : nil },
            TableField.activities.only { $0.hasSteps ? nil : $0.group.activities },
            TableField.live.only { $0.hasLive && !$0.hasSteps ? $0.group.live : nil },
            falseStepsByKind, TableField.people.of(\.group.people), change,
        ])

    private static let heads: [TableField<EvaluatedGroup>] = [
        .text("group", "The group, or 'recording SET/RECORDING'.") { $0.group.name.description },
        .text("counter", "The counter: Footfall, or the name of a file of --results.") { $0.counter },
        .count("recordings", "The recordings of the group.") { $0.group.recordings },
    ]

    private static let falseStepsByKind = TableField<EvaluatedGroup>(
        Column(
            "falseStepsByKind", .object,
            "The false steps of each kind of recording without steps: "
                + "steps, hours, perHour and upperBound, the upper end of the one-sided 95 % confidence interval.")
    ) { row in
        let kinds = row.group.falseStepsByKind.sorted { $0.key < $1.key }
        return .object(kinds.map { ($0.key, .object(TableField.falseSteps.record(of: $0.value))) })
    }

    private static let change = TableField<EvaluatedGroup>(
        Column("change", .object, "The change of each figure since the --baseline.")
    ) { row in
        row.changes.map { .object($0.map { ($0.figure.key, .number($0.change, decimals: 4)) }) }
    }
}

extension TableField<StepMeasures> {
    fileprivate static let steps: [TableField] = [
        .number("mape", "%", decimals: 2, "The mean absolute error of the step count.") {
            $0.meanAbsolutePercentageError
        },
        .interval(
            of: "mape", "%", decimals: 2, low: "The lower end of its 95 % interval over people, by a seeded bootstrap.",
            high: "The upper end of that interval."
        ) { $0.meanAbsolutePercentageErrorInterval },
        .number("mapeBySubject", "%", decimals: 2, "The same, as a mean over subjects.") { $0.errorBySubject },
        .number("bias", nil, decimals: 4, "The detected steps divided by the true ones.") { $0.bias },
        .count("trueSteps", "The true steps.") { $0.trueSteps },
        .count("countedSteps", "The detected steps.") { $0.detectedSteps },
        .number("timeF1", nil, decimals: 4, "F1 of the step times within 0.25 s.") { $0.timeF1 },
        .number("medianTimeError", "s", decimals: 3, "The median error of the matched step times.") {
            $0.medianTimeError
        },
        .count("falseSteps", "The steps detected where there are none.") { $0.falseSteps.count },
        .number("stepFreeHours", "h", decimals: 3, "The time without steps.") { $0.falseSteps.seconds / 3600 },
        .number("falseStepsPerHour", "1/h", decimals: 1, "The false steps in an hour without steps.") {
            $0.falseSteps.perHour
        },
        .object(
            "stepTimes", "The single steps, where their times are known; a match lies within 0.25 s.",
            TableField.stepTimes
        ) { $0 },
    ]

    private static let stepTimes: [TableField] = [
        .count("matched", "The true steps that are detected.") { $0.matched },
        .count("missed", "The true steps that are not.") { $0.missed },
        .count("spurious", "The detected steps that are not true.") { $0.spurious },
        .number("sensitivity", nil, decimals: 8, "The share of the true steps that are detected.") { $0.sensitivity },
        .number("precision", nil, decimals: 8, "The share of the detected steps that are true.") { $0.precision },
        .number("f1", nil, decimals: 8, "The harmonic mean of both.") { $0.timeF1 },
        .number("meanError", "s", decimals: 8, "The mean time error; positive if steps are detected late.") {
            $0.meanTimeError
        },
        .number("errorSD", "s", decimals: 8, "The standard deviation of the time errors.") { $0.timeErrorDeviation },
        .number("meanAbsoluteError", "s", decimals: 8, "The mean absolute time error.") { $0.meanAbsoluteTimeError },
    ]
}

extension TableField<FalseSteps> {
    fileprivate static let falseSteps: [TableField] = [
        .count("steps", "The detected steps.") { $0.count },
        .number("hours", "h", decimals: 3, "The time without steps.") { $0.seconds / 3600 },
        .number("perHour", "1/h", decimals: 1, "The detected steps in an hour.") { $0.perHour },
        .number("upperBound", "1/h", decimals: 1, "The upper end of the one-sided 95 % confidence interval.") {
            $0.upperBoundPerHour
        },
    ]
}

extension TableField<PersonMeasures> {
    fileprivate static let people: [TableField] = [
        .count("people", "The people of the group.") { $0.people.count },
        .count("detectedSteps", "All detected steps, with or without ground truth.") { $0.steps },
        .number("hours", "h", decimals: 6, "The time covered by samples.") { $0.seconds / 3600 },
        .number("stepsPerHour", "1/h", decimals: 1, "All detected steps in an hour, true or not.") {
            $0.stepsPerHour
        },
        .interval(
            of: "stepsPerHour", "1/h", decimals: 1, low: "The lower end of its 95 % interval over people.",
            high: "The upper end of that interval."
        ) { $0.stepsPerHourInterval },
        shares("shares", "The share of the time that is detected as each activity.", isConfident: false),
        shares("confidentShares", "The same, with medium and high confidence only.", isConfident: true),
    ]

    private static func shares(_ name: String, _ meaning: String, isConfident: Bool) -> TableField {
        TableField(Column(name, .object, meaning)) { people in
            .object(
                Activity.allCases.map { activity in
                    (activity.rawValue, .number(people.share(of: activity, isConfident: isConfident), decimals: 4))
                })
        }
    }
}

extension TableField {
    /// The ends of an interval, which is computed once.
    fileprivate static func interval(
        of name: String, _ unit: String?, decimals: Int, low: String, high: String,
        _ value: @escaping @Sendable (Row) -> ClosedRange<Double>?
    ) -> TableField {
        let ends: [TableField<ClosedRange<Double>>] = [
            .number(name + "Low", unit, decimals: decimals, low) { $0.lowerBound },
            .number(name + "High", unit, decimals: decimals, high) { $0.upperBound },
        ]
        return ends.of(value)
    }
}

// The measures of activities as columns.

extension TableField<ActivityMeasures> {
    fileprivate static let activities: [TableField] =
        [
            TableField<ConfusionMatrix>.total.of(\.confusion),
            .number("fragmentation", nil, decimals: 3, "The detected segments divided by the true ones.") {
                $0.fragmentation
            },
        ]
        + Confidence.allCases.reversed().map { confidence in
            .number(
                "\(confidence)Right", nil, decimals: 4,
                "The share of right seconds among those of \(confidence) confidence."
            ) { $0.calibration.accuracy(at: confidence) }
        }
        + Activity.allCases.filter { $0 != .unknown }.map { activity in
            .object(
                activity.rawValue, "The measures of \(activity.rawValue).",
                confusion(of: activity) + changes(of: activity)
                    + answers(of: activity)
            ) { $0 }
        }

    private static func confusion(of activity: Activity) -> [TableField] {
        [
            .count("seconds", unit: "s", "The true time of the activity.") { $0.confusion.seconds(of: activity) },
            .number("recall", nil, decimals: 4, "The share of the true time that is detected.") {
                $0.confusion.recall(activity)
            },
            .number("precision", nil, decimals: 4, "The share of the detected time that is true.") {
                $0.confusion.precision(activity)
            },
            .number("f1", nil, decimals: 4, "The harmonic mean of recall and precision.") { $0.confusion.f1(activity) },
        ]
    }

    private static func changes(of activity: Activity) -> [TableField] {
        [
            .count("changes", "The true changes of the activity.") { $0.boundaries.count(of: activity) },
            .number("changeError", "s", decimals: 2, "The median error of their times.") {
                $0.boundaries.error(of: activity)
            },
        ]
    }

    /// The seconds by the activity that is detected, and last those without an answer.
    private static func answers(of activity: Activity) -> [TableField] {
        let answers: [(answer: Activity?, name: String, meaning: String)] =
            Activity.allCases.map { ($0, $0.rawValue, "Detected as \($0.rawValue).") }
            + [(nil, "none", "Without an answer.")]
        return [
            .object(
                "answers", "The seconds detected as each activity.",
                answers.map { answer, name, meaning in
                    TableField.count(name, unit: "s", meaning) {
                        $0.confusion.seconds(of: activity, detectedAs: answer)
                    }
                }
            ) { $0 },
            .object(
                "rates", "The same as shares of the true time.",
                answers.map { answer, name, meaning in
                    TableField.number(name, nil, decimals: 4, meaning) {
                        $0.confusion.rate(of: activity, detectedAs: answer)
                    }
                }
            ) { $0 },
        ]
    }
}

extension TableField<LiveMeasures> {
    fileprivate static let live: [TableField] = [
        .list(
            "live", "The provisional activities, by their delay. With --live.", of: TableField<DelayedAnswers>.answers
        ) { zip(LiveMeasures.delays, $0.confusion).map(DelayedAnswers.init) },
        .number("longestWait", "s", decimals: 1, "The longest time until a second is settled. With --live.") {
            $0.longestSettlingTime
        },
    ]
}

/// The provisional activities after a delay.
private struct DelayedAnswers: Sendable {
    /// Seconds.
    let delay: Int
    let confusion: ConfusionMatrix
}

extension TableField<DelayedAnswers> {
    fileprivate static let answers: [TableField] = [
        .count("delay", unit: "s", "The time after which the activity is compared.") { $0.delay },
        TableField<ConfusionMatrix>.total.of(\.confusion),
    ]
}

extension TableField<ConfusionMatrix> {
    /// The measures of all activities together.
    fileprivate static let total: [TableField] = [
        .number(
            "macroF1", nil, decimals: 4,
            "The mean F1 of stationary, walking, running and automotive, of those that occur."
        ) { $0.macroF1 },
        .number("right", nil, decimals: 4, "The share of seconds with the right activity.") { $0.accuracy },
        .number("unknownShare", nil, decimals: 4, "The share of seconds with an unknown activity.") {
            $0.unknownShare
        },
        .number("kappa", nil, decimals: 8, "Cohen's kappa of the seconds.") { $0.kappa },
        .number("balancedAccuracy", nil, decimals: 8, "The mean recall of the activities that occur.") {
            $0.balancedAccuracy
        },
    ]
}
