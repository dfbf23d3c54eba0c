public import Footfall
internal import Foundation
internal import GRDB

/// The numbers of recorded and dropped steps and segments.
public struct RecordingOutcome: Hashable, Sendable {
    /// The number of recorded ones.
    public internal(set) var recorded = 0
    /// The number that no answer counts, because they are older than the retention of their source.
    public internal(set) var expired = 0
    /// The number of steps of other recordings that this one removed from its time. Steps that it repeats do not count.
    public internal(set) var replaced = 0
    /// The number dropped because they lie outside ``/Footfall/Timestamp/supported``.
    public internal(set) var refused = 0
    /// The number dropped because they are ahead of the wall clock, see
    /// ``MotionHistory/init(at:retention:acceptsFuture:acceptsLeap:)``.
    public internal(set) var setAside = 0
    /// The end of the latest one that is ahead of the wall clock; nil without one.
    public internal(set) var latestSetAside: Timestamp?

    /// Creates the outcome of no recording.
    public init() {}

    /// Adds the numbers of another recording.
    public static func += (total: inout RecordingOutcome, part: RecordingOutcome) {
        total.recorded += part.recorded
        total.expired += part.expired
        total.replaced += part.replaced
        total.refused += part.refused
        total.setAside += part.setAside
        total.latestSetAside = [total.latestSetAside, part.latestSetAside].compactMap(\.self).max()
    }
}

/// The transactions of a writer.
enum Recorder {
    /// The number of expired rows that a recording deletes from each table, in addition to as many as it adds.
    private static let purgeLimit = 4096

    /// Records events and applies the retention, inside a transaction. Events after `latest` are set aside. If there
    /// are no others, a new source is not created. `acceptsLeap` states whether even a short part after a long pause
    /// moves the window of the retention.
    static func record(
        _ events: some Sequence<MotionEvent>, pending: [Int64] = [], latest: Int64, acceptsLeap: Bool = false,
        from name: String, timeZone: TimeZone?, _ db: Database
    ) throws -> (RecordingOutcome, pending: [Int64]) {
        var writer = try SourceWriter(name: name, retention: db.retention(), db)
        writer.acceptsLeap = acceptsLeap
        let (outcome, extent, pending) = try writer.record(events, pending: pending, latest: latest, db)
        if writer.isNew, extent == nil, outcome.setAside > 0 {
            try writer.source.remove(db)
            return (outcome, pending)
        }
        try ZoneTable(source: writer.source.id).set(timeZone, over: extent, db)
        try writer.addToRecordedTotal(db)
        try writer.enforceRetention(db)
        _ = try writer.purge(limit: purgeLimit + outcome.recorded, db)
        return (outcome, pending)
    }

    /// Sets the retention, unless it is nil, and applies it in short transactions.
    static func open(_ db: Database, retention newRetention: Retention?) throws {
        if let newRetention {
            try db.inTransaction(.immediate) {
                try HistoryRow.set(newRetention, db)
                try HistoryRow.stamp(db)
                return .commit
            }
        }
        let retention = try db.retention()
        for source in try SourceRow.all(db) {
            var writer = SourceWriter(source, retention: retention)
            try db.inTransaction(.immediate) {
                try writer.restore(db)
                try writer.enforceRetention(db)
                try HistoryRow.stamp(db)
                return .commit
            }
            // One round here and the others while recording, so that opening stays fast. A longer retention needs all
            // rounds: the start of the kept time is about to move back over the expired rows.
            var isPurged = false
            repeat {
                try db.inTransaction(.immediate) {
                    isPurged = try writer.purge(limit: 4 * purgeLimit, db)
                    if isPurged { try writer.relax(db) }
                    try HistoryRow.stamp(db)
                    return .commit
                }
            } while try !isPurged && writer.needsRelaxing(db)
        }
    }

    /// Sets the retention and applies it. Runs inside a transaction.
    static func set(_ retention: Retention, _ db: Database) throws {
        try HistoryRow.set(retention, db)
        for source in try SourceRow.all(db) {
            var writer = SourceWriter(source, retention: retention)
            try writer.restore(db)
            try writer.enforceRetention(db)
            guard try writer.needsRelaxing(db) else { continue }
            _ = try writer.purge(limit: .max, db)
            try writer.relax(db)
        }
    }
}

/// The content of a source in the time of a recording. It shows whether the recording replaces any of it.
struct RecordedContent {
    private let source: String
    private let range: Range<Int64>
    private let steps: Set<Int64>
    private let pieces: [StoredSpan]

    /// Reads the content before the recording of events.
    init(of events: some Sequence<MotionEvent>, from source: String, _ db: Database) throws {
        var (start, end) = (Int64.max, Int64.min)
        for event in events {
            switch event {
            case .step(let step):
                start = min(start, step.time.nanosecondsSince1970)
                end = max(end, step.time.nanosecondsSince1970)
            case .segment(let segment):
                start = min(start, segment.range.lowerBound.nanosecondsSince1970)
                end = max(end, segment.range.upperBound.nanosecondsSince1970)
            // A span of non-wear replaces nothing.
            case .gap, .nonWear: break
            }
        }
        try self.init(in: start <= end ? start..<end : 0..<0, of: source, db)
    }

    private init(in range: Range<Int64>, of source: String, _ db: Database) throws {
        (self.source, self.range) = (source, range)
        guard let row = try SourceRow.named(source, db), !range.isEmpty else {
            (steps, pieces) = ([], [])
            return
        }
        let bounds: StatementArguments = [row.id, range.lowerBound, range.upperBound]
        steps = Set(
            try db.rows("SELECT time FROM step WHERE source = ? AND time >= ? AND time < ?", bounds) {
                try $0.integer(0)
            })
        pieces = try db.rows(
            """
            SELECT max(start, ?2), min(end, ?3), flags, probability, 0, 0.0 FROM piece
            WHERE \(SpanTable.piece.overlap) ORDER BY start
            """, bounds, StoredSpan.init)
    }

    /// Whether the source still holds all of this, perhaps with more.
    func isKept(_ db: Database) throws -> Bool {
        let now = try RecordedContent(in: range, of: source, db)
        return steps.isSubset(of: now.steps)
            && pieces.allSatisfy { piece in
                now.pieces.contains {
                    $0.start <= piece.start && piece.end <= $0.end && $0.flags == piece.flags
                        && $0.probability == piece.probability
                }
            }
    }
}
