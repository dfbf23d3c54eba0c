internal import FootfallTables

/// Compares the rows of an evaluation with limits.
package struct RequirementCheck {
    private let rows: [EvaluatedGroup]

    package init(_ rows: [EvaluatedGroup]) { self.rows = rows }

    /// One message for each row that does not keep a limit, and for each limit without a row or a value.
    package func failures(of requirements: [Requirement]) -> [String] {
        requirements.flatMap { requirement -> [String] in
            let rows = rows.filter { requirement.isAbout($0.group.name) }
            if rows.isEmpty {
                return ["required \(requirement.text), but there is no group “\(requirement.group)”"]
            }
            return rows.compactMap { failure(of: requirement, in: $0) }
        }
    }

    private func failure(of requirement: Requirement, in row: EvaluatedGroup) -> String? {
        let place = row.group.name.description
        guard let value = Self.number(requirement.key, in: row.record) else {
            return "required \(requirement.text), but \(place) has no number “\(requirement.key)”"
        }
        if requirement.isMet(by: value) { return nil }
        return "required \(requirement.text), but \(place) has \(value.formatted(decimals: 4, atLeast: 0))"
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
