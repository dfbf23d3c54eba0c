internal import FootfallTables

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

extension [EvaluatedGroup] {
    /// One message for each row that does not keep a limit, and for each limit without a row or a value.
    package func failures(of requirements: [Requirement]) -> [String] {
        requirements.flatMap { requirement -> [String] in
            let rows = filter { requirement.isAbout($0.group.name) }
            if rows.isEmpty {
                return ["required \(requirement.text), but there is no group “\(requirement.group)”"]
            }
            return rows.compactMap(requirement.failure)
        }
    }
}

extension Requirement {
    fileprivate func failure(in row: EvaluatedGroup) -> String? {
        let place = row.group.name.description
        guard let value = Self.number(key, in: row.record) else {
            return "required \(text), but \(place) has no number “\(key)”"
        }
        if isMet(by: value) { return nil }
        return "required \(text), but \(place) has \(value.formatted(decimals: 4, atLeast: 0))"
    }

    /// The number at a key with dots. `falsePerHour` is the rate of all steps that are detected where there are none.
    private static func number(_ key: String, in record: Record) -> Double? {
        if key == "falsePerHour" {
            let kinds = record.first { $0.key == "falseStepsByKind" }.map(\.value)
            guard case .object(let kinds)? = kinds else { return nil }
            func sum(_ key: String) -> Double {
                kinds.reduce(0) { sum, kind in
                    guard case .object(let parts) = kind.value else { return sum }
                    return sum + (number(key, in: parts) ?? 0)
                }
            }
            let hours = sum("hours")
            return hours > 0 ? sum("steps") / hours : nil
        }
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        guard let name = parts.first, let value = record.first(where: { $0.key == name })?.value else { return nil }
        switch value {
        case .object(let inner): return parts.count == 2 ? number(parts[1], in: inner) : nil
        case .integer(let integer): return Double(integer)
        case .number(let number, _): return number.flatMap { $0.isFinite ? $0 : nil }
        case .bool(let bool): return bool ? 1 : 0
        default: return nil
        }
    }
}
