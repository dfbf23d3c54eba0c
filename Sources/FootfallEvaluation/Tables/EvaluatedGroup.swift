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
    /// The same group of Footfall, for another counter.
    let reference: Evaluation.Group?
    /// The changes since a baseline; nil where no counter has one.
    let changes: [Baseline.Difference]?

    /// The groups and the recordings of an evaluation.
    ///
    /// - Parameters:
    ///   - evaluation: The evaluation.
    ///   - counter: The counter whose steps are evaluated.
    ///   - hasLive: Whether provisional activities are compared.
    ///   - reference: The evaluation of Footfall, for another counter.
    ///   - baseline: The figures to compare with. Other counters have no changes beside it.
    package static func rows(
        of evaluation: Evaluation, by counter: String, hasLive: Bool, reference: Evaluation?, baseline: Baseline?
    ) -> [EvaluatedGroup] {
        (evaluation.groups + evaluation.outcomes.map(\.group)).map { group in
            EvaluatedGroup(
                group: group, counter: counter, hasSteps: evaluation.hasStepTruth, hasLive: hasLive,
                reference: reference?.group(group.name),
                changes: baseline.map { reference == nil ? $0.differences(in: group) : [] })
        }
    }

    /// The keys and values. Which keys there are depends on the ground truth.
    package var record: Record { Self.table.record(of: self) }
}
