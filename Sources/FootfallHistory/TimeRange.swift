public import Footfall
internal import FootfallReaders
public import Foundation

/// How long a history keeps events.
///
/// The age of an event is measured from the newest recorded time of its source, not from the current time, so an old
/// log can be imported.
public struct Retention: Hashable, Sendable {
    /// The length in nanoseconds; nil without limit.
    let nanoseconds: Int64?

    /// Keeps events that are at most so many seconds older than the newest. A negative number, or none, counts as zero.
    public init(seconds: TimeInterval) {
        self.init(nanoseconds: seconds > 0 ? Int64(exactly: (seconds * 1e9).rounded()) ?? .max : 0)
    }

    init(nanoseconds: Int64?) { self.nanoseconds = nanoseconds.map { Swift.max(0, $0) } }

    /// Keeps the last `count` times 24 hours.
    public static func days(_ count: Int) -> Retention {
        // More days than the supported times have.
        count > 100_000 ? .forever : Retention(seconds: Double(count) * 86_400)
    }

    /// Keeps all events.
    public static let forever = Retention(nanoseconds: nil)

    /// Keeps seven days, like Core Motion.
    public static let sevenDays = Retention.days(7)

    /// The length in seconds; nil without limit.
    public var seconds: TimeInterval? { nanoseconds.map { Double($0) / 1e9 } }

    /// Whether this retention keeps less than another one.
    public func isShorter(than other: Retention) -> Bool {
        guard let nanoseconds else { return false }
        return nanoseconds < other.nanoseconds ?? .max
    }

    /// The earliest kept time of a source with the newest time `newest`; nil if that is before all supported times.
    func limit(newest: Int64) -> Int64? {
        guard let nanoseconds else { return nil }
        let (limit, overflow) = newest.subtractingReportingOverflow(nanoseconds)
        return overflow || limit <= StoredTime.first ? nil : limit
    }
}

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
