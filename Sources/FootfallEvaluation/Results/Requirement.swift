/// A limit that a figure of a group has to keep, such as `mape<=5` or `falsePerHour[hands]<=20`.
///
/// The text is a key of the JSON of an evaluation, optionally a group in brackets, a comparison and a number. The group
/// is its name in reports, the name without its first word, or a kind of any placement. Without a group, the limit is
/// that of all recordings.
public struct Requirement: Hashable, Sendable {
    /// How the figure is compared with the limit.
    public enum Comparison: String, CaseIterable, Sendable {
        /// At most the limit.
        case atMost = "<="
        /// At least the limit.
        case atLeast = ">="
        /// Below the limit.
        case below = "<"
        /// Above the limit.
        case above = ">"
    }

    /// The text it is read from.
    public let text: String
    /// The key of the figure; dots lead into nested objects.
    public let key: String
    /// The name of the group.
    public let group: String
    /// The comparison.
    public let comparison: Comparison
    /// The limit.
    public let limit: Double

    /// Reads a requirement; nil for another text.
    public init?(_ text: String) {
        guard let start = text.firstIndex(where: { "<>".contains($0) }) else { return nil }
        let rest = text[start...]
        guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }),
            let limit = Double(rest.dropFirst(comparison.rawValue.count).filter { $0 != " " }), limit.isFinite
        else { return nil }
        let figure = text[..<start].split(separator: "[", maxSplits: 1, omittingEmptySubsequences: false)
        let key = figure[0].filter { $0 != " " }
        guard !key.isEmpty else { return nil }
        var group = "all"
        if figure.count == 2 {
            guard let end = figure[1].lastIndex(of: "]") else { return nil }
            group = String(figure[1][..<end])
        }
        (self.text, self.key, self.group, self.comparison, self.limit) = (text, String(key), group, comparison, limit)
    }

    /// Whether it is about a group.
    public func isAbout(_ name: Evaluation.GroupName) -> Bool {
        if case .kind(let kind, _) = name, kind == group { return true }
        let full = name.description
        return full == group || full.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) == group
    }

    /// Whether a figure keeps the limit.
    public func isMet(by value: Double) -> Bool {
        switch comparison {
        case .atMost: value <= limit
        case .atLeast: value >= limit
        case .below: value < limit
        case .above: value > limit
        }
    }
}
