package import Footfall
package import Foundation

/// The clock of a wearer who may travel, or of one chosen time zone.
package struct WallClock: Sendable {
    /// The chosen zone; nil for the wearer's zone at each moment.
    private let zone: TimeZone?
    private let changes: [ZoneChange]

    /// Creates the clock of a chosen zone or, without one, of a wearer's zones in the order of time.
    package init(zone: TimeZone?, changes: [ZoneChange] = []) {
        self.zone = zone
        self.changes = changes
    }

    /// The zone in force at a moment. The first zone holds before its start, too.
    package func zone(at moment: Timestamp) -> TimeZone {
        zone ?? changes.last { $0.since <= moment }?.timeZone ?? changes.first?.timeZone ?? .gmt
    }

    /// The calendar of buckets in the chosen zone; nil for the wearer's.
    package var calendar: Calendar? {
        zone.map {
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = $0
            return calendar
        }
    }

    /// The local time at a moment.
    package func local(_ moment: Timestamp) -> LocalTime { LocalTime(moment, in: zone(at: moment)) }
}
