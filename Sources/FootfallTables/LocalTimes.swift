package import Footfall
package import Foundation

/// Adds the time by the wearer's clock to each time of a record, in a column of its own: `startLocal` for `start`.
///
/// Times themselves are UTC in every table. A local time has no offset, such as `2026-11-20T09:00:00.000`. In the hour
/// that the clock repeats, only the column in UTC is unique.
package struct LocalTimes: Sendable {
    /// All changes of a clock are at a multiple of a quarter of an hour. Within one, the offset is the same.
    private static let quarter = 900.0

    /// The columns of UTC, and those of the local times.
    let columns: [(utc: String, local: String)]
    private let zone: TimeZone
    private let decimals: Int
    /// The latest quarter, and its offset in seconds.
    private var latest: (quarter: Double, offset: Int)?

    /// Prepares the times of a table.
    ///
    /// - Parameters:
    ///   - table: The table. Only columns of the kind `time` have a local one.
    ///   - zone: The wearer's zone; nil for none.
    /// - Returns: Nil without a zone.
    package init?(of table: TableDescription, in zone: TimeZone?) {
        guard let zone else { return nil }
        (self.zone, decimals) = (zone, table.timeDecimals)
        columns = table.columns.filter { $0.kind == .time }.map { ($0.name, Column.local(of: $0).name) }
    }

    /// Adds the local times behind the values of a record.
    mutating func add(to record: inout Record) {
        for (utc, local) in columns {
            guard let value = record.first(where: { $0.key == utc })?.value, case .time(let time?) = value else {
                continue
            }
            record.append((local, .string(text(of: time))))
        }
    }

    private mutating func text(of moment: Timestamp) -> String {
        let quarter = (moment.seconds(since: .epoch) / Self.quarter).rounded(.down)
        let offset: Int
        if let latest, latest.quarter == quarter {
            offset = latest.offset
        } else {
            offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: quarter * Self.quarter))
            latest = (quarter, offset)
        }
        return moment.localText(offset: offset, decimals: decimals)
    }
}

extension Timestamp {
    /// The moment by the clock of a zone, to the millisecond and without an offset: `2026-11-20T09:00:00.000`.
    package func localText(in zone: TimeZone) -> String {
        localText(
            offset: zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds(since: .epoch))), decimals: 3)
    }

    fileprivate func localText(offset: Int, decimals: Int) -> String {
        // Without the Z of UTC.
        String(advanced(bySeconds: Double(offset)).text(decimals: decimals).dropLast())
    }
}

extension Column {
    /// The local time beside a time in UTC.
    package static func local(of time: Column) -> Column {
        Column(time.name + "Local", .localTime, "\(time.name) by the clock of the wearer's zone.")
    }
}

extension TableDescription {
    /// The table with a column for the local time of each time.
    package var withLocalTimes: TableDescription {
        TableDescription(
            name, row: row, columns + columns.filter { $0.kind == .time }.map(Column.local), derived: derived,
            pattern: pattern, timeDecimals: timeDecimals)
    }
}
