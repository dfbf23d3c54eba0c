internal import FootfallHistory
internal import FootfallReport
internal import FootfallTables

/// An address of `/api/v1` with a query: its name, its rows, and its parameters.
struct Endpoint: Sendable {
    /// A parameter. It has the name of an option of the command.
    enum Parameter: String {
        case source, since, until, tz, reverse, by, activity, confidence
        case leastDuration = "min-duration"
        case validDay = "valid-day"
    }

    let name: String
    let table: TableDescription
    /// The rows of `by=mark`; nil where there are none.
    var tableByMark: TableDescription?
    let parameters: [Parameter]

    private static let range: [Parameter] = [.source, .since, .until, .tz, .reverse]
    private static let filter: [Parameter] = [.activity, .leastDuration, .confidence]

    static let sources = Endpoint(name: "sources", table: SourceInfo.table.description, parameters: [])
    static let steps = Endpoint(
        name: "steps", table: StepsQuery.table, tableByMark: MarkedStepsQuery.table,
        parameters: range + [.by] + filter)
    static let activities = Endpoint(
        name: "activities", table: ActivitiesQuery.table, parameters: range + filter)
    static let bouts = Endpoint(name: "bouts", table: BoutsQuery.table, parameters: range)
    static let coverage = Endpoint(name: "coverage", table: CoverageQuery.table, parameters: range)
    static let summary = Endpoint(name: "summary", table: SummaryQuery.table, parameters: range)
    static let measures = Endpoint(
        name: "measures", table: MeasuresQuery.table, parameters: range + [.by, .validDay])

    /// The address at which marks are added, and the parameters of its body.
    static let marks = "marks"
    static let markParameters = ["text"] + markedTime.map(\.rawValue)
    static let markedTime: [Parameter] = [.source, .since, .until, .tz]

    static let all = [sources, steps, activities, bouts, coverage, summary, measures]
}
