public import Footfall
internal import FootfallReaders
public import Foundation

/// The contents of a history for one source.
public struct SourceInfo: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The newest time zone of the source.
    public let timeZone: TimeZone
    /// From the oldest to the newest time in the history; nil if it holds nothing.
    public let keptRange: Range<Timestamp>?
    /// The number of steps in the history.
    public let steps: Int
    /// The covered time in the history, in seconds.
    public let coverage: TimeInterval
    /// The end of the time that the retention removed; nil if it removed nothing.
    public let forgottenBefore: Timestamp?

    /// The newest recorded time.
    public var newest: Timestamp? { keptRange?.upperBound }
    /// From the oldest to the newest time in the history; nil if it holds nothing.
    public var keptInterval: DateInterval? { keptRange.map { DateInterval($0) } }
}

/// The start of a wearer's stay in a time zone.
public struct ZoneChange: Hashable, Sendable {
    /// The moment from which the zone holds. For the first zone this is the beginning of
    /// ``/Footfall/Timestamp/supported``.
    public let since: Timestamp
    /// The zone.
    public let timeZone: TimeZone
}
