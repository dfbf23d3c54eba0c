import Footfall
import FootfallReport

/// An evaluation as tables for a person.
struct EvaluationTables {
    private let evaluation: Evaluation
    private let baseline: Baseline?

    init(_ evaluation: Evaluation, comparedWith baseline: Baseline?) {
        self.evaluation = evaluation
        self.baseline = baseline
    }

    /// The groups, what has changed since the baseline, and the worst recordings.
    func text(worst count: Int) -> String {
        let groups = evaluation.groups.filter { !$0.name.hasPrefix("subject ") }
        let body =
            evaluation.hasSteps
            ? stepTable(groups) + worstCounts(count)
            : activityTable(groups) + confusionTable(evaluation.groups[0].group.activities)
                + changeTable(evaluation.groups[0].group.activities) + liveTable(groups) + worstAnswers(count)
        guard let baseline else { return body }
        return body + ComparisonTables(evaluation, comparedWith: baseline).text(recordings: count)
    }

    /// How the first figure of a group has changed, as a cell of its own; none without a baseline.
    private func change(_ name: String, _ group: Evaluation.Group) -> [String] {
        guard let baseline else { return [] }
        let record = EvaluationReport.record(name, group, of: evaluation)
        guard let first = baseline.differences(from: record).first else { return ["–"] }
        return [ComparisonTables.signed(first.change, first.figure.decimals)]
    }

    // MARK: Steps

    private func stepTable(_ groups: [(name: String, group: Evaluation.Group)]) -> String {
        var table = Table(
            [
                "group", ">recordings", ">MAPE %", ">by subject", ">bias", ">time F1", ">time error s",
                ">false steps/h",
            ] + (baseline == nil ? [] : [">change"]))
        for (name, group) in groups {
            let steps = group.steps
            table.add(
                [
                    name, String(group.recordings), text(steps.meanAbsolutePercentageError, 1),
                    text(steps.errorBySubject, 1), text(steps.bias, 3), text(steps.timeF1, 3),
                    text(steps.medianTimeError, 3), text(steps.falseStepsPerHour, 1),
                ] + change(name, group))
        }
        return table.text
            + Color.dim("By subject: the mean of each subject's MAPE. Change: of the MAPE, else of the false steps.\n")
    }

    private func worstCounts(_ count: Int) -> String {
        var table = Table("worst recordings", "placement", ">true", ">counted", ">error %")
        func error(_ outcome: Evaluation.Outcome) -> Double? { outcome.measures.steps.meanAbsolutePercentageError }
        let counted = evaluation.outcomes.filter { error($0) != nil }.sorted { (error($0) ?? 0) > (error($1) ?? 0) }
        let invented = evaluation.outcomes.filter { $0.measures.steps.falseSteps > 0 }
            .sorted { $0.measures.steps.falseSteps > $1.measures.steps.falseSteps }
        for outcome in counted.prefix(count) + invented.prefix(count) {
            table.add(
                outcome.name, outcome.entry.placement, String(outcome.entry.trueSteps ?? 0), String(outcome.steps),
                text(error(outcome), 1))
        }
        return count > 0 ? "\n" + table.text : ""
    }

    // MARK: Activities

    private func activityTable(_ groups: [(name: String, group: Evaluation.Group)]) -> String {
        var table = Table(
            [
                "group", ">recordings", ">macro-F1", ">stationary", ">walking", ">running", ">automotive", ">cycling",
                ">unknown", ">segments", ">high right", ">medium right",
            ] + (baseline == nil ? [] : [">change"]))
        for (name, group) in groups {
            let measures = group.activities
            table.add(
                [
                    name, String(group.recordings), text(measures.macroF1, 3), text(measures.recall(.stationary), 3),
                    text(measures.recall(.walking), 3), text(measures.recall(.running), 3),
                    text(measures.recall(.automotive), 3), text(measures.recall(.cycling), 3),
                    text(measures.unknownShare, 3), text(measures.fragmentation, 2),
                    text(measures.accuracy(at: .high), 3), text(measures.accuracy(at: .medium), 3),
                ] + change(name, group))
        }
        return table.text
            + Color.dim(
                "Per activity: recall. Segments: answered per true one. Right: share of the answers at that confidence.\n"
            )
    }

    private func confusionTable(_ measures: ActivityMeasures) -> String {
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

    /// How well the moments are met at which an activity begins or ends.
    private func changeTable(_ measures: ActivityMeasures) -> String {
        let changing = Activity.allCases.filter { measures.changes(of: $0) > 0 }
        guard !changing.isEmpty else { return "" }
        var table = Table("starts and ends of", ">number", ">median error s", ">90 % within s")
        for activity in changing {
            table.add(
                activity.rawValue, String(measures.changes(of: activity)), text(measures.changeError(of: activity), 1),
                text(measures.changeError(of: activity, quantile: 0.9), 1))
        }
        return "\n" + table.text
    }

    /// What is shown live, beside what is settled in the end.
    private func liveTable(_ groups: [(name: String, group: Evaluation.Group)]) -> String {
        guard evaluation.measuresLive else { return "" }
        var table = Table("group", "answer", ">macro-F1", ">right", ">unknown")
        for (name, group) in groups where ["all", "8 Hz and more"].contains(name) {
            func add(_ answer: String, _ measures: ActivityMeasures) {
                table.add(
                    name, answer, text(measures.macroF1, 3), text(measures.rightShare, 3),
                    text(measures.unknownShare, 3))
            }
            for (delay, measures) in zip(LiveMeasures.delays, group.live.answers) {
                add(delay == 0 ? "at once" : "\(delay) s later", measures)
            }
            add("settled, within \(text(group.live.longestWait, 1)) s", group.activities)
        }
        return "\n" + table.text
    }

    /// The recordings with the most seconds answered wrong: long ones matter more than short ones.
    private func worstAnswers(_ count: Int) -> String {
        var table = Table("worst recordings", "placement", ">right", ">seconds wrong", "mostly")
        let wrong = evaluation.outcomes.map { ($0, Self.secondsWrong($0.measures.activities)) }
            .filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
        for (outcome, seconds) in wrong.prefix(count) {
            let measures = outcome.measures.activities
            let mostly = measures.commonestError.map {
                "\($0.truth.rawValue) answered with \($0.answer.rawValue), \($0.seconds) s"
            }
            table.add(
                outcome.name, outcome.entry.placement, text(measures.rightShare, 3), String(seconds), mostly ?? "")
        }
        return count > 0 && !wrong.isEmpty ? "\n" + table.text : ""
    }

    private static func secondsWrong(_ measures: ActivityMeasures) -> Int {
        measures.confusion.reduce(0) { sum, row in
            sum + row.value.reduce(0) { $0 + (ActivityMeasures.isWrong($1.key, for: row.key) ? $1.value : 0) }
        }
    }

    private func text(_ value: Double?, _ decimals: Int) -> String {
        value?.formatted(decimals: decimals) ?? "–"
    }
}
