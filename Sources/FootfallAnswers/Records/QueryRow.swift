package import Footfall
package import FootfallHistory
package import FootfallMeasures
internal import Foundation

/// A row of an answer, identified by the start of its range.
package protocol QueryRow: Hashable {
    static var table: TableDescription { get }
    var record: Record { get }
    var range: Range<Timestamp> { get }
    var stepCount: Int { get }
    /// Whether the start of the range is older than the retention, so that the row shrinks with time.
    var isShrinking: Bool { get }
}

// The rows as records. Scripts depend on the keys.

extension StepCount: QueryRow {
    package var stepCount: Int { count }
    package var isShrinking: Bool { isTruncated }

    package static let table = TableDescription.stepCounts

    package var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("steps", .integer(count)),
            ("coverage", .seconds(coverage)), ("truncated", .bool(isTruncated)),
        ]
    }
}

extension RecordedSegment: QueryRow {
    package var stepCount: Int { steps }
    package var isShrinking: Bool { isClippedAtStart }

    package static let table = TableDescription.recordedSegments

    package var record: Record {
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

/// A bout, with the cadence of its steps.
package struct BoutAnswer: QueryRow {
    package let bout: Bout
    /// The measures of cadence between the first and the last step.
    package let cadence: CadenceMeasures
    /// The seconds since the last step of the bout before; nil for the first bout.
    package let sinceLast: Double?

    package var range: Range<Timestamp> { bout.range }
    package var stepCount: Int { bout.steps }
    package var isShrinking: Bool { false }

    package static let table = TableDescription.boutRows

    package var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("duration", .seconds(bout.duration)),
            ("steps", .integer(bout.steps)), ("cadence", .number(bout.cadence, decimals: 1)),
            ("sinceLast", sinceLast.map { .seconds($0) } ?? .null),
        ] + Measure.ofBoutCadence.map { ($0.column.name, $0.json(of: cadence)) }
    }

    /// Passes the bouts of a range to `take`, in the order of time.
    package static func forEach(
        in range: some TimeRange, of source: SourceSnapshot, _ take: (BoutAnswer) throws -> Void
    ) throws {
        var last: Timestamp?
        for bout in try source.bouts(in: range) {
            // The range of a bout ends with its last step, which counts.
            let steps = bout.range.lowerBound..<bout.range.upperBound.advanced(bySeconds: 1e-9)
            let cadence = CadenceMeasures(steps: try source.stepTimes(in: steps), covered: [], in: steps)
            try take(
                BoutAnswer(
                    bout: bout, cadence: cadence, sinceLast: last.map { bout.range.lowerBound.seconds(since: $0) }))
            last = bout.range.upperBound
        }
    }
}

extension Coverage: QueryRow {
    /// A query of coverage counts no steps.
    package var stepCount: Int { 0 }
    package var isShrinking: Bool { isTruncated }

    package static let table = TableDescription.coverage

    package var record: Record {
        [
            ("start", .time(range.lowerBound)), ("end", .time(range.upperBound)), ("coverage", .seconds(seconds)),
            ("truncated", .bool(isTruncated)), ("covered", .spans(covered)),
            ("gaps", .spans(gaps)),
        ]
    }
}

extension MotionSummary: QueryRow {
    package var stepCount: Int { steps.count }
    package var isShrinking: Bool { steps.isTruncated }

    package static let table = TableDescription.summary

    package var record: Record {
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
package struct DayAnswer: QueryRow {
    package let count: StepCount
    package let day: DayMeasures
    package let isValid: Bool

    package var range: Range<Timestamp> { count.range }
    package var stepCount: Int { count.count }
    package var isShrinking: Bool { count.isTruncated }

    package static let table = TableDescription.measures

    package var record: Record {
        count.record + [("valid", .bool(isValid))] + Measure.ofDay.map { ($0.column.name, $0.json(of: day)) }
    }
}

extension SourceInfo {
    /// The source as a record.
    package var record: Record {
        [
            ("source", .string(name)), ("timeZone", .string(timeZone.statedName)),
            ("start", .time(keptRange?.lowerBound)), ("end", .time(keptRange?.upperBound)), ("steps", .integer(steps)),
            ("coverage", .seconds(coverage)), ("forgottenBefore", .time(forgottenBefore)),
        ]
    }
}
