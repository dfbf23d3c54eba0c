package import Footfall
internal import FootfallAnswers
package import FootfallDevices
package import FootfallTables

/// Live motion as records. Scripts depend on the keys.
///
/// Each settled event is a record. The live state is a provisional record at each change of its steps or its activity.
package struct LiveRecords {
    private var last: (steps: Int, flags: ActivityFlags?)?

    /// The new records of an update.
    mutating func next(for update: LiveUpdate) -> [Record] {
        var records = update.events.map(Self.record(of:))
        let (steps, flags) = (update.steps, update.current?.flags)
        if let time = update.time, last.map({ $0 != (steps, flags) }) ?? true {
            last = (steps, flags)
            records.append(Self.state(of: update, at: time))
        }
        return records
    }

    package static func record(of event: MotionEvent) -> Record {
        switch event {
        case .step(let step):
            [
                ("event", .string("step")), ("start", .time(step.time)),
                ("quality", .number(Double(step.quality), decimals: 3)), ("provisional", .bool(false)),
            ]
        case .segment(let segment):
            [("event", .string("segment"))] + TableField.ofSegment.record(of: segment) + [("provisional", .bool(false))]
        case .gap(let gap): record("gap", gap)
        case .nonWear(let span): record("nonWear", span)
        }
    }

    private static func record(_ event: String, _ span: Range<Timestamp>) -> Record {
        [
            ("event", .string(event)), ("start", .time(span.lowerBound)), ("end", .time(span.upperBound)),
            ("duration", .seconds(span.seconds)), ("provisional", .bool(false)),
        ]
    }

    package static func state(of update: LiveUpdate, at time: Timestamp) -> Record {
        let current = update.current
        return [
            ("event", .string("state")), ("start", .time(time)),
            ("activity", .string((current?.activity ?? .unknown).rawValue)),
            ("flags", .flags(current?.flags ?? .unknown)),
            ("confidence", .text(current?.confidence.description)),
            ("probability", .number(current.map { Double($0.probability) }, decimals: 3)),
            ("steps", .integer(update.steps)),
            ("cadence", .number(update.cadence, decimals: 1)),
            ("sampleRate", .number(update.sampleRate, decimals: 2)),
            ("dropped", .integer(update.quality.dropped)), ("provisional", .bool(true)),
        ]
    }
}
