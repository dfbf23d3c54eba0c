import Footfall
import FootfallHistory
import FootfallMeasures

// The rows of answers as records. Scripts depend on the keys.

extension StepCount: QueryRow {
    var stepCount: Int { count }
    var isShrinking: Bool { isTruncated }

    static let table = TableDescription.stepCounts

    var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("steps", .integer(count)),
            ("coverage", .seconds(coverage)), ("truncated", .bool(isTruncated)),
        ]
    }
}

extension RecordedSegment: QueryRow {
    var stepCount: Int { steps }
    var isShrinking: Bool { isClippedAtStart }

    static let table = TableDescription.recordedSegments

    var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("duration", .seconds(duration)),
            ("activity", .string(activity.rawValue)),
            ("flags", .flags(flags)),
            ("confidence", .string(confidence.description)),
            ("probability", .number(Double(probability), decimals: 3)), ("steps", .integer(steps)),
            ("halts", .spans(halts)), ("reason", .reason(reason)),
            ("clippedStart", .time(clippedRange.lowerBound)), ("clippedEnd", .time(clippedRange.upperBound)),
            ("open", .bool(isOpen)), ("source", .string(source)),
        ]
    }
}

extension Coverage: QueryRow {
    /// A query of coverage counts no steps.
    var stepCount: Int { 0 }
    var isShrinking: Bool { isTruncated }

    static let table = TableDescription.coverage

    var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("coverage", .seconds(seconds)),
            ("truncated", .bool(isTruncated)), ("covered", .spans(covered)),
            ("gaps", .spans(gaps)),
        ]
    }
}

extension MotionSummary: QueryRow {
    var stepCount: Int { steps.count }
    var isShrinking: Bool { steps.isTruncated }

    static let table = TableDescription.summary

    var record: Record {
        let bout = longestBout.map { bout -> JSONValue in
            .object([
                ("start", .time(bout.range.lowerBound)), ("end", .time(bout.range.upperBound)),
                ("steps", .integer(bout.steps)),
            ])
        }
        return steps.record + Activity.allCases.map { ($0.rawValue, .seconds(durations[$0] ?? 0)) } + [
            ("walkingCadence", .number(walkingCadence, decimals: 1)),
            ("longestBout", bout ?? .null), ("nonWear", .seconds(nonWear)),
        ]
    }
}

/// The measures of a day.
struct DayAnswer: QueryRow {
    let count: StepCount
    let day: DayMeasures
    let isValid: Bool

    var range: Range<Timestamp> { count.range }
    var stepCount: Int { count.count }
    var isShrinking: Bool { count.isTruncated }

    static let table = TableDescription.measures

    var record: Record {
        count.record + [("valid", .bool(isValid))] + Measure.ofDay.map { ($0.column.name, $0.json(of: day)) }
    }
}
