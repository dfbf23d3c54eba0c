internal import FootfallAnswers
internal import FootfallHistory
internal import FootfallTables

/// An address of `/api/v1` with a query: its name, its rows, and the names of its parameters, which are options of the
/// command.
struct Endpoint: Sendable {
    let name: String
    let table: TableDescription
    let parameters: [String]

    private static let range = ["source", "since", "until", "tz", "reverse"]
    private static let filter = ["activity", "min-duration", "confidence"]

    static let sources = Endpoint(name: "sources", table: SourceInfo.table.description, parameters: [])
    static let steps = Endpoint(
        name: "steps", table: StepCount.table.description, parameters: range + ["by"] + filter)
    static let activities = Endpoint(
        name: "activities", table: RecordedSegment.table.description, parameters: range + filter)
    static let bouts = Endpoint(name: "bouts", table: BoutAnswer.table.description, parameters: range)
    static let coverage = Endpoint(name: "coverage", table: Coverage.table.description, parameters: range)
    static let summary = Endpoint(name: "summary", table: MotionSummary.table.description, parameters: range)
    static let measures = Endpoint(
        name: "measures", table: DayAnswer.table.description, parameters: range + ["by", "valid-day"])

    static let all = [sources, steps, activities, bouts, coverage, summary, measures]
}
