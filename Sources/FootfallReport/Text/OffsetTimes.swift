internal import Footfall
internal import Foundation

/// Times with the offset of a zone (RFC 3339), such as `2026-11-20T09:00:00.000+01:00`.
struct OffsetTimes: Sendable {
    /// All changes of a clock are at a multiple of a quarter of an hour. Within one, the offset is the same.
    private static let quarter = 900.0

    private let zone: TimeZone
    /// The latest quarter, and its offset in seconds.
    private var latest: (quarter: Double, offset: Int)?

    init(in zone: TimeZone) { self.zone = zone }

    mutating func text(of moment: Timestamp) -> String {
        let quarter = (moment.seconds(since: .epoch) / Self.quarter).rounded(.down)
        let offset: Int
        if let latest, latest.quarter == quarter {
            offset = latest.offset
        } else {
            offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: quarter * Self.quarter))
            latest = (quarter, offset)
        }
        return moment.advanced(bySeconds: Double(offset)).description.dropLast() + Timestamp.offsetText(seconds: offset)
    }
}
