public import Footfall
public import Foundation
internal import GRDB

/// A time zone that a wearer was in, from a moment on.
public struct ZoneChange: Hashable, Sendable {
    /// The moment from which on the zone holds; for the first one, the beginning of ``/Footfall/Timestamp/supported``.
    public let since: Timestamp
    /// The zone.
    public let timeZone: TimeZone
}

extension MotionHistory {
    /// The time zones that a wearer was in, in the order of time.
    ///
    /// - Parameter source: Whose; may be left out when there is only one source.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the changes.
    public func timeZones(of source: String? = nil) throws -> [ZoneChange] {
        try read { db in
            guard let source = try Inquiry(source, at: url, db).source else { return [] }
            return try ZoneTable(source: source.id).all(db).map { since, zone in
                let moment = Timestamp(nanosecondsSince1970: since)
                return ZoneChange(since: max(moment, Timestamp.supported.lowerBound), timeZone: zone)
            }
        }
    }
}
