package import Footfall
internal import FootfallReaders
package import Foundation

/// The range and the clock of a query, resolved against one state of a source.
package struct ResolvedRange {
    /// A range that does not start before its end.
    package struct Empty: Error {}

    /// The name of the source; nil in an empty history.
    package let source: String?
    package let range: Range<Timestamp>
    /// The clock of printed times and of days.
    package let clock: WallClock
    /// From the oldest to the newest time of the source; nil in an empty history.
    package let kept: Range<Timestamp>?
    /// The covered seconds of the range.
    package let coverage: Double

    /// The reference of relative times.
    private let now: Date
    /// The oldest time of the source in this and all earlier states.
    private let oldest: Timestamp?

    /// Resolves the ends of a range.
    ///
    /// - Parameters:
    ///   - since: The start; nil for the oldest kept time.
    ///   - until: The end, not included; nil for the newest sample, or now.
    ///   - zone: The zone of all times; nil for the wearer's.
    ///   - previous: The result for an earlier state of the same source, when a query is repeated. The reference of
    ///     relative times and, if the retention removes events meanwhile, the start of the range stay the same.
    /// - Throws: ``Empty``, and `HistoryError`.
    package init(
        since: TimeExpression?, until: TimeExpression?, zone: TimeZone?, of source: SourceSnapshot,
        after previous: ResolvedRange? = nil
    ) throws {
        let zones = try source.timeZones()
        self.source = source.name
        clock = WallClock(zone: zone, changes: zones)
        kept = try source.keptRange
        let now = previous?.now ?? Date()
        self.now = now
        oldest = [kept?.lowerBound, previous?.oldest].compactMap(\.self).min()
        let given = try Self.ends(since, until, in: zone ?? zones.last?.timeZone ?? .gmt, now: now)
        let present = Timestamp(Date())
        let start = given.since ?? min(oldest ?? present, given.until ?? present)
        // Without an end, the range ends at the newest sample or, if that is before the start, now.
        let newest = kept?.upperBound ?? start
        range = start..<max(start, given.until ?? (newest > start ? newest : present))
        coverage = try source.steps(in: range).coverage
    }

    /// The given ends of a range.
    package static func ends(
        _ since: TimeExpression?, _ until: TimeExpression?, in zone: TimeZone, now: Date
    ) throws(Empty) -> (since: Timestamp?, until: Timestamp?) {
        let start = since.map { $0.time(in: zone, now: now) }
        let end = until.map { $0.time(in: zone, now: now) }
        if let start, let end, start >= end { throw Empty() }
        return (start, end)
    }
}
