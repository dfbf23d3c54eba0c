import Footfall
import FootfallEvaluation
import FootfallHistory
import FootfallTables

/// An evaluation as text: the tables of the first counter, its comparison with the other counters and with a baseline.
struct EvaluationTables {
    typealias Counter = (name: String, evaluation: Evaluation)
    private typealias Column = (header: String, text: (Evaluation.Group) -> String)

    private let counters: [Counter]
    private let hasLive: Bool
    private let baseline: (path: String, figures: Baseline)?
    /// The number of the worst recordings that are listed.
    private let worst: Int
    /// The evaluation of the first counter.
    private let evaluation: Evaluation
    private let groups: [Evaluation.Group]

    /// Nil without a counter.
    init?(_ counters: [Counter], hasLive: Bool, baseline: (path: String, figures: Baseline)?, worst: Int) {
        guard let evaluation = counters.first?.evaluation else { return nil }
        (self.counters, self.hasLive, self.baseline, self.worst) = (counters, hasLive, baseline, worst)
        self.evaluation = evaluation
        groups = evaluation.groups.filter {
            switch $0.name {
            case .subject, .kind: false
            default: true
            }
        }
    }

    var text: String {
        let own =
            evaluation.hasStepTruth
            ? stepTable + falseStepTable + kindTable + worstCounts
            : activityTable + confusionTable + boundaryTable + falseStepTable + kindTable + liveTable
                + worstActivities
        return own + (counters.count > 1 ? counterTable : "") + (baseline.map(comparison) ?? "")
    }

    private func groupTable(_ columns: [Column], leastUsed: [String], note: String) -> String {
        var columns: [Column] = [("group", \.name.description), (">recordings", { String($0.recordings) })] + columns
        if let baseline {
            columns.append((">change", { baseline.figures.differences(in: $0).first.map(Self.change) ?? "–" }))
        }
        var table = TextTable(columns.map(\.header), leastUsed: leastUsed)
        for group in groups { table.add(columns.map { $0.text(group) }) }
        return table.text + Self.foot(note)
    }

    /// A remark below a table.
    private static func foot(_ note: String) -> String { WrappedText.onTerminal(Color.dim(note) + "\n") }

    // MARK: Steps

    private var stepTable: String {
        groupTable(
            [
                (">people", { String($0.people.people.count) }),
                (">MAPE %", { numberText($0.steps.meanAbsolutePercentageError, 1) }),
                (">95 %", { intervalText($0.steps.meanAbsolutePercentageErrorInterval) }),
                (">by subject", { numberText($0.steps.errorBySubject, 1) }),
                (">bias", { numberText($0.steps.bias, 3) }),
                (">time F1", { numberText($0.steps.timeF1, 3) }),
                (">time error s", { numberText($0.steps.medianTimeError, 3) }),
                (">false steps/h", { numberText($0.steps.falseSteps.perHour, 1) }),
            ],
            leastUsed: [">time error s", ">by subject", ">people", ">recordings", ">95 %", ">bias"],
            note:
                "MAPE: of recordings with at least 20 true steps. 95 %: its interval over people. By subject: the mean "
                + "of each subject's MAPE. Change: of the MAPE, else of the false steps.")
    }

    private var worstCounts: String {
        guard worst > 0 else { return "" }
        var table = TextTable("worst recordings", "placement", ">true", ">counted", ">error %")
        func error(_ outcome: Evaluation.Outcome) -> Double? { outcome.group.steps.meanAbsolutePercentageError }
        func falseSteps(_ outcome: Evaluation.Outcome) -> Int { outcome.group.steps.falseSteps.count }
        let wrong = evaluation.outcomes.filter { error($0) != nil }.sorted { (error($0) ?? 0) > (error($1) ?? 0) }
        let stepFree = evaluation.outcomes.filter { falseSteps($0) > 0 }.sorted { falseSteps($0) > falseSteps($1) }
        for outcome in wrong.prefix(worst) + stepFree.prefix(worst) {
            let recording = outcome.recording
            table.add(
                recording.id, recording.placement, String(outcome.trueSteps ?? 0), String(outcome.steps),
                numberText(error(outcome), 1))
        }
        return "\n" + table.text
    }

    /// The steps detected where there are none, by kind of recording or label.
    private var falseStepTable: String {
        let kinds = groups[0].falseStepsByKind.sorted { $0.key < $1.key }
        guard !kinds.isEmpty else { return "" }
        var table = TextTable("false steps", ">hours", ">steps", ">per hour", ">95 % below")
        for (kind, steps) in kinds {
            table.add(
                kind.isEmpty ? "–" : kind, numberText(steps.seconds / 3600, 2), String(steps.count),
                numberText(steps.perHour, 1),
                numberText(steps.upperBoundPerHour, 1))
        }
        return "\n" + table.text
    }

    /// Steps and activities by kind and placement, with people as the unit.
    private var kindTable: String {
        let activities = Self.classes + [.unknown]
        let shares: [String] = activities.map { ">\($0.rawValue)" }
        let counts = ["kind", "placement", ">people", ">hours", ">steps/h", ">95 % of people"]
        var table = TextTable(
            counts + shares + [">vehicle", "worst people, steps/h"],
            leastUsed: ["worst people, steps/h", ">vehicle"] + shares)
        var isEmpty = true
        for group in evaluation.groups {
            guard case .kind(let kind, let placement) = group.name else { continue }
            isEmpty = false
            let people = group.people
            let range = people.stepsPerHourInterval
            let riding = [Activity.automotive, .cycling].compactMap { people.share(of: $0, isConfident: true) }
            let worst = people.worst(Self.worstPeople).map { "\($0.person) \(numberText($0.detected.stepsPerHour, 0))" }
            var cells = [
                kind, placement, String(people.people.count), numberText(people.seconds / 3600, 2),
                numberText(people.stepsPerHour, 1),
                range.map { "\(numberText($0.lowerBound, 0))–\(numberText($0.upperBound, 0))" } ?? "–",
            ]
            for activity in activities { cells.append(numberText(people.share(of: activity), 2)) }
            table.add(cells + [numberText(riding.reduce(0, +), 3), worst.joined(separator: ", ")])
        }
        let note =
            "95 %: of samples of these people, drawn with replacement. Then shares of the time. Vehicle: automotive or "
            + "cycling with medium confidence or more."
        return isEmpty ? "" : "\n" + table.text + Self.foot(note)
    }

    /// The number of people that a row names.
    private static let worstPeople = 3

    // MARK: Activities

    private static let classes: [Activity] = [.stationary, .walking, .running, .automotive, .cycling]

    private var activityTable: String {
        let recalls: [Column] = Self.classes.map { activity in
            (">\(activity.rawValue)", { numberText($0.activities.confusion.recall(activity), 3) })
        }
        return groupTable(
            [(">macro-F1", { numberText($0.activities.confusion.macroF1, 3) })] + recalls + [
                (">unknown", { numberText($0.activities.confusion.unknownShare, 3) }),
                (">segments", { numberText($0.activities.fragmentation, 2) }),
                (">high right", { numberText($0.activities.calibration.accuracy(at: .high), 3) }),
                (">medium right", { numberText($0.activities.calibration.accuracy(at: .medium), 3) }),
            ],
            leastUsed: [">segments", ">medium right", ">high right", ">unknown", ">recordings"],
            note: "Per activity: recall. Segments: detected per true one. "
                + "Right: share of the seconds at that confidence.")
    }

    private var confusionTable: String {
        let confusion = groups[0].activities.confusion
        var table = TextTable(["seconds of"] + Self.classes.map { ">\($0.rawValue)" } + [">unknown", ">none", ">F1"])
        for truth in Activity.allCases where truth != .unknown {
            let cells = (Self.classes + [.unknown, nil]).map { String(confusion.seconds(of: truth, detectedAs: $0)) }
            table.add([truth.rawValue] + cells + [numberText(confusion.f1(truth), 3)])
        }
        return "\n" + table.text
    }

    private var boundaryTable: String {
        let boundaries = groups[0].activities.boundaries
        let changing = Activity.allCases.filter { boundaries.count(of: $0) > 0 }
        guard !changing.isEmpty else { return "" }
        var table = TextTable("starts and ends of", ">number", ">median error s", ">90 % within s")
        for activity in changing {
            table.add(
                activity.rawValue, String(boundaries.count(of: activity)),
                numberText(boundaries.error(of: activity), 1),
                numberText(boundaries.error(of: activity, quantile: 0.9), 1))
        }
        return "\n" + table.text
    }

    /// The accuracy of provisional and settled activities.
    private var liveTable: String {
        guard hasLive else { return "" }
        var table = TextTable("group", "answer", ">macro-F1", ">right", ">unknown")
        for group in groups where [.all, .atLeast8Hertz].contains(group.name) {
            let settled = "settled, within \(numberText(group.live.longestSettlingTime, 1)) s"
            let titles = LiveMeasures.delays.map { $0 == 0 ? "at once" : "\($0) s later" } + [settled]
            for (title, confusion) in zip(titles, group.live.confusion + [group.activities.confusion]) {
                table.add(
                    group.name.description, title, numberText(confusion.macroF1, 3), numberText(confusion.accuracy, 3),
                    numberText(confusion.unknownShare, 3))
            }
        }
        return "\n" + table.text
    }

    /// The recordings with the most wrong seconds.
    private var worstActivities: String {
        var table = TextTable("worst recordings", "placement", ">right", ">seconds wrong", "mostly")
        let wrong = evaluation.outcomes.map { ($0.recording, $0.group.activities.confusion) }
            .filter { $0.1.wrongSeconds > 0 }.sorted { $0.1.wrongSeconds > $1.1.wrongSeconds }
        guard worst > 0, !wrong.isEmpty else { return "" }
        for (recording, confusion) in wrong.prefix(worst) {
            let mostly = confusion.commonestConfusion.map {
                "\($0.truth.rawValue) detected as \($0.detected.rawValue), \($0.seconds) s"
            }
            table.add(
                recording.id, recording.placement, numberText(confusion.accuracy, 3), String(confusion.wrongSeconds),
                mostly ?? "")
        }
        return "\n" + table.text
    }

    // MARK: Comparisons

    /// Several counters on the same recordings, side by side.
    private var counterTable: String {
        var table = TextTable(
            "group", "counter", ">recordings", ">MAPE %", ">95 %", ">bias", ">time F1", ">false steps/h",
            leastUsed: [">recordings", ">95 %", ">bias"])
        for group in evaluation.groups where Self.hasCounters(group.name) {
            for (index, counter) in counters.enumerated() {
                guard let other = counter.evaluation.group(group.name) else { continue }
                let falseSteps = other.falseStepsByKind.values.reduce(into: FalseSteps()) { $0.merge($1) }
                table.add(
                    index == 0 ? group.name.description : "", counter.name, String(other.recordings),
                    numberText(other.steps.meanAbsolutePercentageError),
                    intervalText(other.steps.meanAbsolutePercentageErrorInterval), numberText(other.steps.bias, 3),
                    numberText(other.steps.timeF1, 3), numberText(falseSteps.perHour))
            }
        }
        return "\n" + table.text + Color.dim("95 %: the interval of the MAPE over people.\n")
    }

    private static func hasCounters(_ name: Evaluation.GroupName) -> Bool {
        switch name {
        case .subject, .recording, .boutLength, .rate: false
        default: true
        }
    }

    /// A figure that has changed, of a group or of a recording.
    private typealias Change = (name: String, difference: Baseline.Difference)

    /// Every recording has one of these figures.
    private static let keysOfRecordings: Set = ["mape", "falseSteps", "right"]

    /// The groups that are better and worse than in a baseline, and the recordings, the largest change first.
    private func comparison(with baseline: (path: String, figures: Baseline)) -> String {
        func changes(of group: Evaluation.Group, _ name: String, where isShown: (String) -> Bool) -> [Change] {
            baseline.figures.differences(in: group).filter { abs($0.change) > 1e-9 && isShown($0.figure.key) }
                .map { (name, $0) }
        }
        let groups = evaluation.groups.flatMap { group -> [Change] in
            if case .subject = group.name { return [] }
            return changes(of: group, group.name.description) { $0 != "falseSteps" }
        }
        let recordings = evaluation.outcomes.flatMap { outcome in
            changes(of: outcome.group, outcome.recording.id, where: Self.keysOfRecordings.contains)
        }
        guard !groups.isEmpty || !recordings.isEmpty else { return "\nAll figures equal those of \(baseline.path).\n" }
        let ordered = recordings.sorted { abs($0.difference.improvement) > abs($1.difference.improvement) }
        let better = ordered.filter { $0.difference.improvement > 0 }
        let worse = ordered.filter { $0.difference.improvement < 0 }
        return Self.table("better than in \(baseline.path)", groups.filter { $0.difference.improvement > 0 })
            + Self.table("worse", groups.filter { $0.difference.improvement < 0 })
            + Self.table("better recordings (\(better.count))", better.prefix(worst))
            + Self.table("worse recordings (\(worse.count))", worse.prefix(worst))
    }

    private static func table(_ title: String, _ changes: some Collection<Change>) -> String {
        guard !changes.isEmpty else { return "" }
        var table = TextTable(title, "figure", ">before", ">now", ">change")
        for (name, difference) in changes {
            let decimals = difference.figure.decimals
            table.add(
                name, difference.figure.title, difference.before.formatted(decimals: decimals),
                difference.now.formatted(decimals: decimals), change(difference))
        }
        return "\n" + table.text
    }

    /// A change with its sign, `+0.3`.
    private static func change(_ difference: Baseline.Difference) -> String {
        (difference.change > 0 ? "+" : "") + difference.change.formatted(decimals: difference.figure.decimals)
    }
}

/// The number, or a dash without one.
private func numberText(_ value: Double?, _ decimals: Int = 1) -> String { value?.formatted(decimals: decimals) ?? "–" }

/// The ends of an interval, or a dash without one.
private func intervalText(_ range: ClosedRange<Double>?) -> String {
    range.map { "\(numberText($0.lowerBound)) to \(numberText($0.upperBound))" } ?? "–"
}
