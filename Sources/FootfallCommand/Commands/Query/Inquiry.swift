import Footfall
import FootfallHistory
import FootfallReport
import Foundation

/// A question to a history, ready to be asked: whom it is about, from when to when, and on which clock.
struct Inquiry {
    let history: MotionHistory
    let source: String?
    let range: Range<Timestamp>
    /// The clock that times are shown on and days begin by.
    let clock: WallClock
    /// What there is of the source; nil when nothing is.
    let kept: Range<Timestamp>?

    /// The seconds of the range that are covered by samples.
    func coverage() throws -> Double {
        try history.steps(in: range, from: source).coverage
    }

    /// Tells a person why an answer is empty.
    func explainEmptiness() {
        if let kept {
            Terminal.note(
                "footfall: nothing is known of this time; there is data from \(clock.local(kept.lowerBound).full) to "
                    + "\(clock.local(kept.upperBound).full) (\(clock.zone(at: kept.upperBound).identifier))")
        } else {
            Terminal.note("footfall: the history is empty")
        }
    }
}

/// Makes the question that options ask for, again whenever the history has grown.
struct Inquirer {
    let history: MotionHistory
    private let options: HistoryRange
    /// What relative times are relative to, however long the question is followed.
    private let now = Date()
    /// Whom it is about, once that is known: another source that comes up later does not make it unclear.
    private var source: String?
    /// Where the range began so far: forgetting does not move it, an older recording does.
    private var start: Timestamp?

    init(_ history: MotionHistory, _ options: HistoryRange) {
        self.history = history
        self.options = options
        source = options.source
    }

    /// The question as it stands now.
    ///
    /// - Throws: `ValidationError` for times that mean nothing, and `HistoryError`.
    mutating func inquire() throws -> Inquiry {
        let sources = try history.sources()
        if source == nil, sources.count == 1 { source = sources.first?.name }
        let zones = try history.timeZones(of: source)
        let zone = try options.zone
        let kept = sources.first { $0.name == source }?.keptRange
        let (since, until) = try options.bounds(in: zone ?? zones.last?.timeZone ?? .gmt, now: now)
        if let oldest = kept?.lowerBound { start = min(oldest, start ?? oldest) }
        let present = Timestamp(Date())
        let begin = since.map { Timestamp($0) } ?? min(start ?? present, until.map { Timestamp($0) } ?? present)
        // Without an end, the answer reaches to the newest sample, or, when that is before the start, to now.
        let newest = kept?.upperBound ?? begin
        let end = until.map { Timestamp($0) } ?? (newest > begin ? newest : present)
        return Inquiry(
            history: history, source: source, range: begin..<max(begin, end),
            clock: WallClock(zone: zone, changes: zones), kept: kept)
    }
}
