import ArgumentParser
import Footfall
import FootfallHistory

/// What every `footfall query` takes.
struct QueryOptions: ParsableArguments {
    @OptionGroup var location: HistoryLocation
    @OptionGroup var range: HistoryRange

    @Flag(name: [.short, .long], help: "Show the newest first.")
    var reverse = false

    @Flag(
        name: [.short, .long],
        help: "Go on: print what is new or has changed as it is recorded, until interrupted.")
    var follow = false

    @Flag(help: "Fail with exit code 3 when nothing of the range is covered by samples.")
    var requireData = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if reverse, follow { throw ValidationError("--reverse and --follow do not go together.") }
    }
}

/// Which segments count.
struct FilterOptions: ParsableArguments {
    @Option(
        help: """
            Only this activity: stationary, walking, running, automotive, cycling or unknown; may be given several times.
            """,
        transform: Word.activity)
    var activity: [Activity] = []

    @Option(
        help: ArgumentHelp(
            "Only segments that last at least this long as a whole, such as 30s or 5min.", valueName: "duration"),
        transform: Word.duration)
    var minDuration: Double?

    @Option(
        help: ArgumentHelp("Only segments that are at least this certain: low, medium, high.", valueName: "grade"),
        transform: Word.confidence)
    var confidence: Confidence?

    /// The filter; nil when all segments count.
    var filter: SegmentFilter? {
        var filters: [SegmentFilter] = []
        if !activity.isEmpty { filters.append(.activity(activity)) }
        if let minDuration { filters.append(.duration(atLeast: minDuration)) }
        if let confidence { filters.append(.confidence(atLeast: confidence)) }
        return filters.isEmpty ? nil : filters.reduce(.all) { $0 && $1 }
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

    /// `low`, `medium` or `high`.
    static func confidence(_ text: String) throws -> Confidence {
        guard let confidence = Confidence.allCases.first(where: { $0.description == text }) else {
            throw ValidationError("There is no confidence “\(text)”; there are low, medium, high.")
        }
        return confidence
    }

    /// A length of time in seconds.
    static func duration(_ text: String) throws -> Double {
        guard let seconds = TimeExpression.span(text[...]) else {
            throw ValidationError("“\(text)” is no length of time; write one such as 30s, 5min or 1h 30min.")
        }
        return seconds
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
