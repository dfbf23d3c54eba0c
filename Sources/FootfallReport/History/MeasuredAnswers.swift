package import Footfall
package import FootfallHistory
package import FootfallMeasures
package import FootfallTables

// The answers of a history that need the measures of studies, and the list of all answers.

extension TableDescription {
    /// The rows of queries.
    package static let answers = [
        StepCount.table.description, RecordedSegment.table.description, BoutAnswer.table.description,
        Coverage.table.description, MotionSummary.table.description, DayAnswer.table.description,
    ]
}

/// A bout, with the cadence of its steps.
package struct BoutAnswer: QueryRow {
    package let bout: Bout
    /// The measures of cadence between the first and the last step.
    package let cadence: CadenceMeasures
    /// The seconds since the last step of the bout before; nil for the first bout.
    package let sinceLast: Double?

    package var range: Range<Timestamp> { bout.range }
    package var stepCount: Int { bout.steps }
    package var isShrinking: Bool { false }

    package static let table = Table(
        "query bouts", row: "a bout of the range: steps without a break over 10 s", fields)

    private static let fields: [TableField<BoutAnswer>] = [
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

    /// Passes the bouts of a range to `take`, in the order of time.
    package static func forEach(
        in range: some TimeRange, of source: SourceSnapshot, _ take: (BoutAnswer) throws -> Void
    ) throws {
        var last: Timestamp?
        for bout in try source.bouts(in: range) {
            // The range of a bout ends with its last step, which counts.
            let steps = bout.range.lowerBound..<bout.range.upperBound.advanced(bySeconds: 1e-9)
            let cadence = CadenceMeasures(steps: try source.stepTimes(in: steps), covered: [], in: steps)
            try take(
                BoutAnswer(
                    bout: bout, cadence: cadence, sinceLast: last.map { bout.range.lowerBound.seconds(since: $0) }))
            last = bout.range.upperBound
        }
    }
}

/// The measures of a day.
package struct DayAnswer: QueryRow {
    package let count: StepCount
    package let day: DayMeasures
    package let isValid: Bool

    package var range: Range<Timestamp> { count.range }
    package var stepCount: Int { count.count }
    package var isShrinking: Bool { count.isTruncated }

    package static let table = Table<DayAnswer>(
        "query measures", row: "a day",
        [
            TableField.ofStepCount.of { $0.count },
            .flag("valid", "Whether wearHours reaches --valid-day.") { $0.isValid },
            Measure.ofDay.map(\.field).of { $0.day },
        ])
}

/// The bouts of a range, made of the steps in it.
package struct BoutsQuery: HistoryQuery {
    package init() {}

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (BoutAnswer) throws -> Void
    ) throws {
        try BoutAnswer.forEach(in: range.range, of: source, take)
    }
}

/// The measures of each day that studies report.
package struct MeasuresQuery: HistoryQuery {
    /// The wear of a valid day in seconds.
    private let validDay: Double

    /// - Parameter validDay: The wear of a valid day in seconds; nil for ten hours.
    package init(validDay: Double?) { self.validDay = validDay ?? DayMeasures.leastWear }

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (DayAnswer) throws -> Void
    ) throws {
        try source.forEachBucket(in: range.range, by: .day, calendar: range.clock.calendar) { count in
            // The first and the last day may be partly in the range. Their hours count from midnight, too.
            let part = count.range
            let whole = range.clock.zone(at: part.lowerBound).day(of: part.lowerBound)
            let segments = try source.pieces(in: part).map { piece in
                Segment(
                    range: piece.range.clamped(to: part), flags: piece.flags, reason: piece.reason,
                    probability: piece.probability, steps: piece.steps)
            }
            let day = DayMeasures(
                steps: try source.stepTimes(in: part), segments: segments,
                in: min(whole.lowerBound, part.lowerBound)..<max(whole.upperBound, part.upperBound))
            try take(DayAnswer(count: count, day: day, isValid: day.isValid(leastWear: validDay)))
        }
    }
}
