import Footfall
import FootfallHistory
import FootfallReport
import Foundation

/// The source, the range and the clock of a query: its options, resolved against one state of the history.
struct ResolvedRange {
    /// The name of the source; nil in an empty history.
    let source: String?
    let range: Range<Timestamp>
    /// The clock of printed times and of days.
    let clock: WallClock
    /// From the oldest to the newest time of the source; nil in an empty history.
    let kept: Range<Timestamp>?
    /// The covered seconds of the range.
    let coverage: Double

    /// The reference of relative times.
    private let now: Date
    /// The oldest time of the source in this and all earlier states.
    private let oldest: Timestamp?

    /// Resolves options.
    ///
    /// - Parameter previous: The result for an earlier state, when a query is repeated. The source, the reference of
    ///   relative times and, if the retention removes events meanwhile, the start of the range stay the same.
    /// - Throws: `ValidationError` for invalid times, and `HistoryError`.
    init(_ options: RangeOptions, in history: HistorySnapshot, after previous: ResolvedRange? = nil) throws {
        let source = try history.source(options.source ?? previous?.source)
        let (zones, zone) = (try source.timeZones(), options.zone)
        self.source = source.name
        clock = WallClock(zone: zone, changes: zones)
        kept = try source.info()?.keptRange
        now = previous?.now ?? Date()
        oldest = [kept?.lowerBound, previous?.oldest].compactMap(\.self).min()
        let (since, until) = try options.bounds(in: zone ?? zones.last?.timeZone ?? .gmt, now: now)
        let (given, present) = (until.map { Timestamp($0) }, Timestamp(Date()))
        let start = since.map { Timestamp($0) } ?? min(oldest ?? present, given ?? present)
        // Without --until, the range ends at the newest sample or, if that is before the start, now.
        let newest = kept?.upperBound ?? start
        range = start..<max(start, given ?? (newest > start ? newest : present))
        coverage = try source.steps(in: range).coverage
    }

    /// Reports on standard error that the range has no data, and the range of the data.
    func noteEmptiness() {
        guard let kept else { return Terminal.note("footfall: the history is empty") }
        let zone = clock.zone(at: kept.upperBound).name
        Terminal.note(
            "footfall: no data in this range; there is data from \(clock.local(kept.lowerBound).full) to "
                + "\(clock.local(kept.upperBound).full) (\(zone))")
    }
}
