import ArgumentParser
import Footfall
import FootfallHistory

/// The filter of a query.
struct FilterOptions: ParsableArguments {
    @Option(
        help: """
            Only this activity: stationary, walking, running, automotive, cycling or unknown; may be repeated.
            """,
        transform: OptionValue.activity)
    var activity: [Activity] = []

    @Option(
        help: ArgumentHelp(
            "Only segments with at least this length before clipping, such as 30s or 5min.", valueName: "duration"),
        transform: OptionValue.duration)
    var minDuration: Double?

    @Option(
        help: ArgumentHelp("Only segments with at least this confidence: low, medium or high.", valueName: "grade"),
        transform: OptionValue.confidence)
    var confidence: Confidence?

    /// The filter; nil for all segments.
    var filter: SegmentFilter? {
        var filters: [SegmentFilter] = []
        if !activity.isEmpty { filters.append(.activity(activity)) }
        if let minDuration { filters.append(.duration(atLeast: minDuration)) }
        if let confidence { filters.append(.confidence(atLeast: confidence)) }
        return filters.isEmpty ? nil : filters.reduce(.all) { $0 && $1 }
    }
}
