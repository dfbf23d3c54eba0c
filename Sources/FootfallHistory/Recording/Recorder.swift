internal import Footfall
internal import Foundation
internal import GRDB

/// What came of the steps and segments of a recording.
public struct RecordingOutcome: Hashable, Sendable {
    /// How many were kept.
    public var recorded: Int
    /// How many were older than the history of their source remembers, and were left out.
    public var expired: Int
    /// How many lay outside ``/Footfall/Timestamp/supported``, and were left out.
    public var refused: Int
}

/// The transactions of a writer.
enum Recorder {
    /// Rows of a kind that a recording deletes of what is forgotten, besides as many as it adds.
    private static let purgeLimit = 4096

    /// Records events and forgets what has become too old. Runs inside a transaction.
    static func record(
        _ events: some Sequence<MotionEvent>, waiting: [Int64], from name: String, timeZone: TimeZone?, _ db: Database
    ) throws -> (RecordingOutcome, waiting: [Int64]) {
        var writer = try SourceWriter(name: name, retention: retention(db), db)
        let (outcome, extent, waiting) = try writer.record(events, waiting: waiting, db)
        try ZoneTable(source: writer.source.id).set(timeZone, over: extent, db)
        try writer.enforceRetention(db)
        _ = try writer.purge(limit: purgeLimit + outcome.recorded, db)
        return (outcome, waiting)
    }

    /// Sets the retention, unless it is nil, and forgets what is too old, in short transactions.
    static func open(_ db: Database, retention newRetention: Retention?) throws {
        if let newRetention {
            try db.run("UPDATE history SET retention = ? WHERE id = 1", [newRetention.nanoseconds])
        }
        let retention = try retention(db)
        for source in try SourceRow.all(db) {
            var writer = SourceWriter(source, retention: retention)
            try db.inTransaction(.immediate) {
                try writer.enforceRetention(db)
                return .commit
            }
            // One round here, the rest while recording: opening takes no longer for a history that has much to forget.
            // Only a retention that has become longer needs all of it, as the cut is about to move back over it.
            var isPurged = false
            repeat {
                try db.inTransaction(.immediate) {
                    isPurged = try writer.purge(limit: 4 * purgeLimit, db)
                    if isPurged { try writer.relax(db) }
                    return .commit
                }
            } while try !isPurged && writer.wantsToRelax(db)
        }
    }

    static func retention(_ db: Database) throws -> Retention {
        Retention(nanoseconds: try db.integer("SELECT retention FROM history"))
    }
}
