internal import FootfallReaders
internal import Foundation
internal import GRDB

/// The time zones of one source, each from a moment on.
struct ZoneTable {
    let source: Int64

    /// The zone in force at a moment; nil before the first one.
    func name(at moment: Int64, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT name FROM zone WHERE source = ? AND since <= ? ORDER BY since DESC LIMIT 1"),
            arguments: [source, moment])
    }

    /// Sets the zone of a recording; nil leaves the zones as they are.
    ///
    /// If something is recorded after the recording, the zone in force there stays in force.
    func set(_ zone: TimeZone?, over extent: Range<Int64>?, _ db: Database) throws {
        guard let zone, let extent else {
            if try name(at: .max, db) == nil { try insert((zone ?? .current).identifier, since: .min, db) }
            return
        }
        guard let after = try name(at: extent.upperBound, db), let before = try name(at: extent.lowerBound - 1, db)
        else {
            return try insert(zone.identifier, since: .min, db)
        }
        let hasChanges =
            try db.integer(
                "SELECT 1 FROM zone WHERE source = ? AND since >= ? AND since <= ? LIMIT 1",
                [source, extent.lowerBound, extent.upperBound]) != nil
        guard hasChanges || before != zone.identifier else { return }
        try db.run(
            "DELETE FROM zone WHERE source = ? AND since >= ? AND since <= ?",
            [source, extent.lowerBound, extent.upperBound])
        if before != zone.identifier { try insert(zone.identifier, since: extent.lowerBound, db) }
        let newest = try db.moment(
            "SELECT end FROM segment WHERE source = ? ORDER BY start DESC LIMIT 1", [source])
        if let newest, newest > extent.upperBound, after != zone.identifier {
            try insert(after, since: extent.upperBound, db)
        }
    }

    /// Replaces all zones.
    func replace(with zones: [(since: Int64, name: String)], _ db: Database) throws {
        try db.run("DELETE FROM zone WHERE source = ?", [source])
        for zone in zones { try insert(zone.name, since: zone.since, db) }
    }

    private func insert(_ name: String, since: Int64, _ db: Database) throws {
        try db.run("INSERT INTO zone (source, since, name) VALUES (?, ?, ?)", [source, since, name])
    }

    /// All zones, in the order of time.
    func all(_ db: Database) throws -> [(since: Int64, zone: TimeZone)] {
        let zones = try db.rows("SELECT since, name FROM zone WHERE source = ? ORDER BY since", [source]) { row in
            (since: try row.start(0), zone: TimeZone(named: try row.text(1)) ?? .gmt)
        }
        for (left, right) in zip(zones, zones.dropFirst()) where right.since <= left.since {
            throw DatabaseError.damaged("time zones are out of order")
        }
        return zones
    }
}
