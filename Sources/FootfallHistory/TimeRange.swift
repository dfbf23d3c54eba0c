public import Footfall
internal import FootfallReaders
public import Foundation

/// A half-open range of time: a `Range<Timestamp>`, or a `DateInterval` without its end.
public protocol TimeRange {
    /// The range in timestamps. A moment belongs to it if `lowerBound ≤ moment < upperBound`.
    var timestamps: Range<Timestamp> { get }
}

extension Range: TimeRange where Bound == Timestamp {
    /// The range itself.
    public var timestamps: Range<Timestamp> { self }
}

extension DateInterval: TimeRange {
    /// From the interval's start up to, but without, its end.
    public var timestamps: Range<Timestamp> { Range(self) }
}
