import ArgumentParser
import Footfall
import FootfallHistory

/// The options of every `footfall query`.
struct QueryOptions: ParsableArguments {
    @OptionGroup var history: HistoryOptions
    @OptionGroup var range: RangeOptions

    @Flag(name: [.short, .long], help: "Print the newest first.")
    var reverse = false

    @Flag(
        name: [.short, .long],
        help: "Continue: print each new or changed row as it is recorded, until interrupted.")
    var follow = false

    @Flag(help: "Exit with code 3 if the range has no data.")
    var requireData = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if reverse, follow { throw ValidationError("--reverse and --follow exclude each other. Use only one of them.") }
    }
}

/// The filter of a query.
struct FilterOptions: ParsableArguments {
    @Option(help: "Only this activity; may be repeated.")
    var activity: [Activity] = []

    @Option(
        help: ArgumentHelp(
            "Only segments with at least this length before clipping, such as 30s or 5min.", valueName: "duration"),
        transform: QueryValue.duration)
    var minDuration: Double?

    @Option(
        help: ArgumentHelp("Only segments with at least this confidence: low, medium or high.", valueName: "grade"),
        transform: QueryValue.confidence)
    var confidence: Confidence?

    /// The filter; nil for all segments.
    var filter: SegmentFilter? {
        QueryValue.filter(activity, minDuration: minDuration, confidence: confidence)
    }
}
