import Footfall
import FootfallHistory

// Answers of the history as records. The keys are a contract with scripts.

extension StepCount: AnswerItem {
    var isShrinking: Bool { isTruncated }

    static let columns = ["start", "end", "steps", "coverage", "truncated"]

    var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("steps", .integer(count)),
            ("coverage", .seconds(coverage)), ("truncated", .bool(isTruncated)),
        ]
    }
}

extension RecordedSegment: AnswerItem {
    var isShrinking: Bool { isClippedAtStart }

    static let columns = [
        "start", "end", "duration", "activity", "flags", "confidence", "probability", "steps", "halts", "reason",
        "clippedStart", "clippedEnd", "open", "source",
    ]

    var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("duration", .seconds(duration)),
            ("activity", .string(activity.rawValue)),
            ("flags", .array(flags.activities.map { .string($0.rawValue) })),
            ("confidence", .string(confidence.description)),
            ("probability", .number(Double(probability), decimals: 3)), ("steps", .integer(steps)),
            ("halts", .array(halts.map(JSONValue.span))), ("reason", .reason(reason)),
            ("clippedStart", .time(clippedRange.lowerBound)), ("clippedEnd", .time(clippedRange.upperBound)),
            ("open", .bool(isOpen)), ("source", .string(source)),
        ]
    }
}

extension Coverage: AnswerItem {
    var isShrinking: Bool { isTruncated }

    static let columns = ["start", "end", "coverage", "truncated", "covered", "gaps"]

    var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("coverage", .seconds(seconds)),
            ("truncated", .bool(isTruncated)), ("covered", .array(covered.map(JSONValue.span))),
            ("gaps", .array(gaps.map(JSONValue.span))),
        ]
    }
}

extension MotionSummary: AnswerItem {
    var isShrinking: Bool { steps.isTruncated }

    static let columns =
        ["start", "end", "steps", "coverage", "truncated"] + Activity.allCases.map(\.rawValue)
        + ["walkingCadence", "longestBout"]

    var record: Record {
        let bout = longestBout.map { bout -> JSONValue in
            .object([
                ("start", .time(bout.range.lowerBound)), ("end", .time(bout.range.upperBound)),
                ("steps", .integer(bout.steps)),
            ])
        }
        return steps.record + Activity.allCases.map { ($0.rawValue, .seconds(durations[$0] ?? 0)) } + [
            ("walkingCadence", walkingCadence.map { .number($0, decimals: 1) } ?? .null),
            ("longestBout", bout ?? .null),
        ]
    }
}

extension JSONValue {
    /// Why an activity is unknown, in a word.
    static func reason(_ reason: UnknownReason?) -> JSONValue { reason.map { .string("\($0)") } ?? .null }

    /// A span of time as an object.
    static func span(_ range: Range<Timestamp>) -> JSONValue {
        .object([("start", .time(range.lowerBound)), ("end", .time(range.upperBound))])
    }
}
