internal import Footfall
package import FootfallTables

// The columns of an evaluation. Their names are a contract with scripts, with baselines and with requirements.

extension EvaluatedGroup {
    package static let table = Table<EvaluatedGroup>(
        "evaluate", row: "a group of recordings, or a recording; which columns it has depends on the ground truth",
        heads + [
            TableField.steps.only { $0.hasSteps ? $0.group.steps : nil }, paired,
            TableField.activities.only { $0.hasSteps ? nil : $0.group.activities },
            TableField.live.only { $0.hasLive && !$0.hasSteps ? $0.group.live : nil },
            falseStepsByKind, TableField.people.of(\.group.people), change,
        ])

    private static let heads: [TableField<EvaluatedGroup>] = [
        .text("group", "The group, or 'recording SET/RECORDING'.") { $0.group.name.description },
        .text("counter", "The counter: Footfall, or the name of a file of --results.") { $0.counter },
        .count("recordings", "The recordings of the group.") { $0.group.recordings },
    ]

    private static let paired = TableField<EvaluatedGroup>.object(
        "paired", "The difference from Footfall on the same recordings. With --results, for other counters.",
        TableField.difference
    ) { row in
        .some(row.reference.flatMap { PairedDifference(row.group.steps.counts, from: $0.steps.counts) })
    }.only { $0.hasSteps ? $0 : nil }

    private static let falseStepsByKind = TableField<EvaluatedGroup>(
        Column(
            "falseStepsByKind", .object,
            "The false steps of each kind of recording without steps: "
                + "steps, hours, perHour and upperBound, the end of the 95 % confidence interval.")
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
        .number("mapeBySubject", "%", decimals: 2, "The same, as a mean over subjects.") { $0.errorBySubject },
        .number("bias", nil, decimals: 4, "The detected steps divided by the true ones, less 1.") { $0.bias },
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
            "agreement", "The agreement of counted and true steps, over recordings.",
            TableField<CountAgreement>.agreement
        ) {
            $0.counts
        },
        .object(
            "perMinute", "The same over minutes, where their steps are known.", TableField<CountAgreement>.agreement
        ) {
            $0.minutes
        },
        .stepTimes,
    ]
}

extension TableField<FalseSteps> {
    fileprivate static let falseSteps: [TableField] = [
        .count("steps", "The detected steps.") { $0.count },
        .number("hours", "h", decimals: 3, "The time without steps.") { $0.seconds / 3600 },
        .number("perHour", "1/h", decimals: 1, "The detected steps in an hour.") { $0.perHour },
        .number("upperBound", "1/h", decimals: 1, "The upper end of the 95 % confidence interval.") {
            $0.upperBoundPerHour
        },
    ]
}

extension TableField<PersonMeasures> {
    fileprivate static let people: [TableField] = [
        .count("people", "The people of the group.") { $0.people.count },
        .count("detectedSteps", "All detected steps, with or without ground truth.") { $0.steps },
        .number("hours", "h", decimals: 3, "The time covered by samples.") { $0.seconds / 3600 },
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
