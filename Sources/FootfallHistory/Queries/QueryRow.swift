package import Footfall
package import FootfallTables
internal import Foundation

/// A row of an answer, identified by the start of its range.
package protocol QueryRow: Hashable {
    /// The columns of the answer. Scripts depend on their names.
    static var table: Table<Self> { get }
    var range: Range<Timestamp> { get }
    var stepCount: Int { get }
    /// Whether the start of the range is older than the retention, so that the row shrinks with time.
    var isShrinking: Bool { get }
}

extension QueryRow {
    /// The row with the columns of its table.
    package var record: Record { Self.table.record(of: self) }
}

extension StepCount: QueryRow {
    package var stepCount: Int { count }
    package var isShrinking: Bool { isTruncated }

    package static let table = Table("query steps", row: "the range, or a bucket of it", TableField.ofStepCount)
}

extension RecordedSegment: QueryRow {
    package var stepCount: Int { steps }
    package var isShrinking: Bool { isClippedAtStart }

    package static let table = Table<RecordedSegment>(
        "query activities", row: "a segment",
        TableField.ofSegment + [
            .time("clippedStart", "The start of the part in the queried range.") { $0.clippedRange.lowerBound },
            .time("clippedEnd", "The end of the part in the queried range; the steps are those of the part.") {
                $0.clippedRange.upperBound
            },
            .flag("open", "Whether this is the newest segment, which may still grow.") { $0.isOpen },
            .text("source", "The wearer or the device.") { $0.source },
        ])
}

extension Coverage: QueryRow {
    /// A query of coverage counts no steps.
    package var stepCount: Int { 0 }
    package var isShrinking: Bool { isTruncated }

    package static let table = Table<Coverage>(
        "query coverage", row: "the range",
        TableField.range { $0.range } + TableField.coverage({ $0.seconds }, isTruncated: { $0.isTruncated }) + [
            .spans("covered", "The spans with samples.") { $0.covered },
            .spans("gaps", "The spans without samples.") { $0.gaps },
        ])
}

extension MotionSummary: QueryRow {
    package var stepCount: Int { steps.count }
    package var isShrinking: Bool { steps.isTruncated }

    package static let table = Table<MotionSummary>(
        "query summary", row: "a day",
        [TableField.ofStepCount.of { $0.steps }] + TableField.durations { $0.durations } + [
            .number(
                "walkingCadence", "steps/min", decimals: 1, "The steps per minute of walking; empty without walking."
            ) { $0.walkingCadence },
            .object("longestBout", "The longest bout; empty without steps.", partsOfBout) { $0.longestBout },
            .nonWear { $0.nonWear },
        ])

    private static let partsOfBout: [TableField<Bout>] = [
        .time("start", "The first step.") { $0.range.lowerBound },
        .time("end", "The last step.") { $0.range.upperBound },
        .count("steps", "The steps of the bout.") { $0.steps },
    ]
}

extension SourceInfo {
    package static let table = Table("sources", row: "a source", fields)

    package static let fields: [TableField<SourceInfo>] = [
        .text("source", "The wearer or the device.") { $0.name },
        .text("timeZone", "The wearer's zone, such as Europe/Berlin, or an offset such as -04:00.") {
            $0.timeZone.statedName
        },
        .time("start", "The oldest kept time.") { $0.keptRange?.lowerBound },
        .time("end", "The newest time.") { $0.keptRange?.upperBound },
        .count("steps", "The kept steps.") { $0.steps },
        .seconds("coverage", "The kept time with samples.") { $0.coverage },
        .time("forgottenBefore", "Events before this time have expired; empty if none has.") { $0.forgottenBefore },
    ]
}
