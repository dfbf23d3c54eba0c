public import Footfall
internal import FootfallReaders
public import Foundation

/// The parts of a range that samples cover.
public struct Coverage: Hashable, Sendable {
    /// The requested range.
    public let range: Range<Timestamp>
    /// The covered parts, in the order of time. They do not touch each other.
    public let covered: [Range<Timestamp>]
    /// Whether the retention removed something from the range, see ``StepCount/isTruncated``.
    public let isTruncated: Bool

    /// The uncovered parts, in the order of time.
    public var gaps: [Range<Timestamp>] { covered.gaps(in: range) }

    /// The covered time in seconds.
    public var seconds: TimeInterval {
        Double(covered.reduce(0) { $0 + $1.nanoseconds }) / 1e9
    }

    /// The covered share of the range, 0…1; 0 for an empty range.
    public var fraction: Double { range.isEmpty ? 0 : seconds / range.seconds }

    /// The requested range.
    public var interval: DateInterval { DateInterval(range) }
}

extension Sequence<Range<Timestamp>> {
    /// The parts of a range outside these spans, which are in the order of time and do not overlap.
    package func gaps(in range: Range<Timestamp>) -> [Range<Timestamp>] {
        var gaps: [Range<Timestamp>] = []
        var end = range.lowerBound
        for span in self {
            if end < span.lowerBound { gaps.append(end..<Swift.min(span.lowerBound, range.upperBound)) }
            end = Swift.max(end, span.upperBound)
            if end >= range.upperBound { return gaps }
        }
        if end < range.upperBound { gaps.append(end..<range.upperBound) }
        return gaps
    }
}
