import Footfall

/// An evaluation as records.
enum EvaluationReport {
    /// The keys of ``records(_:comparedWith:)``.
    static func columns(_ evaluation: Evaluation, comparedWith baseline: Baseline?) -> [String] {
        record("", Evaluation.Group(), of: evaluation).map(\.key) + (baseline == nil ? [] : ["change"])
    }

    /// One record for each group, then one for each recording; with a baseline also how the figures have changed.
    static func records(_ evaluation: Evaluation, comparedWith baseline: Baseline?) -> [Record] {
        evaluation.all.map { name, group in
            let record = record(name, group, of: evaluation)
            guard let baseline else { return record }
            let changes = baseline.differences(from: record).map {
                (key: $0.figure.key, value: JSONValue.number($0.change, decimals: 4))
            }
            return record + [("change", .object(changes))]
        }
    }

    /// The measures of one group.
    static func record(_ name: String, _ group: Evaluation.Group, of evaluation: Evaluation) -> Record {
        let head: Record = [("group", .string(name)), ("recordings", .integer(group.recordings))]
        guard !evaluation.hasSteps else { return head + record(group.steps) }
        return head + record(group.activities) + (evaluation.measuresLive ? record(group.live) : [])
    }

    private static func record(_ steps: StepMeasures) -> Record {
        [
            ("mape", number(steps.meanAbsolutePercentageError, 2)),
            ("mapeBySubject", number(steps.errorBySubject, 2)), ("bias", number(steps.bias, 4)),
            ("trueSteps", .integer(steps.trueSteps)), ("countedSteps", .integer(steps.countedSteps)),
            ("timeF1", number(steps.timeF1, 4)), ("medianTimeError", number(steps.medianTimeError, 3)),
            ("falseSteps", .integer(steps.falseSteps)), ("stepFreeHours", number(steps.stepFreeSeconds / 3600, 3)),
            ("falseStepsPerHour", number(steps.falseStepsPerHour, 1)),
        ]
    }

    private static func record(_ activities: ActivityMeasures) -> Record {
        var record: Record = [
            ("macroF1", number(activities.macroF1, 4)), ("right", number(activities.rightShare, 4)),
            ("unknownShare", number(activities.unknownShare, 4)),
            ("fragmentation", number(activities.fragmentation, 3)),
        ]
        for confidence in Confidence.allCases.reversed() {
            record.append(("\(confidence)Right", number(activities.accuracy(at: confidence), 4)))
        }
        for activity in Activity.allCases where activity != .unknown {
            record.append(
                (
                    activity.rawValue,
                    .object([
                        ("seconds", .integer(activities.seconds(of: activity))),
                        ("recall", number(activities.recall(activity), 4)),
                        ("precision", number(activities.precision(activity), 4)),
                        ("f1", number(activities.f1(activity), 4)),
                        ("changes", .integer(activities.changes(of: activity))),
                        ("changeError", number(activities.changeError(of: activity), 2)),
                        ("answers", answers(to: activity, activities)),
                    ])
                ))
        }
        return record
    }

    private static func record(_ live: LiveMeasures) -> Record {
        let answers = zip(LiveMeasures.delays, live.answers).map { delay, measures in
            JSONValue.object([
                ("delay", .integer(Int(delay))), ("macroF1", number(measures.macroF1, 4)),
                ("right", number(measures.rightShare, 4)), ("unknownShare", number(measures.unknownShare, 4)),
            ])
        }
        return [("live", .array(answers)), ("longestWait", number(live.longestWait, 1))]
    }

    /// A row of the confusion matrix: seconds by answer.
    private static func answers(to truth: Activity, _ activities: ActivityMeasures) -> JSONValue {
        let row = activities.confusion[truth] ?? [:]
        let given = Activity.allCases.map { ($0.rawValue, JSONValue.integer(row[$0] ?? 0)) }
        return .object(given.map { (key: $0.0, value: $0.1) } + [(key: "none", value: .integer(row[nil] ?? 0))])
    }

    private static func number(_ value: Double?, _ decimals: Int) -> JSONValue {
        value.map { .number($0, decimals: decimals) } ?? .null
    }
}
