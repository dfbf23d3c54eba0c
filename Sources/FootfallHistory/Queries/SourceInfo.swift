public import Footfall
public import Foundation
internal import GRDB

/// What a history holds of one source.
public struct SourceInfo: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Where the wearer was last.
    public let timeZone: TimeZone
    /// From the oldest to the newest time kept; nil when nothing is.
    public let keptRange: Range<Timestamp>?
    /// The number of steps kept.
    public let steps: Int
    /// The covered time kept, in seconds.
    public let coverage: TimeInterval
    /// The moment before which something has been forgotten; nil when nothing has.
    public let forgottenBefore: Timestamp?

    /// The newest time recorded.
    public var newest: Timestamp? { keptRange?.upperBound }
    /// From the oldest to the newest time kept; nil when nothing is.
    public var keptInterval: DateInterval? { keptRange.map { DateInterval($0) } }
}

extension MotionHistory {
    /// What there is of every source, in the order of their names.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*) for each source.
    public func sources() throws -> [SourceInfo] {
        try read { db in
            try SourceRow.all(db).map { source in
                let zones = try ZoneTable(source: source.id).all(db)
                var kept: Range<Timestamp>?
                if let oldest = try source.oldest(db), let newest = try source.newest(db), oldest <= newest {
                    kept = Timestamp(nanosecondsSince1970: oldest)..<Timestamp(nanosecondsSince1970: newest)
                }
                let total = try Inquiry(source).steps(in: Timestamp.supported, db)
                return SourceInfo(
                    name: source.name, timeZone: zones.last?.zone ?? .gmt, keptRange: kept, steps: total.count,
                    coverage: total.coverage,
                    forgottenBefore: source.lost == .min ? nil : Timestamp(nanosecondsSince1970: source.lost))
            }
        }
    }

    /// How long the history remembers.
    ///
    /// - Throws: ``HistoryError``.
    public var retention: Retention {
        get throws { try read { db in try Recorder.retention(db) } }
    }

    /// The version of the file's format.
    ///
    /// - Throws: ``HistoryError``.
    public var formatVersion: Int {
        get throws { try read { db in Int(try db.integer("PRAGMA user_version") ?? 0) } }
    }

    /// A number that grows with every change, whichever process makes it: a cheap way to see whether there is news.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(1).
    public var revision: Int {
        get throws { try read { db in Int(try db.integer("SELECT revision FROM history") ?? 0) } }
    }
}
