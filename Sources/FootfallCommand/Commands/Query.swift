import ArgumentParser
import Footfall
import FootfallHistory
import FootfallMeasures
import FootfallReport
import FootfallTables
import Foundation
import Logging

/// `footfall query`: steps, activities and coverage of any range.
struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Query a history for any range of time.",
        discussion: """
            Ranges are half open: a step at --since counts, a step at --until does not, so adjacent ranges add up. No \
            data is not zero: every answer has the covered time of its range.

              footfall query steps --since today --by hour
              footfall query activities --since yesterday --until today --activity walking
              footfall query summary --since -7d --output json
              footfall query steps --since today --follow

            With --follow, the command prints each new or changed row while another process records. In machine \
            formats, a later row replaces an earlier one with the same start.
            """,
        subcommands: [
            QuerySteps.self, QueryActivities.self, QueryBouts.self, QueryCoverage.self, QuerySummary.self,
            QueryMeasures.self,
        ])
}

struct QuerySteps: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "steps", abstract: "The steps of the range, in total, in buckets, or by mark.",
        discussion: """
              footfall query steps --since yesterday --until today --by hour
              footfall query steps --since -7d --by day --activity running
              footfall query steps --since today --by mark
            """)

    @Option(.parts) var by: QueryValue.StepParts?
    @OptionGroup var filter: FilterOptions
    @OptionGroup var options: QueryOptions

    var question: StepsQuery {
        if case .buckets(let bucket) = by { return StepsQuery(by: bucket, where: filter.filter) }
        return StepsQuery(by: nil, where: filter.filter)
    }

    func run() throws {
        guard case .marks = by else { return try run(question) }
        try run(MarkedStepsQuery(where: filter.filter))
    }
}

struct QueryActivities: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "The activities of the range, segment by segment.",
        discussion: """
              footfall query activities --since today --activity walking --activity running
              footfall query activities --since -7d --min-duration 10min --reverse
            """)

    @OptionGroup var filter: FilterOptions
    @OptionGroup var options: QueryOptions

    var question: ActivitiesQuery { ActivitiesQuery(where: filter.filter) }
}

struct QueryBouts: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "bouts", abstract: "The bouts of the range: steps without a break over 10 s.",
        discussion: "  footfall query bouts --since today")

    @OptionGroup var options: QueryOptions

    var question: BoutsQuery { BoutsQuery() }
}

struct QueryCoverage: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "The time with and without samples.",
        discussion: "  footfall query coverage --since -7d")

    @OptionGroup var options: QueryOptions

    var question: CoverageQuery { CoverageQuery() }
}

struct QuerySummary: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary", abstract: "The totals of each day.",
        discussion: """
            The strip shows the day from left to right. In a part with motion, the color is the activity with the most \
            time and the height is the share of time in motion.

              footfall query summary --since -7d
              footfall query summary --since today --follow
            """)

    @OptionGroup var options: QueryOptions

    var question: SummaryQuery { SummaryQuery() }
}

struct QueryMeasures: QueryCommand {
    static let configuration = CommandConfiguration(
        commandName: "measures",
        abstract: "The measures of each day that studies report: wear, cadence, times of the steps.",
        discussion: """
              footfall query measures --since -7d --by day
              footfall query measures --since 2026-11-01 --valid-day 16h --output csv

            The peak cadence is the mean of the minutes with the most steps. `footfall columns` describes all \
            measures; the machine formats have them. Measures of intensity need samples, so only analyze --tables has them.
            """)

    @Option(.day) var by: CalendarBucket?
    @Option(.validDay) var validDay: Double?
    @OptionGroup var options: QueryOptions

    var question: MeasuresQuery { MeasuresQuery(validDay: validDay) }
}

/// The options of every `footfall query`.
struct QueryOptions: ParsableArguments {
    @OptionGroup var history: HistoryOptions
    @OptionGroup var range: RangeOptions
    @Flag(name: [.short, .long], help: ArgumentHelp(QueryParameter.reverse.meaning)) var reverse = false

    @Flag(name: [.short, .long], help: "Continue: print each new or changed row as it is recorded, until interrupted.")
    var follow = false

    @Flag(help: "Exit with code 3 if the range has no data.") var requireData = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if reverse, follow { throw ValidationError("--reverse and --follow exclude each other. Use only one of them.") }
    }
}

struct FilterOptions: ParsableArguments {
    @Option(.activity) var activity: [Activity] = []
    @Option(.minDuration) var minDuration: Double?
    @Option(.confidence) var confidence: Confidence?

    /// The filter; nil for all segments.
    var filter: SegmentFilter? { QueryValue.filter(activity, minDuration: minDuration, confidence: confidence) }
}

/// A `footfall query`: its question and its table. How a query is answered, printed and followed is common to all.
protocol QueryCommand: ParsableCommand {
    associatedtype Question: PrintedQuery

    var options: QueryOptions { get }
    var question: Question { get }
}

extension QueryCommand {
    func run() throws { try run(question) }

    func run(_ question: some PrintedQuery) throws {
        let url = options.history.url
        let history = try options.history.read(isFollowed: options.follow)
        options.output.log.info("reading \(url.path)")
        let range = try options.follow ? follow(question, FollowedHistory(history)) : print(question, history)
        guard range.coverage == 0 else { return }
        range.noteEmptiness()
        if options.requireData { throw ExitCode(Failure.noData) }
        // A range without data has an answer. A history without any has none, and who follows it waits for the first.
        if range.kept == nil, !options.follow { throw ExitCode(Failure.failure) }
    }

    /// The answer from one state of the history.
    private func answer<Query: HistoryQuery>(
        _ question: Query, from history: FollowedHistory, after previous: ResolvedRange? = nil
    ) throws -> (revision: Int, range: ResolvedRange, rows: [Query.Row]) {
        try history.read { snapshot in
            let (source, range) = try options.range.resolved(in: snapshot, after: previous)
            var rows: [Query.Row] = []
            try question.rows(in: range, of: source) { rows.append($0) }
            return (try snapshot.revision, range, rows)
        }
    }

    /// Prints the rows as they come, so that memory does not grow with their number.
    private func print<Query: PrintedQuery>(_ question: Query, _ history: MotionHistory) throws -> ResolvedRange {
        try history.read { snapshot in
            let (source, range) = try options.range.resolved(in: snapshot)
            var printer = RowPrinter<Query.Row>(options.output.output, zone: options.range.zone) {
                question.page($0, of: $1, range.clock, isReversed: options.reverse)
            }
            var reversed: [Query.Row] = []
            try question.rows(in: range, of: source) { row in
                if Interruption.isRequested { throw ExitCode(Interruption.exitCode) }
                if options.reverse { reversed.append(row) } else { printer.add(row) }
            }
            for row in reversed.reversed() { printer.add(row) }
            printer.finish()
            if printer.isEmpty, range.coverage > 0 {
                let share = NumberText.percentage(range.coverage, of: range.range.seconds)
                Terminal.note("nothing to list in this range, of which samples cover \(share)")
            }
            return range
        }
    }

    /// Repeats the query after each change of the history, until interrupted or until the output is closed.
    private func follow<Query: PrintedQuery>(_ question: Query, _ history: FollowedHistory) throws -> ResolvedRange {
        var answer = try answer(question, from: history)
        var printer = ChangePrinter<Query.Row>(options.output.output, zone: options.range.zone)
        defer { printer.finish() }
        while true {
            printer.print(answer.rows) { rows in
                question.page(
                    rows, of: rows.reduce(into: RowTotal()) { $0.add($1) }, answer.range.clock, isReversed: false)
            }
            repeat {
                guard !Interruption.isRequested, Terminal.waitWhileOpen(milliseconds: 200) else { return answer.range }
            } while try history.read { try $0.revision } == answer.revision
            answer = try self.answer(question, from: history, after: answer.range)
        }
    }
}
