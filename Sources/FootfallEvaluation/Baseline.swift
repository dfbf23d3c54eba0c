internal import Footfall
public import Foundation

/// The figures of an earlier evaluation, to compare with a later one.
public struct Baseline: Sendable {
    /// One figure of one group, before and now.
    public struct Difference: Sendable {
        /// The figure that is compared.
        public let figure: Figure
        /// Its value in the baseline.
        public let before: Double
        /// Its value now.
        public let now: Double

        /// The value now minus the value before.
        public var change: Double { now - before }
        /// By how much the distance from ``Figure/target`` has decreased; negative if it has increased.
        public var improvement: Double { abs(before - figure.target) - abs(now - figure.target) }
    }

    /// The name of this library among counters. An evaluation of other programs has records of each counter.
    static let counter = "Footfall"

    /// By name of the group, then by key.
    private let figures: [String: [String: Double]]

    /// Takes the figures of an evaluation.
    public init(_ evaluation: Evaluation) {
        figures = (evaluation.groups + evaluation.outcomes.map(\.group)).reduce(into: [:]) { figures, group in
            let values = Figure.all.compactMap { figure in figure.value(of: group).map { (figure.key, $0) } }
            figures[group.name.description] = Dictionary(values) { first, _ in first }
        }
    }

    /// Reads the JSON that `footfall evaluate --output json` prints: an array of objects, each with the key `group`.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read or holds something else.
    public init(contentsOf url: URL) throws(EvaluationError) {
        let data = try EvaluationError.data(of: url)
        guard let records = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]],
            records.contains(where: { $0["group"] is String })
        else {
            throw EvaluationError(
                .malformed, url, "not an evaluation. A baseline is the output of “footfall evaluate … --output json”.")
        }
        figures = records.reduce(into: [:]) { figures, record in
            guard record["counter"].map({ $0 as? String == Self.counter }) ?? true else { return }
            if let name = record["group"] as? String { figures[name] = Self.numbers(in: record) }
        }
    }

    /// The figures that a group has both in the baseline and now, the most important first.
    public func differences(in group: Evaluation.Group) -> [Difference] {
        guard let before = figures[group.name.description] else { return [] }
        return Figure.all.compactMap { figure in
            guard let before = before[figure.key], let now = figure.value(of: group) else { return nil }
            return Difference(figure: figure, before: before, now: now)
        }
    }

    /// All numbers of a JSON object; the keys of nested objects are joined by dots.
    private static func numbers(in object: [String: Any], under prefix: String = "") -> [String: Double] {
        object.reduce(into: [:]) { numbers, member in
            if let number = member.value as? NSNumber { numbers[prefix + member.key] = number.doubleValue }
            if let object = member.value as? [String: Any] {
                numbers.merge(Self.numbers(in: object, under: prefix + member.key + ".")) { first, _ in first }
            }
        }
    }
}

extension Baseline {
    /// A figure by which evaluations are compared.
    public struct Figure: Sendable {
        /// Its key in the JSON of an evaluation; dots lead into nested objects.
        public let key: String
        /// Its title in tables.
        public let title: String
        /// Its decimals in tables.
        public let decimals: Int
        /// The value of a perfect result, 0 or 1.
        public let target: Double
        /// Its decimals in the JSON. Values are rounded to them, so that equal results show no change.
        private let storedDecimals: Int
        private let value: @Sendable (Evaluation.Group) -> Double?

        /// Its value in a group, rounded as in the JSON; nil if the group has no such ground truth.
        public func value(of group: Evaluation.Group) -> Double? {
            let scale = (0..<storedDecimals).reduce(1.0) { scale, _ in 10 * scale }
            return value(group).map { ($0 * scale).rounded() / scale }
        }

        /// All figures, the most important first.
        public static let all: [Figure] =
            [
                Figure("mape", "MAPE %", 1, target: 0, stored: 2) { $0.steps.meanAbsolutePercentageError },
                Figure("falseStepsPerHour", "false steps/h", 1, target: 0, stored: 1) { $0.steps.falseSteps.perHour },
                Figure("bias", "bias", 3) { $0.steps.bias },
                Figure("timeF1", "time F1", 3) { $0.steps.timeF1 },
                Figure("falseSteps", "false steps", 0, target: 0, stored: 0) {
                    $0.steps.recordings > 0 ? Double($0.steps.falseSteps.count) : nil
                },
                Figure("stepsPerHour", "steps/h", 1, target: 0, stored: 1) {
                    if case .kind = $0.name { $0.people.stepsPerHour } else { nil }
                },
                Figure("macroF1", "macro-F1", 3) { $0.activities.confusion.macroF1 },
                Figure("right", "right", 3) { $0.activities.confusion.accuracy },
            ]
            + [Activity.stationary, .walking, .running, .automotive, .cycling].map { activity in
                Figure("\(activity.rawValue).recall", "\(activity.rawValue) recall", 3) {
                    $0.activities.confusion.recall(activity)
                }
            } + [Figure("fragmentation", "segments", 3, stored: 3) { $0.activities.fragmentation }]

        private init(
            _ key: String, _ title: String, _ decimals: Int, target: Double = 1, stored: Int = 4,
            value: @escaping @Sendable (Evaluation.Group) -> Double?
        ) {
            (self.key, self.title, self.decimals, self.target) = (key, title, decimals, target)
            storedDecimals = stored
            self.value = value
        }
    }
}
