internal import FootfallReaders
internal import Foundation
internal import GRDB

struct SourceRow: Equatable {
    let id: Int64
    let name: String
    /// The start of the kept time. Rows before it count in no answer.
    var keptFrom: Int64
    /// The end of the time in which the retention deleted rows; `Int64.min` if it deleted none. After a leap it is
    /// before ``keptFrom``, while the file still holds the rows that the leap moved out of the retention. After the
    /// retention became longer, it is after ``keptFrom``.
    var deletedBefore: Int64
    /// The sum of everything that was ever recorded, see ``RecordedTotal``.
    var recorded: RunningTotals.Sum

    /// The end of the time that the retention removed from answers; `Int64.min` if it removed nothing.
    var forgottenBefore: Int64 { max(keptFrom, deletedBefore) }
    /// From here on, the rows in the file are complete.
    var storedFrom: Int64 { min(keptFrom, deletedBefore) }

    init(row: Row) throws {
        id = try row.integer(0)
        name = try row.text(1)
        keptFrom = try row.start(2)
        deletedBefore = try row.start(3)
        recorded = try RunningTotals.stored(steps: row.integer(4), covered: row.integer(5))
    }

    /// The source with a name or, without one, the only source; nil in an empty history without a name. Throws
    /// ``HistoryError`` if no source has the name, or if there are several and the name is nil.
    static func find(_ name: String?, at url: URL?, _ db: Database) throws -> SourceRow? {
        let sources = try all(db)
        guard let name else {
            guard sources.count < 2 else { throw HistoryError(.severalSources(sources.map(\.name)), at: url) }
            return sources.first
        }
        guard let found = try named(name, db) else {
            throw HistoryError(.unknownSource(name, known: sources.map(\.name)), at: url)
        }
        return found
    }

    static func named(_ name: String, _ db: Database) throws -> SourceRow? {
        try db.row("SELECT \(columns) FROM source WHERE name = ?", [name]).map { try SourceRow(row: $0) }
    }

    static func all(_ db: Database) throws -> [SourceRow] {
        try db.rows("SELECT \(columns) FROM source ORDER BY name") { try SourceRow(row: $0) }
    }

    private static let columns = "id, name, keptFrom, deletedBefore, recordedSteps, recordedCovered"

    /// Stores the limits of the retention and the recorded total.
    func save(_ db: Database) throws {
        try db.run(
            """
            UPDATE source SET keptFrom = ?, deletedBefore = ?, recordedSteps = ?, recordedCovered = ? WHERE id = ?
            """, [keptFrom, deletedBefore, recorded.steps, recorded.coveredNanoseconds, id])
    }

    /// Removes the source and all its rows.
    func remove(_ db: Database) throws {
        for table in Schema.tablesOfSources {
            try db.run("DELETE FROM \(table) WHERE source = ?", [id])
        }
        try db.run("DELETE FROM source WHERE id = ?", [id])
    }

    /// The newest recorded time: the end of the last segment that starts before a moment, or the last step before it.
    func newest(before moment: Int64 = .max, _ db: Database) throws -> Int64? {
        let end = try db.moment(
            "SELECT end FROM segment WHERE source = ? AND start < ? ORDER BY start DESC LIMIT 1", [id, moment])
        let step = try db.moment("SELECT max(time) FROM step WHERE source = ? AND time < ?", [id, moment])
        return [end, step].compactMap { $0 }.max()
    }

    /// A part of a recording that follows a longer time without samples, in nanoseconds, may be due to a wrong clock.
    static let longestPause: Int64 = 3_600_000_000_000
    /// The time that such a part must cover before it moves the window of the retention, in nanoseconds.
    static let shortestPart: Int64 = 60_000_000_000
    /// The number of segments in which the start of such a part is looked for.
    private static let searchedSegments = 1000

    /// The newest time that moves the window of the retention: ``newest(before:_:)``, without a short part after a long
    /// pause. Two rows with a wrong date would otherwise make a week old.
    func windowEnd(_ db: Database) throws -> Int64? {
        guard var end = try newest(db) else { return nil }
        var (start, covered) = (end, Int64(0))
        let segments = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT start, end FROM segment WHERE source = ? AND end > ? ORDER BY start DESC LIMIT ?"),
            arguments: [id, storedFrom, Self.searchedSegments])
        while covered < Self.shortestPart, let row = try segments.next() {
            let (lower, upper) = (try row.moment(0), try row.moment(1))
            guard lower < upper else { throw DatabaseError.damaged("a segment is empty") }
            let segment = lower..<upper
            if start - segment.upperBound > Self.longestPause { end = segment.upperBound }
            covered += Int64(segment.count)
            start = segment.lowerBound
        }
        return end
    }

    /// The oldest time from a moment on: the start of the first segment, at the earliest the moment, or the first step.
    func oldest(from moment: Int64, _ db: Database) throws -> Int64? {
        let segment = try db.moment(
            "SELECT max(start, ?2) FROM segment WHERE \(SpanTable.segment.overlap) ORDER BY start LIMIT 1",
            [id, moment, Int64.max])
        let step = try db.moment("SELECT min(time) FROM step WHERE source = ? AND time >= ?", [id, moment])
        return [segment, step].compactMap { $0 }.min()
    }
}

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

    /// Sets the zone of a recording; nil leaves the zones as they are. If something is recorded after the recording,
    /// the zone in force there stays in force.
    func set(_ zone: TimeZone?, over extent: Range<Int64>?, _ db: Database) throws {
        guard let zone, let extent else {
            if try name(at: .max, db) == nil { try insert((zone ?? .current).identifier, since: .min, db) }
            return
        }
        // A zone from the first supported time on is that of all times before, too, see `start(_:)`.
        let start = extent.lowerBound > StoredTime.first ? extent.lowerBound : .min
        guard let after = try name(at: extent.upperBound, db), let before = try name(at: extent.lowerBound - 1, db)
        else {
            return try insert(zone.identifier, since: .min, db)
        }
        let bounds: StatementArguments = [source, start, extent.upperBound]
        let hasChanges =
            try db.integer("SELECT 1 FROM zone WHERE source = ? AND since >= ? AND since <= ? LIMIT 1", bounds) != nil
        guard hasChanges || before != zone.identifier else { return }
        try db.run("DELETE FROM zone WHERE source = ? AND since >= ? AND since <= ?", bounds)
        if start == .min || before != zone.identifier { try insert(zone.identifier, since: start, db) }
        let newest = try db.moment("SELECT end FROM segment WHERE source = ? ORDER BY start DESC LIMIT 1", [source])
        if let newest, newest > extent.upperBound, after != zone.identifier {
            try insert(after, since: extent.upperBound, db)
        }
    }

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
