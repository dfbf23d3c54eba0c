internal import Footfall

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
