import Footfall
import FootfallAnswers
import FootfallEvaluation

/// An evaluation as records. The keys are a contract with scripts.
struct EvaluationRecords {
    /// Whether the ground truth has step counts instead of labels.
    let hasSteps: Bool
    /// Whether provisional activities were compared.
    let hasLive: Bool
    /// The earlier evaluation to compare with.
    let baseline: Baseline?

    /// The counter whose steps are evaluated.
    var counter = "Footfall"
    /// Whether records have the key `change`, which is empty for counters without a baseline.
    var hasChange = false
    /// The evaluation of Footfall, for the difference of another counter.
    var reference: Evaluation?

    /// The measures of one group and, with a baseline, the changes of its figures.
    func record(of group: Evaluation.Group) -> Record {
        var record: Record = [
            ("group", .string(group.name.description)), ("counter", .string(counter)),
            ("recordings", .integer(group.recordings)),
        ]
        if hasSteps {
            record += self.record(of: group.steps) + AgreementRecords.record(of: group.steps)
            let other = reference?.group(group.name)?.steps.counts
            record.append(("paired", AgreementRecords.paired(group.steps.counts, from: other)))
        } else {
            record += self.record(of: group.activities)
            if hasLive { record += self.record(of: group.live) }
        }
        let falseSteps = group.falseStepsByKind.sorted { $0.key < $1.key }.map { ($0.key, self.record(of: $0.value)) }
        record.append(("falseStepsByKind", .object(falseSteps)))
        record += self.record(of: group.people)
        if hasChange {
            let changes = baseline?.differences(in: group).map { ($0.figure.key, number($0.change, 4)) } ?? []
            record.append(("change", .object(changes)))
        }
        return record
    }

    private func record(of steps: StepMeasures) -> Record {
        [
            ("mape", number(steps.meanAbsolutePercentageError, 2)),
            ("mapeBySubject", number(steps.errorBySubject, 2)), ("bias", number(steps.bias, 4)),
            ("trueSteps", .integer(steps.trueSteps)), ("countedSteps", .integer(steps.detectedSteps)),
            ("timeF1", number(steps.timeF1, 4)), ("medianTimeError", number(steps.medianTimeError, 3)),
            ("falseSteps", .integer(steps.falseSteps.count)),
            ("stepFreeHours", number(steps.falseSteps.seconds / 3600, 3)),
            ("falseStepsPerHour", number(steps.falseSteps.perHour, 1)),
        ]
    }

    private func record(of people: PersonMeasures) -> Record {
        let interval = people.stepsPerHourInterval
        func shares(isConfident: Bool) -> JSONValue {
            .object(
                Activity.allCases.map {
                    ($0.rawValue, number(people.share(of: $0, isConfident: isConfident), 4))
                })
        }
        return [
            ("people", .integer(people.people.count)), ("detectedSteps", .integer(people.steps)),
            ("hours", number(people.seconds / 3600, 3)),
            ("stepsPerHour", number(people.stepsPerHour, 1)), ("stepsPerHourLow", number(interval?.lowerBound, 1)),
            ("stepsPerHourHigh", number(interval?.upperBound, 1)), ("shares", shares(isConfident: false)),
            ("confidentShares", shares(isConfident: true)),
        ]
    }

    private func record(of falseSteps: FalseSteps) -> JSONValue {
        .object([
            ("steps", .integer(falseSteps.count)), ("hours", number(falseSteps.seconds / 3600, 3)),
            ("perHour", number(falseSteps.perHour, 1)), ("upperBound", number(falseSteps.upperBoundPerHour, 1)),
        ])
    }

    private func record(of activities: ActivityMeasures) -> Record {
        record(of: activities.confusion) + [("fragmentation", number(activities.fragmentation, 3))]
            + Confidence.allCases.reversed().map {
                ("\($0)Right", number(activities.calibration.accuracy(at: $0), 4))
            }
            + Activity.allCases.filter { $0 != .unknown }.map { activity in
                (activity.rawValue, .object(record(of: activity, in: activities)))
            }
    }

    private func record(of confusion: ConfusionMatrix) -> Record {
        [
            ("macroF1", number(confusion.macroF1, 4)), ("right", number(confusion.accuracy, 4)),
            ("unknownShare", number(confusion.unknownShare, 4)), ("kappa", number(confusion.kappa, 8)),
            ("balancedAccuracy", number(confusion.balancedAccuracy, 8)),
        ]
    }

    private func record(of activity: Activity, in activities: ActivityMeasures) -> Record {
        let (confusion, boundaries) = (activities.confusion, activities.boundaries)
        let detected = Activity.allCases.map {
            ($0.rawValue, JSONValue.integer(confusion.seconds(of: activity, detectedAs: $0)))
        }
        return [
            ("seconds", .integer(confusion.seconds(of: activity))),
            ("recall", number(confusion.recall(activity), 4)),
            ("precision", number(confusion.precision(activity), 4)),
            ("f1", number(confusion.f1(activity), 4)),
            ("changes", .integer(boundaries.count(of: activity))),
            ("changeError", number(boundaries.error(of: activity), 2)),
            (
                "answers",
                .object(detected + [("none", .integer(confusion.seconds(of: activity, detectedAs: nil)))])
            ),
            (
                "rates",
                .object(
                    Activity.allCases.map { ($0.rawValue, number(confusion.rate(of: activity, detectedAs: $0), 4)) }
                        + [("none", number(confusion.rate(of: activity, detectedAs: nil), 4))])
            ),
        ]
    }

    private func record(of live: LiveMeasures) -> Record {
        let delays = zip(LiveMeasures.delays, live.confusion).map { delay, confusion in
            JSONValue.object([("delay", .integer(delay))] + record(of: confusion))
        }
        return [("live", .array(delays)), ("longestWait", number(live.longestSettlingTime, 1))]
    }
}

private func number(_ value: Double?, _ decimals: Int) -> JSONValue { .number(value, decimals: decimals) }
