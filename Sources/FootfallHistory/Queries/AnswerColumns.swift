package import Footfall
package import FootfallTables

// The columns that several tables have.

extension TableField {
    /// The start and the end of a range.
    static func range(_ value: @escaping @Sendable (Row) -> Range<Timestamp>) -> [TableField] {
        [
            .time("start", "The start of the range.") { value($0).lowerBound },
            .time("end", "The end of the range, not included.") { value($0).upperBound },
        ]
    }

    /// The covered time of a range, and whether the history keeps all of the range.
    static func coverage(
        _ seconds: @escaping @Sendable (Row) -> Double, isTruncated: @escaping @Sendable (Row) -> Bool
    ) -> [TableField] {
        [
            .seconds("coverage", "The time that samples cover.", seconds),
            .flag("truncated", "Whether the range starts before the time that the history keeps.", isTruncated),
        ]
    }

    /// The time of each activity.
    package static func durations(_ value: @escaping @Sendable (Row) -> [Activity: Double]) -> [TableField] {
        Activity.allCases.map { activity in
            .seconds(activity.rawValue, NumberText.timeMeaning(activity)) { value($0)[activity] ?? 0 }
        }
    }

    package static func nonWear(_ value: @escaping @Sendable (Row) -> Double) -> TableField {
        .seconds("nonWear", "The time in which the sensor was not worn, a part of unknown.", value)
    }
}

extension TableField<StepCount> {
    package static let ofStepCount: [TableField] =
        range { $0.range } + [.count("steps", "The steps.") { $0.count }]
        + coverage({ $0.coverage }, isTruncated: { $0.isTruncated })
}

/// A segment of an analysis or of a history.
package protocol SegmentRow: SendableMetatype {
    var range: Range<Timestamp> { get }
    var activity: Activity { get }
    var flags: ActivityFlags { get }
    var confidence: Confidence { get }
    var probability: Float { get }
    var steps: Int { get }
    var halts: [Range<Timestamp>] { get }
    var reason: UnknownReason? { get }
}

extension Segment: SegmentRow {}
extension RecordedSegment: SegmentRow {}

extension TableField where Row: SegmentRow {
    /// The columns of a segment.
    package static var ofSegment: [TableField] {
        [
            .time("start", "The start of the segment.") { $0.range.lowerBound },
            .time("end", "The end of the segment, not included.") { $0.range.upperBound },
            .seconds("duration", "The length of the segment.") { $0.range.seconds },
            .text("activity", "stationary, walking, running, automotive, cycling or unknown.") {
                $0.activity.rawValue
            },
            TableField(.list("flags", "The activities that hold for the whole segment.")) { .flags($0.flags) },
            .text("confidence", "low, medium or high, from the probability.") { $0.confidence.description },
            .number("probability", nil, decimals: 3, "The probability that the activity is right, 0 to 1.") {
                Double($0.probability)
            },
            .count("steps", "The steps of the segment.") { $0.steps },
            .spans("halts", "Halts within the segment, such as red lights.") { $0.halts },
            .text(
                "reason",
                "Why the activity is unknown: tooShort, lowRate, handled, unclear, notWorn or exercise; else empty."
            ) { $0.reason.map { "\($0)" } },
        ]
    }
}
