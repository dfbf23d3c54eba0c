import Footfall
import FootfallHistory
import FootfallLive
import FootfallStudy
import FootfallTables
import Foundation

/// The output of `footfall live`: a redrawn view on a terminal, lines elsewhere, or records in a machine format.
struct LiveDisplay {
    let isQuiet: Bool
    private let format: OutputFormat
    private var view: LiveView
    private var writer: RecordWriter?
    private var screen = Screen()
    private var lines = LiveLines()
    private var rows = LiveRows()
    /// Seconds with samples before the rate is judged: a device may begin slowly.
    private static let rateSeconds = 10.0
    private var isSlownessNoted = false

    /// Starts a display. CSV has local times in a zone; nil for none.
    init(isQuiet: Bool, format: OutputFormat, zone: TimeZone?, view: LiveView) {
        (self.isQuiet, self.format, self.view) = (isQuiet, format, view)
        writer = isQuiet ? nil : format.makeWriter(of: LiveRow.table.description, in: zone)
    }

    private var isView: Bool { !isQuiet && format == .table && Terminal.redrawsOutput }

    mutating func update(_ notice: DeviceNotice) { view.update(notice) }

    /// Writes a notice to standard error, above the view.
    mutating func print(_ notice: DeviceNotice) {
        if isView, Terminal.isErrorTerminal { screen.clear() }
        Terminal.note("\(view.name): \(notice.message.asOptions)")
    }

    mutating func show(_ update: LiveUpdate) {
        noteSlowness(of: update)
        guard !isQuiet else { return }
        view.update(update)
        if writer != nil {
            for row in rows.next(for: update) { writer?.write(row.record) }
        } else if isView {
            screen.show(view.text)
        } else if let line = lines.line(of: update, view.clock) {
            Terminal.out(line)
        }
    }

    /// States once that the samples are too few; the view always does.
    private mutating func noteSlowness(of update: LiveUpdate) {
        guard !isView, !isSlownessNoted, update.quality.coverage >= Self.rateSeconds,
            let slowness = SignalQuality.slowness(of: update.sampleRate)
        else { return }
        isSlownessNoted = true
        Terminal.note("\(view.name): \(slowness); a device has to send more lines a second")
    }

    /// Ends the output, with a summary of the session and the steps recorded before that it has replaced. `isRecorded`
    /// states whether the history took all events; the error of one that did not follows.
    mutating func finish(withSummary: Bool = true, replaced: Int = 0, isRecorded: Bool = true) {
        guard !isQuiet else { return }
        (view.replaced, view.isRecorded) = (replaced, isRecorded)
        writer?.finish()
        guard withSummary else { return }
        if format == .table {
            Terminal.out(WrappedText.onTerminal(view.summary + "\n"))
        } else {
            Terminal.note(view.summary)
        }
    }
}

/// The lines shown without a terminal: one for each change of activity, and one per minute.
struct LiveLines {
    private var last: (activity: Activity, minute: Int64)?

    /// The next line; nil if nothing has changed.
    mutating func line(of update: LiveUpdate, _ clock: WallClock) -> String? {
        guard let time = update.time, update.current != nil || !update.hasSignal else { return nil }
        let minute = time.nanosecondsSince1970 / 60_000_000_000
        if let last, last == (update.activity, minute) { return nil }
        let head = last == nil ? Self.row("time", "steps", "cadence", "activity", "confidence", "signal") : ""
        last = (update.activity, minute)
        return head
            + Self.row(
                clock.local(time).second, String(update.steps), LiveView.cadence(update),
                update.activity.rawValue, update.confidence?.description ?? "", LiveView.signal(update))
    }

    private static func row(_ cells: String...) -> String {
        let widths = [8, -7, -8, 10, 10, 0]
        let padded = zip(cells, widths).map { cell, width in
            let space = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? space + cell : cell + space
        }
        return padded.joined(separator: "  ") + "\n"
    }
}

/// A row of live motion. Scripts depend on the names of its columns, of which each kind of row has some.
enum LiveRow: Sendable {
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
