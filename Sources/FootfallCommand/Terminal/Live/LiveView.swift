import Footfall
import FootfallHistory
import FootfallLive
import FootfallReaders
import FootfallStudy
import FootfallTables

/// The live state as a few lines on a terminal.
struct LiveView {
    /// The minutes of the activity strip.
    private static let minutes = 10.0

    let name: String
    let clock: WallClock
    private let recording: String
    /// The steps recorded before that the session has replaced.
    var replaced = 0
    /// Whether the history took all events.
    var isRecorded = true
    private var latest = LiveUpdate()
    private var segments: [Segment] = []
    private var start: Timestamp?
    /// The covered seconds before the host's clock was last set back.
    private var earlierCoverage = 0.0
    private var layout = ""
    private var wire = WireQuality()

    init(name: String, recording: String, clock: WallClock) {
        (self.name, self.recording, self.clock) = (name, recording, clock)
    }

    mutating func update(_ notice: DeviceNotice) {
        switch notice {
        case .recognized(let wire, _): layout = wire.description
        case .quality(let quality): wire = quality
        default: break
        }
    }

    mutating func update(_ update: LiveUpdate) {
        if let start, let end = latest.time, let newStart = update.quality.start, newStart != latest.quality.start {
            // The clock was set back, and the analysis has started again. The duration continues from its last value.
            self.start = start.advanced(bySeconds: newStart.seconds(since: end))
            earlierCoverage += latest.quality.coverage
        }
        latest = update
        start = start ?? update.quality.start
        for case .segment(let segment) in update.events { segments.join(segment) }
        if let time = update.time {
            let oldest = time.advanced(bySeconds: -60 * Self.minutes)
            segments.removeAll { $0.range.upperBound < oldest }
        }
    }

    /// Steps per minute; empty without steps.
    static func cadence(_ update: LiveUpdate) -> String {
        update.cadence.map { "\(Int(clamping: $0.rounded()))/min" } ?? ""
    }

    /// Samples per second, or for how long there is no signal.
    static func signal(_ update: LiveUpdate) -> String {
        guard update.hasSignal else { return "no signal for \(Words.duration(update.silence.rounded()))" }
        return update.sampleRate.map { "\($0.formatted(decimals: 1)) Hz" } ?? ""
    }

    var text: String {
        let width = max(24, Terminal.width)
        func wrapped(_ text: String) -> String { WrappedText.lines(text, width: width).joined(separator: "\n") }
        return [
            title(width: width), "", wrapped(headline), "", strip(width: width - 2), "", wrapped("  " + signal), "",
        ].joined(separator: "\n")
    }

    /// The name, the layout and the duration on one line, or the layout below it if they do not fit.
    private func title(width: Int) -> String {
        let (name, layout) = (Color.bold(name.escaped), Color.dim(layout.escaped))
        guard !layout.isEmpty else { return Self.spread(name, elapsed, width: width) }
        let line = Self.spread("\(name)  \(layout)", elapsed, width: width)
        guard TextTable.width(of: line) > width else { return line }
        return ([Self.spread(name, elapsed, width: width)] + WrappedText.lines("  " + layout, width: width)).joined(
            separator: "\n")
    }

    private var headline: String {
        guard let time = latest.time, latest.current != nil || !latest.hasSignal else {
            return "  " + Color.dim("waiting for samples")
        }
        let certainty = latest.confidence.map { " " + Color.dim("\($0) confidence") } ?? ""
        let moment = latest.hasSignal ? Self.cadence(latest) : Color.dim("until \(clock.local(time).second)")
        return "  " + Color.bold(NumberText.count(latest.steps, "step")) + (moment.isEmpty ? "" : "   " + moment)
            + "   " + Words.activity(latest.activity) + certainty
    }

    private var elapsed: String {
        guard let start, let time = latest.time else { return "" }
        return Words.duration(max(0, time.seconds(since: start) + latest.silence).rounded())
    }

    private func strip(width: Int) -> String {
        guard let time = latest.time else { return "\n" }
        var shown = segments
        for case .segment(let segment) in latest.provisional { shown.join(segment) }
        let range = time.advanced(bySeconds: -60 * Self.minutes)..<time
        let strip = TimelineStrip(range, shown.map { ($0.range, $0.activity) }, clock, width: width)
        return "  \(strip.ticks)\n  \(strip.marks)"
    }

    private var signal: String {
        let rate = Self.signal(latest)
        if !latest.hasSignal { return Color.yellow(rate) + "   " + Color.dim(recording) }
        let isSlow = SignalQuality.slowness(of: latest.sampleRate) != nil
        let dropped = latest.quality.dropped + wire.damagedFrames + wire.refusedLines
        let parts = [
            isSlow ? Color.yellow("\(rate), too slow to find steps reliably") : rate,
            "\(dropped) dropped", latest.quality.gaps > 0 ? "\(latest.quality.gaps) gaps" : "", Color.dim(recording),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "   ")
    }

    var summary: String {
        let quality = latest.quality
        guard quality.samples > 0, let start, let time = latest.time else { return "no samples" }
        let duration = max(0, time.seconds(since: start))
        let covered = NumberText.percentage(min(earlierCoverage + quality.coverage, duration), of: duration)
        let steps =
            "\(NumberText.count(latest.settledSteps, "step")) in \(Words.duration(duration)), \(covered) of it covered by samples"
        return ([steps] + losses + (isRecorded ? [recording] : [])).joined(separator: "; ")
    }

    /// What was dropped or replaced, in clauses.
    private var losses: [String] {
        func clause(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
        }
        let example = wire.refusedExamples.first.map { ", such as '\($0)'" } ?? ""
        return [
            latest.quality.losses(),
            clause(replaced, "step of before replaced", "steps of before replaced"),
            clause(wire.damagedFrames, "damaged frame dropped", "damaged frames dropped"),
            clause(wire.refusedLines, "line dropped" + example, "lines dropped" + example),
        ].compactMap(\.self) + TraceWarnings.warnings(about: latest.sensor)
    }

    /// A line with one text at its start and one at its end.
    private static func spread(_ left: String, _ right: String, width: Int) -> String {
        left + String(repeating: " ", count: max(2, width - TextTable.width(of: left) - right.count)) + right
    }
}
