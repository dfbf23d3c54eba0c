import Footfall
import FootfallHistory
import FootfallLive
import FootfallTables

/// A row of live motion. Scripts depend on the names of its columns, of which each kind of row has some.
enum LiveRow: Sendable {
    /// A settled event.
    case event(MotionEvent)
    /// The live state, and the time of its newest sample.
    case state(LiveUpdate, Timestamp)

    static let table = Table<LiveRow>(
        "live", row: "a settled event, or a change of the live state",
        [
            .text("event", "step, segment, gap, nonWear or state.") { $0.kind },
            TableField.ofSegment.only { if case .event(.segment(let segment)) = $0 { segment } else { nil } },
            ofStep.only { if case .event(.step(let step)) = $0 { step } else { nil } },
            ofSpan.only {
                switch $0 {
                case .event(.gap(let span)), .event(.nonWear(let span)): span
                default: nil
                }
            },
            ofState.only { if case .state(let update, let time) = $0 { (update, time) } else { nil } },
            .flag("provisional", "Whether a later record may correct this one: true for states.") {
                if case .state = $0 { true } else { false }
            },
        ])

    var record: Record { Self.table.record(of: self) }

    private var kind: String {
        switch self {
        case .event(.step): "step"
        case .event(.segment): "segment"
        case .event(.gap): "gap"
        case .event(.nonWear): "nonWear"
        case .state: "state"
        }
    }

    private static let ofStep: [TableField<Step>] = [
        .time("start", "The time of the step.") { $0.time },
        .number("quality", nil, decimals: 3, "The quality of a step's time, 0 to 1.") { Double($0.quality) },
    ]

    private static let ofSpan: [TableField<Range<Timestamp>>] = [
        .time("start", "The start of the span.") { $0.lowerBound },
        .time("end", "The end of the span, not included.") { $0.upperBound },
        .seconds("duration", "The length of the span.") { $0.seconds },
    ]

    private static let ofState: [TableField<(update: LiveUpdate, time: Timestamp)>] = [
        .time("start", "The time of the newest sample.") { $0.time },
        .text("activity", "The activity at this moment.") { $0.update.activity.rawValue },
        TableField(.list("flags", "The activities at this moment.")) { .flags($0.update.current?.flags ?? .unknown) },
        .text("confidence", "The confidence in the activity; empty for an unknown one.") {
            $0.update.confidence?.description
        },
        .number("probability", nil, decimals: 3, "The probability that the activity is right, 0 to 1.") {
            $0.update.current.map { Double($0.probability) }
        },
        .count("steps", "All steps since the start.") { $0.update.steps },
        .number("cadence", "steps/min", decimals: 1, "The cadence at this moment.") { $0.update.cadence },
        .number("sampleRate", "Hz", decimals: 2, "The rate of the samples.") { $0.update.sampleRate },
        .seconds("silence", "How long there is no signal; empty while there is one.") {
            $0.update.hasSignal ? nil : $0.update.silence
        },
        .count("dropped", "The samples that were dropped so far.") { $0.update.quality.dropped },
    ]
}

/// The rows of a live device: each settled event, and the live state at each change of its steps or its activity.
struct LiveRows {
    private var last: (steps: Int, flags: ActivityFlags?)?

    /// The new rows of an update.
    mutating func next(for update: LiveUpdate) -> [LiveRow] {
        var rows = update.events.map { LiveRow.event($0) }
        let (steps, flags) = (update.steps, update.current?.flags)
        if let time = update.time, last.map({ $0 != (steps, flags) }) ?? true {
            last = (steps, flags)
            rows.append(.state(update, time))
        }
        return rows
    }
}
