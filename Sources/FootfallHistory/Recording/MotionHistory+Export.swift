internal import Footfall
internal import Foundation
internal import GRDB

extension MotionHistory {
    /// Hands out everything the history holds, as lines of JSON without their line ends (ndjson).
    ///
    /// Times are whole nanoseconds since 1970, so nothing is lost: ``importLines(_:)`` into an empty history gives one
    /// that answers the same.
    ///
    /// - Parameters:
    ///   - source: The source to export; nil, the default, for all.
    ///   - body: Takes a line.
    /// - Throws: ``HistoryError``, or what `body` throws.
    public func exportLines(from source: String? = nil, _ body: (String) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func write(_ line: ExportLine) throws {
            try body(String(decoding: encoder.encode(line), as: UTF8.self))
        }
        try read { db in
            let sources = try source.map { try [Inquiry($0, at: url, db).source].compactMap(\.self) }
            try write(ExportLine(version: 1, retention: Recorder.retention(db).nanoseconds))
            for source in try sources ?? SourceRow.all(db) {
                let zones = try ZoneTable(source: source.id).all(db).map {
                    ExportLine.Zone(since: $0.since, name: $0.zone.identifier)
                }
                try write(
                    ExportLine(
                        source: source.name, zones: zones, forgottenBefore: source.lost == .min ? nil : source.lost))
                try source.exportEvents(db, write)
            }
        }
    }

    /// Records what ``exportLines(from:_:)`` handed out: all of it or, when it throws, nothing.
    ///
    /// It is recorded as events are: it replaces what the same source said about the same time, and what is too old for
    /// the retention is left out. A history in which nothing was recorded yet first takes over the retention of the
    /// other one, if that is the longer.
    ///
    /// - Parameter lines: The lines, without their line ends. Empty ones are passed over.
    /// - Returns: What came of the steps and segments in them.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func importLines(_ lines: some Sequence<String>) throws -> RecordingOutcome {
        try write { db in
            let decoder = JSONDecoder()
            var importer = try Importer(retention: Recorder.retention(db))
            for (index, text) in lines.enumerated() where !text.isEmpty {
                guard let line = try? decoder.decode(ExportLine.self, from: Data(text.utf8)),
                    try importer.take(line, db)
                else { throw HistoryError(.malformed(line: index + 1), at: url) }
            }
            try importer.finish(db)
            return importer.outcome
        }
    }
}

extension SourceRow {
    /// Writes what is not forgotten: each piece with its steps, and between them the steps that no piece covers.
    fileprivate func exportEvents(_ db: Database, _ write: (ExportLine) throws -> Void) throws {
        let times = try Int64.fetchCursor(
            db.cachedStatement(sql: "SELECT time FROM step WHERE source = ? AND time >= ? ORDER BY time"),
            arguments: [id, cut])
        var next = try times.next()
        func steps(before end: Int64) throws -> [Int64]? {
            var steps: [Int64] = []
            while let time = next, time < end {
                steps.append(time)
                next = try times.next()
            }
            return steps.isEmpty ? nil : steps
        }

        // Of a segment that is forgotten in part its true start is kept, by way of its first piece.
        let pieces = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT CASE WHEN start <= ?2 THEN (
                            SELECT start FROM segment WHERE source = ?1 AND start <= piece.start
                            ORDER BY start DESC LIMIT 1
                        ) ELSE start END,
                        end, flags, probability, start
                    FROM piece WHERE source = ?1 AND end > ?2 ORDER BY start
                    """), arguments: [id, cut])
        while let row = try pieces.next() {
            let piece = Span(row: row)
            if let loose = try steps(before: row[4]) { try write(ExportLine(steps: loose)) }
            try write(
                ExportLine(
                    start: piece.start, end: piece.end, flags: ActivityFlags(stored: piece.flags).rawValue,
                    reason: UnknownReason(stored: piece.flags)?.rawValue, probability: Float(piece.probability ?? 0),
                    steps: steps(before: piece.end)))
        }
        if let loose = try steps(before: .max) { try write(ExportLine(steps: loose)) }
    }
}

/// Turns the lines of an export back into recordings.
private struct Importer {
    let retention: Retention
    private var header: ExportLine?
    private var isNew = false
    private var events: [MotionEvent] = []
    private var hasBegun = false
    private(set) var outcome = RecordingOutcome(recorded: 0, expired: 0, refused: 0)

    init(retention: Retention) { self.retention = retention }

    /// Takes a line; returns false when it makes no sense here.
    mutating func take(_ line: ExportLine, _ db: Database) throws -> Bool {
        if let version = line.version {
            hasBegun = true
            if try SourceRow.all(db).isEmpty, !Retention(nanoseconds: line.retention).isShorter(than: retention) {
                try db.run("UPDATE history SET retention = ? WHERE id = 1", [line.retention])
            }
            return version == 1
        }
        guard hasBegun else { return false }
        if let source = line.source {
            try finish(db)
            header = line
            isNew = try SourceRow.named(source, db) == nil
            return true
        }
        guard header != nil, line.start != nil || line.steps != nil else { return false }
        events += (line.steps ?? []).map { .step(Step(time: Timestamp(nanosecondsSince1970: $0))) }
        if let start = line.start {
            guard let end = line.end, start < end, let flags = line.flags, let probability = line.probability else {
                return false
            }
            let range = Timestamp(nanosecondsSince1970: start)..<Timestamp(nanosecondsSince1970: end)
            events.append(
                .segment(
                    Segment(
                        range: range, flags: ActivityFlags(rawValue: flags),
                        reason: line.reason.flatMap(UnknownReason.init(rawValue:)), probability: probability,
                        steps: line.steps?.count ?? 0)))
        }
        if events.count > 65536 { try flush(db) }
        return true
    }

    /// Completes the source under way.
    mutating func finish(_ db: Database) throws {
        guard let header, let name = header.source else { return }
        try flush(db)
        guard isNew, var source = try SourceRow.named(name, db) else { return }
        if let forgotten = header.forgottenBefore {
            source.cut = max(source.cut, forgotten)
            source.lost = max(source.lost, forgotten)
            try source.save(db)
        }
        if let zones = header.zones, !zones.isEmpty {
            try ZoneTable(source: source.id).replace(with: zones.map { ($0.since, $0.name) }, db)
        }
        self.header = nil
    }

    private mutating func flush(_ db: Database) throws {
        guard let name = header?.source else { return }
        let zone = header?.zones?.last.flatMap { TimeZone(identifier: $0.name) }
        // A source that is here already keeps its own zones.
        let (part, _) = try Recorder.record(events, waiting: [], from: name, timeZone: isNew ? zone : nil, db)
        outcome.recorded += part.recorded
        outcome.expired += part.expired
        outcome.refused += part.refused
        events.removeAll(keepingCapacity: true)
    }
}
