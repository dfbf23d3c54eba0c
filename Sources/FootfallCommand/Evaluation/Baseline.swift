import FootfallReport
import Foundation

/// An earlier evaluation to compare with: what `footfall evaluate --output json` printed then.
struct Baseline {
    /// A figure that evaluations are compared by.
    struct Figure {
        /// Its key in a record, with dots into objects.
        let key: String
        /// What it is called in tables.
        let title: String
        let decimals: Int
        /// How far a value is from perfect.
        let fault: @Sendable (Double) -> Double
    }

    /// One figure of one group or recording, then and now.
    struct Difference {
        let figure: Figure
        let before: Double
        let now: Double
        var change: Double { now - before }
        /// How much nearer to perfect it is now; negative where it is further.
        var gain: Double { figure.fault(before) - figure.fault(now) }
    }

    /// The file it was read from.
    let path: String
    /// By name of the group, then by key.
    private let figures: [String: [String: Double]]

    /// Reads an earlier evaluation.
    ///
    /// - Throws: ``FileError`` when the file cannot be read, ``BaselineError`` when it holds something else.
    init(contentsOf url: URL) throws {
        path = url.relativePath
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw FileError(error, path: path)
        }
        guard let records = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]],
            records.contains(where: { $0["group"] is String })
        else { throw BaselineError(path: path) }
        figures = records.reduce(into: [:]) { figures, record in
            guard let name = record["group"] as? String else { return }
            figures[name] = Self.numbers(in: record, under: "")
        }
    }

    /// Everything a figure can be found by, best at the top.
    static let figures: [Figure] = {
        let toZero: @Sendable (Double) -> Double = { $0 }
        let toOne: @Sendable (Double) -> Double = { abs(1 - $0) }
        let shares = [
            ("macroF1", "macro-F1"), ("right", "right"), ("stationary.recall", "stationary recall"),
            ("walking.recall", "walking recall"), ("running.recall", "running recall"),
            ("automotive.recall", "automotive recall"), ("cycling.recall", "cycling recall"),
            ("fragmentation", "segments"),
        ]
        return [
            Figure(key: "mape", title: "MAPE %", decimals: 1, fault: toZero),
            Figure(key: "falseStepsPerHour", title: "false steps/h", decimals: 1, fault: toZero),
            Figure(key: "bias", title: "bias", decimals: 3, fault: toOne),
            Figure(key: "timeF1", title: "time F1", decimals: 3, fault: toOne),
            Figure(key: "falseSteps", title: "false steps", decimals: 0, fault: toZero),
        ] + shares.map { Figure(key: $0, title: $1, decimals: 3, fault: toOne) }
    }()

    /// The figures of a group or recording that were there then and are there now.
    func differences(from record: Record) -> [Difference] {
        guard case .string(let name)? = record.first(where: { $0.key == "group" })?.value,
            let then = figures[name]
        else { return [] }
        let now = Self.numbers(in: record, under: "")
        return Self.figures.compactMap { figure in
            guard let before = then[figure.key], let now = now[figure.key] else { return nil }
            return Difference(figure: figure, before: before, now: now)
        }
    }

    private static func numbers(in object: [String: Any], under prefix: String) -> [String: Double] {
        object.reduce(into: [:]) { numbers, member in
            if let number = member.value as? NSNumber { numbers[prefix + member.key] = number.doubleValue }
            if let object = member.value as? [String: Any] {
                numbers.merge(Self.numbers(in: object, under: prefix + member.key + ".")) { first, _ in first }
            }
        }
    }

    private static func numbers(in record: Record, under prefix: String) -> [String: Double] {
        record.reduce(into: [:]) { numbers, member in
            switch member.value {
            case .integer(let value): numbers[prefix + member.key] = Double(value)
            case .number(let value, let decimals):
                // As it is printed, so that the same figure is no difference.
                numbers[prefix + member.key] = Double(value.formatted(decimals: decimals))
            case .object(let members):
                numbers.merge(Self.numbers(in: members, under: prefix + member.key + ".")) { first, _ in first }
            default: break
            }
        }
    }
}

/// A file that is no earlier evaluation.
struct BaselineError: Error, CustomStringConvertible {
    var path: String
    var description: String {
        "\(path): not an evaluation. A baseline is what “footfall evaluate … --output json” prints."
    }
}
