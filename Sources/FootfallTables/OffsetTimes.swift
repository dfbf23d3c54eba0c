package import Footfall
internal import FootfallReaders
package import Foundation

/// Times with the offset of a zone (RFC 3339), such as `2026-11-20T09:00:00.000+01:00`.
struct OffsetTimes: Sendable {
    /// All changes of a clock are at a multiple of a quarter of an hour. Within one, the offset is the same.
    private static let quarter = 900.0

    private let zone: TimeZone
    /// The latest quarter, and its offset in seconds.
    private var latest: (quarter: Double, offset: Int)?

    init(in zone: TimeZone) { self.zone = zone }

    mutating func text(of moment: Timestamp, decimals: Int = 3) -> String {
        let quarter = (moment.seconds(since: .epoch) / Self.quarter).rounded(.down)
        let offset: Int
        if let latest, latest.quarter == quarter {
            offset = latest.offset
        } else {
            offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: quarter * Self.quarter))
            latest = (quarter, offset)
        }
        let local = moment.advanced(bySeconds: Double(offset)).text(decimals: decimals)
        return local.dropLast() + Timestamp.offsetText(seconds: offset)
    }
}

extension Timestamp {
    /// The moment as ISO 8601 with milliseconds, and with the offset of a zone; `Z` for UTC.
    package func text(in zone: TimeZone) -> String {
        guard zone.statedName != "UTC" else { return description }
        var times = OffsetTimes(in: zone)
        return times.text(of: self)
    }
}
