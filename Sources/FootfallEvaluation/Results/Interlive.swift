/// The conditions under which the INTERLIVE network recommends to validate step counts (W. Johnston et al., British
/// Journal of Sports Medicine 55, 2021): in the laboratory, in tasks of daily life, and in free living.
///
/// The conditions are grouped for a page. The limits of speed between the rows of the treadmill are of this library.
public enum Interlive {
    /// One condition of the table.
    public struct Condition: Hashable, Sendable {
        /// The name in the table.
        public let name: String
        /// The word for it in the column `kind` of a manifest.
        public let kind: String
        /// Further kinds that are this condition.
        let others: [String]
        /// Whether recordings of this condition have no step, or hardly one.
        public let isStepFree: Bool

        init(_ name: String, _ kind: String, also others: [String] = [], isStepFree: Bool = false) {
            (self.name, self.kind, self.others, self.isStepFree) = (name, kind, others, isStepFree)
        }

        func contains(_ recording: Manifest.Recording) -> Bool {
            let name = recording.kind.isEmpty && recording.activity == "running" ? "run" : recording.kind
            return name == kind || others.contains(name)
        }
    }

    /// All conditions, in the order of the table.
    public static let conditions: [Condition] =
        [
            Condition("treadmill walking, below 3 km/h", "treadmill-slow"),
            Condition("treadmill walking, 3 to 5 km/h", "treadmill-usual"),
            Condition("treadmill walking, above 5 km/h", "treadmill-fast"),
            Condition("treadmill running", "treadmill-run"), Condition("incline walking", "incline"),
            Condition("ground walking, slow", "walk-slow"),
            Condition("ground walking, usual speed", "walk-usual", also: ["walk"]),
            Condition("ground walking, fast", "walk-fast"), Condition("zigzag walking", "zigzag"),
            Condition("stairs up", "stairs-up"), Condition("stairs down", "stairs-down"),
            Condition("running", "run"),
        ]
        + [
            Condition("cycling", "cycle", isStepFree: true), Condition("rowing", "row", isStepFree: true),
            Condition("sleep", "sleep", isStepFree: true),
            Condition("writing", "write", also: ["hands:write", "hands:typing"], isStepFree: true),
            Condition(
                "eating", "eat",
                also: ["hands:soup", "hands:sandwich", "hands:chips", "hands:pasta", "hands:drink"], isStepFree: true),
            Condition("laundry", "laundry", also: ["hands:fold"], isStepFree: true),
            Condition("dishes", "dishes", also: ["hands:wash"], isStepFree: true),
        ]
        + [Condition("shopping", "shop"), Condition("free living, 24 h", "free-living")]

    /// A row of the page: a condition and the measures of its recordings.
    public struct Row: Sendable {
        /// The condition.
        public let condition: Condition
        /// The measures of its recordings; nil if it is not measured.
        public let group: Evaluation.Group?
    }

    /// The page of an evaluation. A recording counts for the condition that its `kind` names in the manifest. Without a
    /// kind, the activity `running` is running.
    public static func page(of evaluation: Evaluation) -> [Row] {
        conditions.map { condition in
            var group: Evaluation.Group?
            for outcome in evaluation.outcomes where condition.contains(outcome.recording) {
                if group?.merge(outcome.group) == nil { group = outcome.group }
            }
            return Row(condition: condition, group: group)
        }
    }
}
