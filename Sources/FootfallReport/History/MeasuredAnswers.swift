package import Footfall
package import FootfallHistory
package import FootfallMeasures
package import FootfallTables

// The answers of a history that need the measures of studies, and the list of all answers.

extension TableDescription {
    /// The rows of queries.
    package static let answers = [
        StepCount.table.description, MarkedSteps.table.description, RecordedSegment.table.description,
        MeasuredBout.table.description,
        Coverage.table.description, MotionSummary.table.description, DayAnswer.table.description,
    ]
}

extension MeasuredBout: QueryRow {
    package var stepCount: Int { bout.steps }
    package var isShrinking: Bool { false }
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
            .flag("valid", "Whether wearHours reaches the wear of a valid day (valid-day).") { $0.isValid },
            Measure.ofDay.map(\.field).of { $0.day },
        ])
}

/// The bouts of a range, made of the steps in it.
package struct BoutsQuery: HistoryQuery {
    package static let readsSteps = true
    package init() {}

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (MeasuredBout) throws -> Void
    ) throws {
        try MeasuredBout.forEach(source.bouts(in: range.range), stepTimes: { try source.stepTimes(in: $0) }, take)
    }
}

/// The measures of each day that studies report.
package struct MeasuresQuery: HistoryQuery {
    package static let (isByDay, readsSteps) = (true, true)

    /// The wear of a valid day in seconds.
    private let validDay: Double

    /// Takes the wear of a valid day in seconds; nil for ten hours.
    package init(validDay: Double?) { self.validDay = validDay ?? DayMeasures.leastWear }

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (DayAnswer) throws -> Void
    ) throws {
        try source.forEachBucket(in: range.range, by: .day, calendar: range.clock.calendar) { count in
            // The first and the last day may be partly in the range. Their hours count from midnight, too.
            let part = count.range
            let whole = range.clock.zone(at: part.lowerBound).day(around: part)
            let segments = try source.activities(in: part).map { segment in
                Segment(
                    range: segment.clippedRange, flags: segment.flags, reason: segment.reason,
                    probability: segment.probability, steps: segment.steps)
            }
            let day = DayMeasures(steps: try source.stepTimes(in: part), segments: segments, in: whole)
            try take(DayAnswer(count: count, day: day, isValid: day.isValid(leastWear: validDay)))
        }
    }
}
