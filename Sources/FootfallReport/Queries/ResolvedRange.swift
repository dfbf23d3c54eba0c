package import Footfall
package import FootfallHistory
package import Foundation

/// The source, the range and the time zone of a query, as they are written.
package struct RangeRequest: Sendable {
    /// The name of the source; nil for the only one.
    package var source: String?
    /// The start; nil for the oldest kept time.
    package var since: String?
    /// The end, not included; nil for the newest sample, or now.
    package var until: String?
    /// The zone of all times; nil for the wearer's.
    package var zone: TimeZone?

    package init(source: String? = nil, since: String? = nil, until: String? = nil, zone: TimeZone? = nil) {
        (self.source, self.since, self.until, self.zone) = (source, since, until, zone)
    }

    /// The given ends of the range.
    ///
    /// - Throws: `TimeExpression.Invalid` for invalid times, and `EmptyRange`.
    package func bounds(in zone: TimeZone, now: Date) throws -> (since: Date?, until: Date?) {
        let expression = TimeExpression(timeZone: zone, now: now)
        let since = try since.map { try expression.date(from: $0) }
        let until = try until.map { try expression.date(from: $0) }
        if let since, let until, since >= until { throw EmptyRange() }
        return (since, until)
    }

    /// A range that does not start before its end.
    package struct EmptyRange: Error {}
}

/// The source, the range and the clock of a query: a request, resolved against one state of the history.
package struct ResolvedRange {
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

    /// Resolves a request.
    ///
    /// - Parameter previous: The result for an earlier state, when a query is repeated. The source, the reference of
    ///   relative times and, if the retention removes events meanwhile, the start of the range stay the same.
    /// - Throws: The errors of ``RangeRequest/bounds(in:now:)``, and `HistoryError`.
    package init(_ request: RangeRequest, in history: HistorySnapshot, after previous: ResolvedRange? = nil) throws {
        let source = try history.source(request.source ?? previous?.source)
        let (zones, zone) = (try source.timeZones(), request.zone)
        self.source = source.name
        clock = WallClock(zone: zone, changes: zones)
        kept = try source.info()?.keptRange
        now = previous?.now ?? Date()
        oldest = [kept?.lowerBound, previous?.oldest].compactMap(\.self).min()
        let (since, until) = try request.bounds(in: zone ?? zones.last?.timeZone ?? .gmt, now: now)
        let (given, present) = (until.map { Timestamp($0) }, Timestamp(Date()))
        let start = since.map { Timestamp($0) } ?? min(oldest ?? present, given ?? present)
        // Without an end, the range ends at the newest sample or, if that is before the start, now.
        let newest = kept?.upperBound ?? start
        range = start..<max(start, given ?? (newest > start ? newest : present))
        coverage = try source.steps(in: range).coverage
    }
}
