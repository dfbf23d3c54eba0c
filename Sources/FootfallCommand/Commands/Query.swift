import ArgumentParser
import Footfall
import FootfallHistory
import Foundation

/// `footfall query`: asks a history about any range of time.
struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a history about any range of time.",
        discussion: """
            Ranges are half open: a step at --since counts, one at --until does not, so adjacent ranges add up. No data is not \
            zero: every answer says how much of its range was covered.

              footfall query steps --since today --by hour
              footfall query activities --since yesterday --until today --activity walking
              footfall query summary --since -7d --output json
            """,
        subcommands: [QuerySteps.self, QueryActivities.self, QueryCoverage.self, QuerySummary.self])
}

/// `footfall query steps`
struct QuerySteps: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steps", abstract: "How many steps, in the whole range or in buckets.",
        discussion: "  footfall query steps --since yesterday --until today --by hour")

    @Option(
        help: ArgumentHelp("Count by hour, day, week or a number of minutes such as 15m.", valueName: "bucket"),
        transform: Word.bucket)
    var by: CalendarBucket?

    @OptionGroup var options: HistoryOptions

    func run() throws {
        try options.ask { inquiry in
            let counts =
                if let by {
                    try inquiry.history.steps(
                        in: inquiry.range, by: by, calendar: options.tz == nil ? nil : inquiry.calendar,
                        from: inquiry.source)
                } else {
                    [try inquiry.history.steps(in: inquiry.range, from: inquiry.source)]
                }
            if var writer = options.output.output.makeWriter(columns: StepCount.columns) {
                for count in counts { writer.write(count.record) }
                writer.finish()
            } else {
                Terminal.out(StepsTable(counts, inquiry, hasBuckets: by != nil).text)
                inquiry.explainEmptiness(covered: counts.reduce(0) { $0 + $1.coverage })
            }
        }
    }
}

/// `footfall query activities`
struct QueryActivities: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "What was done, segment by segment.",
        discussion: "  footfall query activities --since today --activity walking --activity running")

    @Option(help: "Only this activity; may be given several times.", transform: Word.activity)
    var activity: [Activity] = []

    @Option(
        help: ArgumentHelp("Only segments that last at least this long, such as 30s or 5min.", valueName: "duration"))
    var minDuration: String?

    @OptionGroup var options: HistoryOptions

    func run() throws {
        var filter = activity.isEmpty ? SegmentFilter.all : .activity(activity)
        if let minDuration {
            guard let seconds = TimeExpression.span(minDuration[...]) else {
                throw ValidationError("--min-duration \(minDuration): write a length of time such as 30s or 5min.")
            }
            filter = filter && .duration(atLeast: seconds)
        }
        try options.ask { inquiry in
            let segments = try inquiry.history.activities(in: inquiry.range, from: inquiry.source, where: filter)
            if var writer = options.output.output.makeWriter(columns: RecordedSegment.columns) {
                for segment in segments { writer.write(segment.record) }
                writer.finish()
            } else {
                Terminal.out(ActivitiesTable(segments, inquiry).text)
                if segments.isEmpty {
                    let covered = try inquiry.history.steps(in: inquiry.range, from: inquiry.source).coverage
                    inquiry.explainEmptiness(covered: covered)
                }
            }
        }
    }
}

/// `footfall query coverage`
struct QueryCoverage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "Which times are covered by samples, and which are not.",
        discussion: "  footfall query coverage --since -7d")

    @OptionGroup var options: HistoryOptions

    func run() throws {
        try options.ask { inquiry in
            let coverage = try inquiry.history.coverage(in: inquiry.range, from: inquiry.source)
            if var writer = options.output.output.makeWriter(columns: Coverage.columns) {
                writer.write(coverage.record)
                writer.finish()
            } else {
                Terminal.out(CoverageTable(coverage, inquiry).text)
                inquiry.explainEmptiness(covered: coverage.seconds)
            }
        }
    }
}

/// `footfall query summary`
struct QuerySummary: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary", abstract: "Each day at a glance.",
        discussion: "  footfall query summary --since -7d")

    @OptionGroup var options: HistoryOptions

    func run() throws {
        try options.ask { inquiry in
            let days = try inquiry.history.steps(
                in: inquiry.range, by: .day, calendar: options.tz == nil ? nil : inquiry.calendar,
                from: inquiry.source)
            let summaries = try days.map { try inquiry.history.summary(of: $0.range, from: inquiry.source) }
            if var writer = options.output.output.makeWriter(columns: MotionSummary.columns) {
                for summary in summaries { writer.write(summary.record) }
                writer.finish()
            } else {
                Terminal.out(summaries.map { SummaryView($0, inquiry).text }.joined(separator: "\n"))
                inquiry.explainEmptiness(covered: summaries.reduce(0) { $0 + $1.steps.coverage })
            }
        }
    }
}

/// Words of the command line that stand for values of the library.
enum Word {
    /// An activity by its name.
    static func activity(_ text: String) throws -> Activity {
        guard let activity = Activity(rawValue: text) else {
            let names = Activity.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no activity “\(text)”; there are \(names).")
        }
        return activity
    }

    /// `hour`, `day`, `week`, or minutes such as `15m`.
    static func bucket(_ text: String) throws -> CalendarBucket {
        switch text {
        case "hour": return .hour
        case "day": return .day
        case "week": return .week
        default:
            guard let seconds = TimeExpression.span(text[...]), seconds >= 60, seconds <= 86400,
                seconds.truncatingRemainder(dividingBy: 60) == 0
            else { throw ValidationError("Cannot count by “\(text)”; write hour, day, week, or minutes such as 15m.") }
            return .minutes(Int(seconds / 60))
        }
    }
}
