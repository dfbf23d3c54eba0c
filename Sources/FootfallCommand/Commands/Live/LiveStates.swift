import Footfall
import FootfallDevices

/// Live motion as records. The keys are a contract with scripts.
///
/// Every settled event is a record; so is the state of things, marked as provisional, whenever its steps or its activity change.
struct LiveStates {
    static let columns = [
        "event", "start", "end", "duration", "activity", "flags", "confidence", "probability", "steps", "halts",
        "reason", "quality", "cadence", "sampleRate", "dropped", "provisional",
    ]

    private var last: (steps: Int, flags: ActivityFlags?)?

    /// What is new.
    mutating func records(of update: LiveUpdate) -> [Record] {
        var records = update.events.map(LiveStates.record)
        let (steps, flags) = (update.steps, update.current?.flags)
        if let time = update.time, last.map({ $0 != (steps, flags) }) ?? true {
            last = (steps, flags)
            records.append(LiveStates.state(update, time))
        }
        return records
    }

    private static func record(_ event: MotionEvent) -> Record {
        switch event {
        case .step(let step):
            [
                ("event", .string("step")), ("start", .time(step.time)),
                ("quality", .number(Double(step.quality), decimals: 3)), ("provisional", .bool(false)),
            ]
        case .segment(let segment):
            [("event", .string("segment"))] + segment.record(from: nil).filter { $0.key != "offset" }
                + [("provisional", .bool(false))]
        case .gap(let gap):
            [
                ("event", .string("gap")), ("start", .time(gap.lowerBound)), ("end", .time(gap.upperBound)),
                ("duration", .seconds(gap.seconds)), ("provisional", .bool(false)),
            ]
        }
    }

    private static func state(_ update: LiveUpdate, _ time: Timestamp) -> Record {
        let current = update.current
        return [
            ("event", .string("state")), ("start", .time(time)),
            ("activity", .string((current?.activity ?? .unknown).rawValue)),
            ("flags", .array((current?.flags ?? .unknown).activities.map { .string($0.rawValue) })),
            ("confidence", current.map { .string($0.confidence.description) } ?? .null),
            ("probability", current.map { .number(Double($0.probability), decimals: 3) } ?? .null),
            ("steps", .integer(update.steps)),
            ("cadence", update.cadence.map { .number($0, decimals: 1) } ?? .null),
            ("sampleRate", update.sampleRate.map { .number($0, decimals: 2) } ?? .null),
            ("dropped", .integer(update.quality.dropped)), ("provisional", .bool(true)),
        ]
    }
}
