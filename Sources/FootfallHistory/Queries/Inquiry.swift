internal import Footfall
internal import Foundation
internal import GRDB

/// A question about one source, inside a transaction. Without a source, as in an empty history, all answers are empty.
struct Inquiry {
    let source: SourceRow?

    /// Finds the source that is meant: the named one or, without a name, the only one.
    init(_ name: String?, at url: URL?, _ db: Database) throws {
        if let name {
            source = try SourceRow.named(name, db)
            guard source != nil else {
                throw HistoryError(.unknownSource(name, known: try SourceRow.all(db).map(\.name)), at: url)
            }
        } else {
            let sources = try SourceRow.all(db)
            guard sources.count < 2 else { throw HistoryError(.severalSources(sources.map(\.name)), at: url) }
            source = sources.first
        }
    }

    init(_ source: SourceRow) {
        self.source = source
    }

    var tally: Tally? { source.map { Tally(source: $0.id) } }

    /// The part of a range that is not forgotten.
    func visible(_ range: Range<Timestamp>) -> Range<Int64> {
        let range = range.clamped(to: Timestamp.supported)
        let start = max(range.lowerBound.nanosecondsSince1970, source?.cut ?? .min)
        return start..<max(start, range.upperBound.nanosecondsSince1970)
    }

    /// Whether a range begins before the moment from which on nothing is forgotten.
    func isTruncated(_ range: Range<Timestamp>) -> Bool {
        guard let source, !range.isEmpty else { return false }
        return range.lowerBound.nanosecondsSince1970 < source.lost
    }

    /// Which calendar holds from which moment on.
    func calendars(_ calendar: Calendar?, _ db: Database) throws -> [(since: Int64, calendar: Calendar)] {
        if let calendar { return [(.min, calendar)] }
        let zones = try source.map { try ZoneTable(source: $0.id).all(db) } ?? []
        return (zones.isEmpty ? [(.min, .current)] : zones).map { since, zone in
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = zone
            return (since, calendar)
        }
    }
}
