package import Footfall
package import FootfallTables
internal import Foundation

extension AnalyzedSecond {
    package static let table = Table<AnalyzedSecond>(
        "analyze --seconds", row: "a second of which samples cover any part", gate + decisions + features + settled,
        pattern:
            "The features are those of AnalyzedSecond in the documentation of the library. In a bout they are empty.")

    /// The highest score of the walking gate, and its cadence.
    private var best: Candidate? { candidates.max { $0.score < $1.score } }

    private static let gate: [TableField<AnalyzedSecond>] = [
        .time("start", "The start of the second. Seconds count from the first sample.") { $0.start },
        .number(
            "gateScore", "log-odds", decimals: 3,
            "The highest score of the walking gate; empty where the second is not scored."
        ) { $0.best.map { Double($0.score) } },
        .number("gateCadence", "steps/min", decimals: 1, "The cadence with this score.") { $0.best?.stepsPerMinute },
        .count("candidates", "The cadences that the gate scores.") { $0.candidates.count },
    ]

    private static let decisions: [TableField<AnalyzedSecond>] = [
        .number(
            "check", "log-odds", decimals: 3,
            "Gait against other rhythms, from this second alone; empty where not checked."
        ) { $0.check.map(Double.init) },
        .number(
            "checkSum", "log-odds", decimals: 3,
            "Gait against other rhythms over the last minutes; below 0 it does not count."
        ) { $0.checkSum.map(Double.init) },
        .number(
            "cadence", "steps/min", decimals: 1,
            "The cadence that the tracker and the check keep; empty if not on foot."
        ) { $0.cadence },
        .text("bout", "none, candidate (a cadence is followed) or confirmed (part of a bout).") { $0.bout.rawValue },
        .count("steps", "The steps in the second.") { $0.steps },
        .text(
            "decision",
            "Why it has steps or none: noCadence, otherRhythm (the check), unconfirmed (no bout) or bout."
        ) { $0.decision.rawValue },
    ]

    private static let features =
        numbers(featureNames, \.features) { name in (name, "A feature of the window of five seconds around.") }
        + numbers(classNames, \.classes) { name in
            ("class" + name.capitalized, "The probability of \(name) from the window alone, 0 to 1.")
        }
        + numbers(stateNames, \.states) { name in
            ("state" + name.capitalized, "The probability of the state \(name), given all seconds around, 0 to 1.")
        }

    /// The columns of values that may be missing.
    private static func numbers(
        _ names: [String], _ values: @escaping @Sendable (AnalyzedSecond) -> [Float],
        column: (String) -> (name: String, meaning: String)
    ) -> [TableField<AnalyzedSecond>] {
        names.enumerated().map { index, name in
            .number(column(name).name, nil, decimals: 4, column(name).meaning) { second in
                let values = values(second)
                return index < values.count ? Double(values[index]) : nil
            }
        }
    }

    private static let settled: [TableField<AnalyzedSecond>] = [
        .text("activity", "The settled activity.") { $0.activity.rawValue },
        .text("reason", "Why the activity is unknown: tooShort, lowRate, handled, unclear or exercise; else empty.") {
            $0.reason.map { "\($0)" }
        },
        .number("probability", nil, decimals: 3, "The probability that the settled activity is right, 0 to 1.") {
            Double($0.probability)
        },
    ]
}
