import Footfall

/// An evaluation as records and as tables.
enum EvaluationReport {
    /// The keys of ``record(_:_:hasSteps:)``.
    static func columns(_ evaluation: Evaluation) -> [String] {
        record("", Evaluation.Group(), hasSteps: evaluation.hasSteps).map(\.key)
    }

    /// The measures of one group.
    static func record(_ name: String, _ group: Evaluation.Group, hasSteps: Bool) -> Record {
        let head: Record = [("group", .string(name)), ("recordings", .integer(group.recordings))]
        return head + (hasSteps ? record(group.steps) : record(group.activities))
    }

    private static func record(_ steps: StepMeasures) -> Record {
        [
            ("mape", number(steps.meanAbsolutePercentageError, 2)), ("bias", number(steps.bias, 4)),
            ("trueSteps", .integer(steps.trueSteps)), ("countedSteps", .integer(steps.countedSteps)),
            ("timeF1", number(steps.timeF1, 4)), ("medianTimeError", number(steps.medianTimeError, 3)),
            ("falseSteps", .integer(steps.falseSteps)), ("stepFreeHours", number(steps.stepFreeSeconds / 3600, 3)),
            ("falseStepsPerHour", number(steps.falseStepsPerHour, 1)),
        ]
    }

    private static func record(_ activities: ActivityMeasures) -> Record {
        var record: Record = [
            ("macroF1", number(activities.macroF1, 4)), ("unknownShare", number(activities.unknownShare, 4)),
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
                        ("answers", answers(to: activity, activities)),
                    ])
                ))
        }
        return record
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

    // MARK: Tables

    /// The tables for a person, with the recordings whose counts are furthest off.
    static func table(_ evaluation: Evaluation, worst: Int) -> String {
        let groups = evaluation.groups.filter { !$0.name.hasPrefix("subject ") }
        return evaluation.hasSteps
            ? stepTable(groups) + worstTable(evaluation.outcomes, count: worst)
            : activityTable(groups) + confusionTable(evaluation.groups[0].group.activities)
    }

    private static func stepTable(_ groups: [(name: String, group: Evaluation.Group)]) -> String {
        var table = Table("group", ">recordings", ">MAPE %", ">bias", ">time F1", ">time error s", ">false steps/h")
        for (name, group) in groups {
            let steps = group.steps
            table.add(
                name, String(group.recordings), text(steps.meanAbsolutePercentageError, 1), text(steps.bias, 3),
                text(steps.timeF1, 3), text(steps.medianTimeError, 3), text(steps.falseStepsPerHour, 1))
        }
        return table.text
    }

    private static func worstTable(_ outcomes: [Evaluation.Outcome], count: Int) -> String {
        var table = Table("worst recordings", "placement", ">true", ">counted", ">error %")
        let counted = outcomes.filter { $0.error != nil }.sorted { ($0.error ?? 0) > ($1.error ?? 0) }
        let invented = outcomes.filter { $0.entry.trueSteps == 0 && $0.steps > 0 }.sorted { $0.steps > $1.steps }
        for outcome in counted.prefix(count) + invented.prefix(count) {
            table.add(
                "\(outcome.entry.dataset)/\(outcome.entry.recording)", outcome.entry.placement,
                String(outcome.entry.trueSteps ?? 0), String(outcome.steps), text(outcome.error, 1))
        }
        return count > 0 ? "\n" + table.text : ""
    }

    private static func activityTable(_ groups: [(name: String, group: Evaluation.Group)]) -> String {
        var table = Table(
            "group", ">recordings", ">macro-F1", ">stationary", ">walking", ">running", ">automotive", ">cycling",
            ">unknown", ">segments", ">high right", ">medium right")
        for (name, group) in groups {
            let measures = group.activities
            table.add(
                name, String(group.recordings), text(measures.macroF1, 3), text(measures.recall(.stationary), 3),
                text(measures.recall(.walking), 3), text(measures.recall(.running), 3),
                text(measures.recall(.automotive), 3), text(measures.recall(.cycling), 3),
                text(measures.unknownShare, 3), text(measures.fragmentation, 2),
                text(measures.accuracy(at: .high), 3), text(measures.accuracy(at: .medium), 3))
        }
        return table.text
            + Color.dim(
                "Per activity: recall. Segments: answered per true one. Right: share of the answers at that confidence.\n"
            )
    }

    private static func confusionTable(_ measures: ActivityMeasures) -> String {
        var table = Table(
            "seconds of", ">stationary", ">walking", ">running", ">automotive", ">cycling", ">unknown", ">none", ">F1")
        for truth in Activity.allCases where truth != .unknown {
            let row = measures.confusion[truth] ?? [:]
            func cell(_ answer: Activity?) -> String { String(row[answer] ?? 0) }
            table.add(
                truth.rawValue, cell(.stationary), cell(.walking), cell(.running), cell(.automotive), cell(.cycling),
                cell(.unknown), cell(nil), text(measures.f1(truth), 3))
        }
        return "\n" + table.text
    }

    private static func text(_ value: Double?, _ decimals: Int) -> String {
        value?.formatted(decimals: decimals) ?? "–"
    }
}
