package import Footfall
package import FootfallTables

/// A bout, with the cadence of its steps.
package struct MeasuredBout: Hashable, Sendable {
    package let bout: Bout
    /// The measures of cadence between the first and the last step.
    package let cadence: CadenceMeasures
    /// The seconds since the last step of the bout before; nil for the first bout.
    package let sinceLast: Double?

    package var range: Range<Timestamp> { bout.range }

    package static let table = Table(
        "query bouts", row: "a bout of the range: steps without a break over 10 s", fields)

    private static let fields: [TableField<MeasuredBout>] = [
        .time("start", "The first step.") { $0.range.lowerBound },
        .time("end", "The last step.") { $0.range.upperBound },
        .seconds("duration", "The time from the first step to the last one.") { $0.bout.duration },
        .count("steps", "The steps, with the first and the last one.") { $0.bout.steps },
        .number("cadence", "steps/min", decimals: 1, "The mean cadence; empty for a single step.") {
            $0.bout.cadence
        },
        .seconds(
            "sinceLast", "The time since the last step of the bout before; empty for the first bout."
        ) { $0.sinceLast },
        Measure.ofBoutCadence.map(\.field).of { $0.cadence },
    ]

    /// Measures the bouts of the steps in a range, in the order of time.
    package static func forEach(
        _ bouts: [Bout], stepTimes: (Range<Timestamp>) throws -> [Timestamp], _ take: (MeasuredBout) throws -> Void
    ) rethrows {
        var last: Timestamp?
        for bout in bouts {
            // The range of a bout ends with its last step, which counts.
            let steps = bout.range.lowerBound..<bout.range.upperBound.advanced(bySeconds: 1e-9)
            let cadence = CadenceMeasures(steps: try stepTimes(steps), covered: [], in: steps)
            try take(
                MeasuredBout(
                    bout: bout, cadence: cadence, sinceLast: last.map { bout.range.lowerBound.seconds(since: $0) }))
            last = bout.range.upperBound
        }
    }
}
