package import Footfall
package import FootfallAnswers
package import Foundation

/// The file of `analyze --seconds`, which does not exist yet.
package struct SecondsFile: Sendable {
    package let path: String
    package let rule: OutputRule
    /// The zone of times; nil for UTC.
    package let zone: TimeZone?

    package init(path: String, rule: OutputRule, zone: TimeZone?) {
        (self.path, self.rule, self.zone) = (path, rule, zone)
    }

    /// Starts the table.
    ///
    /// - Throws: `FileError`.
    package func start() throws(FileError) -> SecondsTable { try SecondsTable(path, zone, rule) }
}

/// What the analyzer computes for each second, as CSV. The rows are written as they come.
package final class SecondsTable {
    private let file: OutputFile
    private var writer: RecordWriter

    package init(_ path: String, _ zone: TimeZone?, _ rule: OutputRule) throws(FileError) {
        let names = TableDescription.seconds.names
        let file = try OutputFile(path, marker: names.prefix(8).joined(separator: ",") + ",", rule)
        self.file = file
        writer = RecordWriter(format: .csv, columns: names, zone: zone) { file.add($0) }
    }

    package func write(_ second: AnalyzedSecond) { writer.write(second.record) }

    /// Puts the table in its place.
    package func finish() throws(FileError) { try file.finish() }
}

extension TableDescription {
    package static let seconds = TableDescription(
        "analyze --seconds", row: "a second of which samples cover any part",
        [
            .time("start", "The start of the second."),
            .number(
                "gateScore", "log-odds", "The highest score of the walking gate; empty where the second is not scored."),
            .number("gateCadence", "steps/min", "The cadence with this score."),
            .count("candidates", "The cadences that the gate scores."),
            .number(
                "check", "log-odds", "Gait against other rhythms, from this second alone; empty where not checked."),
            .number(
                "checkSum", "log-odds", "Gait against other rhythms over the last minutes; below 0 it does not count."),
            .number("cadence", "steps/min", "The cadence that the tracker and the check keep; empty if not on foot."),
            .text("bout", "none, candidate (a cadence is followed) or confirmed (part of a bout)."),
            .count("steps", "The steps in the second."),
        ] + AnalyzedSecond.featureNames.map { .number($0, nil, "A feature of the window of five seconds around.") }
            + AnalyzedSecond.classNames.map {
                .number(classColumn($0), nil, "The probability of \($0) from the window alone, 0 to 1.")
            }
            + AnalyzedSecond.stateNames.map {
                .number(stateColumn($0), nil, "The probability of the state \($0), given all seconds around, 0 to 1.")
            } + [
                .text("activity", "The settled activity."),
                .text("reason", "Why the activity is unknown: tooShort, lowRate, handled or unclear; else empty."),
                .number("probability", nil, "The probability that the settled activity is right, 0 to 1."),
            ],
        pattern:
            "The features are those of AnalyzedSecond in the documentation of the library. In a bout they are empty.")

    fileprivate static func classColumn(_ name: String) -> String { "class" + name.capitalized }
    fileprivate static func stateColumn(_ name: String) -> String { "state" + name.capitalized }
}

extension AnalyzedSecond {
    fileprivate var record: Record {
        let best = candidates.max { $0.score < $1.score }
        func numbers(_ names: [String], _ values: [Float]) -> Record {
            names.enumerated().map { index, name in
                (name, index < values.count ? .number(Double(values[index]), decimals: 4) : .null)
            }
        }
        let head: Record = [
            ("start", .time(start)), ("gateScore", .number(best.map { Double($0.score) }, decimals: 3)),
            ("gateCadence", .number(best?.stepsPerMinute, decimals: 1)), ("candidates", .integer(candidates.count)),
            ("check", .number(check.map(Double.init), decimals: 3)),
            ("checkSum", .number(checkSum.map(Double.init), decimals: 3)),
            ("cadence", .number(cadence, decimals: 1)), ("bout", .string(bout.rawValue)), ("steps", .integer(steps)),
        ]
        let tail: Record = [
            ("activity", .string(activity.rawValue)), ("reason", .reason(reason)),
            ("probability", .number(Double(probability), decimals: 3)),
        ]
        return head + numbers(Self.featureNames, features)
            + numbers(Self.classNames.map(TableDescription.classColumn), classes)
            + numbers(Self.stateNames.map(TableDescription.stateColumn), states) + tail
    }
}
