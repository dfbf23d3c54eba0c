/// Joins still windows into spans of non-wear.
///
/// A span is reported once it has lasted an hour. Then it grows with each still window, in touching parts. So a sensor
/// that lies on a table for days is reported as unworn before it is picked up. Like those of segments, its ends are
/// whole seconds or the ends of the contiguous signal. So no sliver remains between a span and the end of a segment.
struct NonWearDetector: Sendable {
    private static let second: Int64 = 1_000_000_000
    static let leastSeconds = 3600.0
    private static let leastLength = Int64(clamping: leastSeconds * 1e9)

    /// The still windows without motion between them; nil after motion.
    private var still: Range<Int64>?
    /// The end of what is reported, or the start of what will be.
    private var reported: Int64 = 0

    /// Whether a reported span goes on.
    var isOpen: Bool { still.map { $0.count >= Self.leastLength } ?? false }

    /// Adds a still window.
    ///
    /// - Parameter startsSignal: Whether the window is the first one of a contiguous signal.
    mutating func add(_ start: Int64, _ end: Int64, startsSignal: Bool, _ spans: inout [Range<Timestamp>]) {
        if still == nil { reported = startsSignal ? start : Self.wholeSecond(notAfter: start &+ Self.second &- 1) }
        still = (still?.lowerBound ?? start)..<end
        if isOpen { extend(to: Self.wholeSecond(notAfter: end), &spans) }
    }

    /// Reports an open span up to a moment.
    mutating func extend(to end: Int64, _ spans: inout [Range<Timestamp>]) {
        guard reported < end else { return }
        spans.append(Timestamp(nanosecondsSince1970: reported)..<Timestamp(nanosecondsSince1970: end))
        reported = end
    }

    /// Ends the span, because motion follows, or an interval without samples.
    mutating func close() { still = nil }

    private static func wholeSecond(notAfter nanoseconds: Int64) -> Int64 {
        nanoseconds.flooredQuotientAndRemainder(by: second).quotient * second
    }
}
