internal import Footfall
internal import FootfallReaders
internal import Foundation
internal import GRDB

extension MotionHistory {
    /// Exports the history as lines of JSON (ndjson), without their line ends.
    ///
    /// Times are whole nanoseconds since 1970. A new history that imports all lines with ``importLines(_:retention:)``
    /// gives the same answers. The history is read in parts, and no transaction is open while `body` runs, so a slow
    /// `body` does not make SQLite's log grow. What another process records meanwhile may be in the export.
    ///
    /// - Parameters:
    ///   - source: The source to export; nil, the default, for all sources.
    ///   - body: Receives each line.
    /// - Throws: ``HistoryError``, or what `body` throws.
    public func exportLines(from source: String? = nil, _ body: (String) throws -> Void) throws {
        recordWaiting()
        let (head, names) = try readDatabase { db in
            let sources = try source.map { try [SourceRow.find($0, at: url, db)].compactMap(\.self) }
            let head = try ExportLine(retention: db.retention()).text
            return (head, try (sources ?? SourceRow.all(db)).map(\.name))
        }
        var count = 0
        func write(_ line: String) throws {
            count += 1
            try body(line)
        }
        try write(head)
        for name in names {
            var position: Int64?
            repeat {
                var lines: [String] = []
                position = try readDatabase { db in
                    guard let source = try SourceRow.named(name, db) else { return nil }
                    if position == nil { lines = try source.exportHead(db).map { try $0.text } }
                    return try source.exportEvents(from: position, db) { lines.append(try $0.text) }
                }
                for line in lines { try write(line) }
            } while position != nil
        }
        // Without its end, an export that was cut would look like a whole one.
        var end = ExportLine()
        end.count = count
        try body(end.text)
    }

    /// Imports the lines of an export in one transaction.
    ///
    /// The import follows the rules of ``MotionHistory/record(_:from:timeZone:replaces:)``: it replaces what the same
    /// source recorded at the same time, and it drops and counts events older than the retention. An empty history
    /// takes over the retention of the export, if that is longer. The last line of an export states the number of
    /// lines, so one that was cut is refused.
    ///
    /// - Parameters:
    ///   - lines: The lines, without their line ends. Empty lines are skipped.
    ///   - retention: How long to keep events from now on; nil, the default, for the stored retention.
    /// - Returns: The numbers of recorded and dropped steps and segments.
    /// - Throws: ``HistoryError``.
    @discardableResult
    public func importLines(
        _ lines: some Sequence<String>, retention: Retention? = nil
    ) throws -> RecordingOutcome {
        try write { db in
            // A longer retention has to hold before the import, and a shorter one after it.
            if let retention, try db.retention().isShorter(than: retention) { try Recorder.set(retention, db) }
            let decoder = JSONDecoder()
            var importer = try Importer(retention: db.retention(), latest: latest)
            for (index, text) in lines.enumerated() where !text.isEmpty {
                guard let line = try? decoder.decode(ExportLine.self, from: Data(text.utf8)),
                    try importer.add(line, db)
                else { throw HistoryError(.malformed(line: index + 1), at: url) }
            }
            guard importer.isWhole else { throw HistoryError(.incomplete(lines: importer.lines), at: url) }
            try importer.finish(db)
            // An empty history has taken over the retention of the export.
            if let retention { try Recorder.set(retention, db) }
            return importer.outcome
        }
    }
}

extension ExportLine {
    /// Whether all times are supported, and the zones in the order of time. Only the first zone has no start.
    fileprivate var hasSupportedTimes: Bool {
        let zoneStarts = (zones ?? []).map(\.since)
        let isInOrder = zip(zoneStarts, zoneStarts.dropFirst()).allSatisfy { $0 < $1 }
        let moments = [forgottenBefore, start].compactMap(\.self) + (steps ?? [])
        return isInOrder && zoneStarts.allSatisfy { $0 == .min || Timestamp.supported.contains(nanoseconds: $0) }
            && moments.allSatisfy(Timestamp.supported.contains(nanoseconds:))
            && end.map { (StoredTime.first...StoredTime.end).contains($0) } ?? true
    }
}

extension Range where Bound == Timestamp {
    fileprivate func contains(nanoseconds: Int64) -> Bool { contains(Timestamp(nanosecondsSince1970: nanoseconds)) }
}

extension SourceRow {
    /// The pieces that one transaction exports.
    private static let piecesPerPart = 4096

    /// The line of the source, and those of its marks.
    fileprivate func exportHead(_ db: Database) throws -> [ExportLine] {
        let zones = try ZoneTable(source: id).all(db).map { ExportLine.Zone(since: $0.since, name: $0.zone.statedName) }
        let header = ExportLine(
            source: name, zones: zones, forgottenBefore: forgottenBefore == .min ? nil : forgottenBefore)
        let marks = try MarkTable(source: id).rows(endingAfter: keptFrom, db)
        return [header] + marks.map(ExportLine.init)
    }

    /// Writes kept pieces with their steps, and between them the steps outside pieces. `position` is the end of the
    /// part before; nil for the first part. Returns the end of this part; nil at the end.
    fileprivate func exportEvents(
        from position: Int64?, _ db: Database, _ write: (ExportLine) throws -> Void
    ) throws -> Int64? {
        let start = max(position ?? .min, keptFrom)
        let times = try Int64.fetchCursor(
            db.cachedStatement(sql: "SELECT time FROM step WHERE source = ? AND time >= ? ORDER BY time"),
            arguments: [id, start])
        var next = try times.next()
        func steps(before end: Int64) throws -> [Int64]? {
            var steps: [Int64] = []
            while let time = next, time < end {
                steps.append(try StoredTime.checked(time))
                next = try times.next()
            }
            return steps.isEmpty ? nil : steps
        }

        // A partly expired segment keeps its whole extent: its first piece gets the start of the segment.
        let pieces = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT CASE WHEN start > ?2 THEN start WHEN ?4 THEN ?2 ELSE (
                            SELECT start FROM segment WHERE source = ?1 AND start <= piece.start
                            ORDER BY start DESC LIMIT 1
                        ) END,
                        end, flags, probability, 0, 0.0, start
                    FROM piece WHERE \(SpanTable.piece.overlap) ORDER BY start
                    """), arguments: [id, start, Int64.max, position != nil])
        var end = start
        for _ in 0..<Self.piecesPerPart {
            guard let row = try pieces.next() else {
                if let uncovered = try steps(before: .max) { try write(ExportLine(steps: uncovered)) }
                try exportNonWear(endingAfter: start, through: .max, db, write)
                return nil
            }
            let piece = try StoredSpan(row: row)
            if let uncovered = try steps(before: row.moment(6)) { try write(ExportLine(steps: uncovered)) }
            try write(
                ExportLine(
                    start: piece.start, end: piece.end, flags: ActivityFlags(stored: piece.flags).rawValue,
                    reason: UnknownReason(stored: piece.flags)?.rawValue, probability: Float(piece.probability ?? 0),
                    steps: steps(before: piece.end)))
            end = piece.end
        }
        try exportNonWear(endingAfter: start, through: end, db, write)
        return end
    }

    /// Writes the spans of non-wear that end in a part, after the pieces that they overlay.
    private func exportNonWear(
        endingAfter start: Int64, through end: Int64, _ db: Database, _ write: (ExportLine) throws -> Void
    ) throws {
        let spans = try db.rows(
            """
            SELECT \(SpanTable.nonWear.columns) FROM nonwear
            WHERE \(SpanTable.nonWear.overlap) AND end <= ?3 ORDER BY start
            """, [id, start, end], StoredSpan.init)
        for span in spans { try write(ExportLine(start: span.start, end: span.end, nonWear: true)) }
    }
}

/// Records the lines of an export.
private struct Importer {
    let retention: Retention
    /// Later events are set aside.
    let latest: Int64
    private var header: ExportLine?
    private var isNew = false
    private var events: [MotionEvent] = []
    private var marks: [StoredMark] = []
    /// The steps of the current source, and the time from the first to the last one.
    private var steps: (count: Int, first: Int64, last: Int64) = (0, .max, .min)
    private var expiredBefore = 0
    /// The version of the current export; nil before the first one.
    private var version: Int?
    /// The number of its lines so far.
    private(set) var lines = 0
    /// Whether there is an export, to its end.
    private(set) var isWhole = false
    private(set) var outcome = RecordingOutcome()

    init(retention: Retention, latest: Int64) { (self.retention, self.latest) = (retention, latest) }

    /// Records a line. Returns false for a line that is out of place or incomplete.
    mutating func add(_ line: ExportLine, _ db: Database) throws -> Bool {
        defer { lines += 1 }
        if let version = line.version {
            guard self.version == nil || isWhole, (1...ExportLine.newestVersion).contains(version),
                line.retention ?? 0 >= 0
            else { return false }
            (self.version, lines, isWhole) = (version, 0, version == 1)
            let retention = Retention(nanoseconds: line.retention)
            if try SourceRow.all(db).isEmpty, !retention.isShorter(than: self.retention) {
                try HistoryRow.set(retention, db)
            }
            return true
        }
        guard let version, version == 1 || !isWhole else { return false }
        if let count = line.count {
            isWhole = version > 1 && count == lines
            return isWhole
        }
        guard line.hasSupportedTimes else { return false }
        if let source = line.source {
            try finish(db)
            header = line
            isNew = try SourceRow.named(source, db) == nil
            return true
        }
        if header != nil, let mark = line.storedMark {
            marks.append(mark)
            if marks.count > 65536 { try flush(db) }
            return true
        }
        guard header != nil, line.mark == nil, line.start != nil || line.steps != nil, let added = line.events else {
            return false
        }
        events += added
        for time in line.steps ?? [] { steps = (steps.count + 1, min(steps.first, time), max(steps.last, time)) }
        if events.count > 65536 { try flush(db) }
        return true
    }

    /// Completes the current source.
    mutating func finish(_ db: Database) throws {
        guard let header, let name = header.source else { return }
        try flush(db)
        try countForgotten(of: name, db)
        guard isNew, var source = try SourceRow.named(name, db) else { return }
        if let forgotten = header.forgottenBefore {
            // The kept time starts at the newest event at the latest, even if the export states a later start.
            source.keptFrom = max(source.keptFrom, min(forgotten, try source.newest(db) ?? .min))
            source.deletedBefore = max(source.deletedBefore, min(forgotten, latest))
            try source.save(db)
        }
        if let zones = header.zones, !zones.isEmpty {
            let names = zones.map { ($0.since, TimeZone(named: $0.name)?.identifier ?? $0.name) }
            try ZoneTable(source: source.id).replace(with: names, db)
        }
        self.header = nil
    }

    /// Counts the steps that the retention removed again, when the newer ones of the same import were recorded.
    private mutating func countForgotten(of name: String, _ db: Database) throws {
        defer { (steps, expiredBefore) = ((0, .max, .min), outcome.expired) }
        guard outcome.setAside == 0, steps.count > 0, let source = try SourceRow.named(name, db) else { return }
        let start = max(steps.first, source.keptFrom)
        let kept = try RunningTotals(source: source.id).sum(start..<max(start, steps.last + 1), db).steps
        let forgotten = steps.count - Int(kept) - (outcome.expired - expiredBefore)
        guard forgotten > 0 else { return }
        outcome.expired += forgotten
        outcome.recorded = max(0, outcome.recorded - forgotten)
    }

    private mutating func flush(_ db: Database) throws {
        guard let name = header?.source else { return }
        let zone = header?.zones?.last.flatMap { TimeZone(named: $0.name) }
        // An existing source keeps its own zones.
        let (part, _) = try Recorder.record(events, latest: latest, from: name, timeZone: isNew ? zone : nil, db)
        outcome += part
        events.removeAll(keepingCapacity: true)
        guard let source = try SourceRow.named(name, db) else { return }
        for mark in marks { try MarkTable(source: source.id).add(mark, db) }
        marks = []
    }
}
