internal import Footfall
internal import FootfallTables

// The measures of activities as columns.

extension TableField<ActivityMeasures> {
    static let activities: [TableField] =
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
    static let live: [TableField] = [
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
        .number("macroF1", nil, decimals: 4, "The mean F1 of the activities.") { $0.macroF1 },
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
