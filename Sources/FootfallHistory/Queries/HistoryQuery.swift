package import Footfall
internal import FootfallReaders
package import FootfallTables
internal import Foundation

/// A question about a range of a source. The command and the server answer it with the same rows.
package protocol HistoryQuery {
    associatedtype Row: QueryRow

    /// Whether a row is a day, which takes several queries.
    static var isByDay: Bool { get }

    /// Whether the answer reads each step.
    static var readsSteps: Bool { get }

    /// What the answer takes, without making it.
    func cost(in range: ResolvedRange, of source: SourceSnapshot) throws -> QueryCost

    /// Passes the rows of the answer to `take`, in the order of time.
    func rows(in range: ResolvedRange, of source: SourceSnapshot, _ take: (Row) throws -> Void) throws
}

extension HistoryQuery {
    /// The columns of the answer.
    package static var table: TableDescription { Row.table.description }

    package static var isByDay: Bool { false }
    package static var readsSteps: Bool { false }

    /// The cost of a row, or of a row for each day, with all segments of the range.
    package func cost(in range: ResolvedRange, of source: SourceSnapshot) throws -> QueryCost {
        let rows = Self.isByDay ? CalendarBucket.day.count(in: range.range) : 1
        return try source.cost(rows: rows, reading: range.range, steps: Self.readsSteps)
    }
}

/// The steps of a range, in total or in buckets.
package struct StepsQuery: HistoryQuery {
    /// The buckets; nil for the range as a whole.
    package let bucket: CalendarBucket?
    let filter: SegmentFilter?

    package init(by bucket: CalendarBucket?, where filter: SegmentFilter?) {
        (self.bucket, self.filter) = (bucket, filter)
    }

    package func cost(in range: ResolvedRange, of source: SourceSnapshot) throws -> QueryCost {
        // Steps without a filter are sums.
        try source.cost(rows: bucket?.count(in: range.range) ?? 1, reading: filter == nil ? nil : range.range)
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

    package func cost(in range: ResolvedRange, of source: SourceSnapshot) throws -> QueryCost {
        try source.cost(rows: filter == nil ? source.segmentCount(in: range.range) : 0, reading: range.range)
    }

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
    package static let isByDay = true

    package init() {}

    package func rows(
        in range: ResolvedRange, of source: SourceSnapshot, _ take: (MotionSummary) throws -> Void
    ) throws {
        try source.forEachBucket(in: range.range, by: .day, calendar: range.clock.calendar) {
            try take(source.summary(of: $0.range))
        }
    }
}

/// A row of an answer.
package protocol QueryRow: Hashable {
    /// What identifies the row in a repeated answer: the start of its range, and more where rows overlap.
    associatedtype Key: Hashable = Timestamp
    var key: Key { get }
    /// The columns of the answer. Scripts depend on their names.
    static var table: Table<Self> { get }
    var range: Range<Timestamp> { get }
    var stepCount: Int { get }
    /// Whether the start of the range is older than the retention, so that the row shrinks with time.
    var isShrinking: Bool { get }
}

extension QueryRow where Key == Timestamp {
    package var key: Timestamp { range.lowerBound }
}

extension QueryRow {
    /// The row with the columns of its table.
    package var record: Record { Self.table.record(of: self) }
}

extension StepCount: QueryRow {
    package var stepCount: Int { count }
    package var isShrinking: Bool { isTruncated }

    package static let table = Table("query steps", row: "the range, or a bucket of it", TableField.ofStepCount)
}

extension RecordedSegment: QueryRow {
    package var stepCount: Int { steps }
    package var isShrinking: Bool { isClippedAtStart }

    package static let table = Table<RecordedSegment>(
        "query activities", row: "a segment",
        TableField.ofSegment + [
            .time("clippedStart", "The start of the part in the queried range.") { $0.clippedRange.lowerBound },
            .time("clippedEnd", "The end of the part in the queried range; the steps are those of the part.") {
                $0.clippedRange.upperBound
            },
            .flag("open", "Whether this is the newest segment, which may still grow.") { $0.isOpen },
            .text("source", "The wearer or the device.") { $0.source },
        ])
}

extension Coverage: QueryRow {
    /// A query of coverage counts no steps.
    package var stepCount: Int { 0 }
    package var isShrinking: Bool { isTruncated }

    package static let table = Table<Coverage>(
        "query coverage", row: "the range",
        TableField.range { $0.range } + TableField.coverage({ $0.seconds }, isTruncated: { $0.isTruncated }) + [
            .spans("covered", "The spans with samples.") { $0.covered },
            .spans("gaps", "The spans without samples.") { $0.gaps },
        ])
}

extension MotionSummary: QueryRow {
    package var stepCount: Int { steps.count }
    package var isShrinking: Bool { steps.isTruncated }

    package static let table = Table<MotionSummary>(
        "query summary", row: "a day",
        [TableField.ofStepCount.of { $0.steps }] + TableField.durations { $0.durations } + [
            .number(
                "walkingCadence", "steps/min", decimals: 1,
                "The steps per minute from step to step of bouts while walking; empty without two such steps."
            ) { $0.walkingCadence },
            .object("longestBout", "The longest bout; empty without steps.", partsOfBout) { $0.longestBout },
            .nonWear { $0.nonWear },
        ])

    private static let partsOfBout: [TableField<Bout>] = [
        .time("start", "The first step.") { $0.range.lowerBound },
        .time("end", "The last step.") { $0.range.upperBound },
        .count("steps", "The steps of the bout.") { $0.steps },
    ]
}

extension SourceInfo {
    package static let table = Table("sources", row: "a source", fields)

    package static let fields: [TableField<SourceInfo>] = [
        .text("source", "The wearer or the device.") { $0.name },
        .text("timeZone", "The wearer's zone, such as Europe/Berlin, or an offset such as -04:00.") {
            $0.timeZone.statedName
        },
        .time("start", "The oldest kept time.") { $0.keptRange?.lowerBound },
        .time("end", "The newest time.") { $0.keptRange?.upperBound },
        .count("steps", "The kept steps.") { $0.steps },
        .seconds("coverage", "The kept time with samples.") { $0.coverage },
        .time("forgottenBefore", "Events before this time have expired; empty if none has.") { $0.forgottenBefore },
    ]
}
