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

extension Range where Bound == Timestamp {
    /// The range between two moments in nanoseconds since 1970.
    init(_ nanoseconds: Range<Int64>) {
        let start = Timestamp(nanosecondsSince1970: nanoseconds.lowerBound)
        self = start..<Timestamp(nanosecondsSince1970: nanoseconds.upperBound)
    }

    /// The length of the range.
    package var nanoseconds: Int64 { upperBound.nanosecondsSince1970 - lowerBound.nanosecondsSince1970 }
}
