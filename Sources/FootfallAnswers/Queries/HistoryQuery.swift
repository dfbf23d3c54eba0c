internal import Footfall
package import FootfallHistory
internal import FootfallMeasures

/// A question about a range of a source. The command and the server answer it with the same rows.
package protocol HistoryQuery {
    associatedtype Row: QueryRow

    /// Passes the rows of the answer to `take`, in the order of time.
    func rows(in range: ResolvedRange, of source: SourceSnapshot, _ take: (Row) throws -> Void) throws
}

/// The steps of a range, in total or in buckets.
package struct StepsQuery: HistoryQuery {
    /// The buckets; nil for the range as a whole.
    package let bucket: CalendarBucket?
    let filter: SegmentFilter?

    package init(by bucket: CalendarBucket?, where filter: SegmentFilter?) {
        (self.bucket, self.filter) = (bucket, filter)
    }

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (StepCount) throws -> Void
    ) throws {
        guard let bucket else { return try take(source.steps(in: range.range, where: filter)) }
        try source.forEachBucket(in: range.range, by: bucket, calendar: range.clock.calendar, where: filter, take)
    }
}

/// The activities of a range, segment by segment.
package struct ActivitiesQuery: HistoryQuery {
    let filter: SegmentFilter?

    package init(where filter: SegmentFilter?) { self.filter = filter }

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (RecordedSegment) throws -> Void
    ) throws {
        try source.activities(in: range.range, where: filter ?? .all).forEach(take)
    }
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

/// The time with and without samples.
package struct CoverageQuery: HistoryQuery {
    package init() {}

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (Coverage) throws -> Void
    ) throws {
        try take(source.coverage(in: range.range))
    }
}

/// The totals of each day.
package struct SummaryQuery: HistoryQuery {
    package init() {}

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (MotionSummary) throws -> Void
    ) throws {
        try source.forEachBucket(in: range.range, by: .day, calendar: range.clock.calendar) {
            try take(source.summary(of: $0.range))
        }
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
