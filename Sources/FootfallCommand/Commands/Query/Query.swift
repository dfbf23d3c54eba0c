import ArgumentParser
import Footfall
import FootfallHistory
import FootfallReport
import Foundation

/// `footfall query`: asks a history about any range of time.
struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a history about any range of time.",
        discussion: """
            Ranges are half open: a step at --since counts, one at --until does not, so adjacent ranges add up. No \
            data is not zero: every answer says how much of its range was covered.

              footfall query steps --since today --by hour
              footfall query activities --since yesterday --until today --activity walking
              footfall query summary --since -7d --output json
              footfall query steps --since today --follow

            With --follow, an answer goes on while another process records: each row that is new or has changed is \
            printed; in machine formats, a later row with the same start takes the place of an earlier one.
            """,
        subcommands: [QuerySteps.self, QueryActivities.self, QueryCoverage.self, QuerySummary.self])
}

/// `footfall query steps`
struct QuerySteps: Question {
    static let configuration = CommandConfiguration(
        commandName: "steps", abstract: "How many steps, in the whole range or in buckets.",
        discussion: """
              footfall query steps --since yesterday --until today --by hour
              footfall query steps --since -7d --by day --activity running
            """)

    @Option(
        help: ArgumentHelp("Count by hour, day, week or a number of minutes such as 15m.", valueName: "bucket"),
        transform: Word.bucket)
    var by: CalendarBucket?

    @OptionGroup var filter: FilterOptions
    @OptionGroup var options: QueryOptions

    func items(_ inquiry: Inquiry) throws -> [StepCount] {
        let (history, range, source) = (inquiry.history, inquiry.range, inquiry.source)
        return switch (by, filter.filter) {
        case (nil, nil): [try history.steps(in: range, from: source)]
        case (nil, let filter?): [try history.steps(in: range, from: source, where: filter)]
        case (let by?, nil): try history.steps(in: range, by: by, calendar: inquiry.clock.calendar, from: source)
        case (let by?, let filter?):
            try history.steps(in: range, by: by, calendar: inquiry.clock.calendar, from: source, where: filter)
        }
    }

    func page(_ counts: [StepCount], _ inquiry: Inquiry) -> Page {
        StepsTable(counts, inquiry, hasBuckets: by != nil).page
    }
}

/// `footfall query activities`
struct QueryActivities: Question {
    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "What was done, segment by segment.",
        discussion: """
              footfall query activities --since today --activity walking --activity running
              footfall query activities --since -7d --min-duration 10min --reverse
            """)

    @OptionGroup var filter: FilterOptions
    @OptionGroup var options: QueryOptions

    func items(_ inquiry: Inquiry) throws -> [RecordedSegment] {
        try inquiry.history.activities(in: inquiry.range, from: inquiry.source, where: filter.filter ?? .all)
    }

    func page(_ segments: [RecordedSegment], _ inquiry: Inquiry) -> Page {
        ActivitiesTable(segments, inquiry).page
    }
}

/// `footfall query coverage`
struct QueryCoverage: Question {
    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "Which times are covered by samples, and which are not.",
        discussion: "  footfall query coverage --since -7d")

    @OptionGroup var options: QueryOptions

    func items(_ inquiry: Inquiry) throws -> [Coverage] {
        [try inquiry.history.coverage(in: inquiry.range, from: inquiry.source)]
    }

    func page(_ coverages: [Coverage], _ inquiry: Inquiry) -> Page {
        CoverageTable(coverages, inquiry, isReversed: options.reverse).page
    }
}

/// `footfall query summary`
struct QuerySummary: Question {
    static let configuration = CommandConfiguration(
        commandName: "summary", abstract: "Each day at a glance.",
        discussion: """
            The strip shows the day from left to right. Where there was motion, its colour says what kind took most of \
            that time, its height how much of the time there was motion at all.

              footfall query summary --since -7d
              footfall query summary --since today --follow
            """)

    @OptionGroup var options: QueryOptions

    func items(_ inquiry: Inquiry) throws -> [MotionSummary] {
        try inquiry.history.steps(in: inquiry.range, by: .day, calendar: inquiry.clock.calendar, from: inquiry.source)
            .map { try inquiry.history.summary(of: $0.range, from: inquiry.source) }
    }

    func page(_ summaries: [MotionSummary], _ inquiry: Inquiry) -> Page {
        let days = summaries.map { SummaryView($0, inquiry).text }.joined(separator: "\n")
        return Page(body: days, foot: summaries.contains { $0.steps.isTruncated } ? Words.truncated : "")
    }
}
