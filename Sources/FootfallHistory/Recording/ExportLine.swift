/// A line of an export, as JSON. Times are nanoseconds since 1970.
struct ExportLine: Codable {
    struct Zone: Codable {
        var since: Int64
        var name: String
    }

    /// The version of the export's format; the first line only.
    var version: Int?
    /// How long the history remembers, nothing for ever; the first line only.
    var retention: Int64?
    /// Begins a source: its name, its zones, and what it has forgotten.
    var source: String?
    var zones: [Zone]?
    var forgottenBefore: Int64?

    /// What was said of a span; its steps in `steps`.
    var start: Int64?
    var end: Int64?
    var flags: UInt8?
    /// Why the activity is unknown, as the number of the reason.
    var reason: UInt8?
    var probability: Float?
    /// Steps, by themselves where there is no span in the line.
    var steps: [Int64]?
}
