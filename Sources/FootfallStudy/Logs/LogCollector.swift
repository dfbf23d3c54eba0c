internal import Footfall
internal import FootfallHistory
internal import FootfallMeasures
internal import FootfallTables
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Collects what an analysis of a log gives in a draft of a study file, so that memory does not grow with the log.
final class LogCollector: Sendable {
    /// The rows that wait for one transaction of the draft.
    private static let batch = 4096

    /// The measures of the epochs take nearly as long as the analysis. The thread that reads the log computes them, so
    /// that both processors have work.
    private struct Epochs {
        var meter: EpochMeter
        var waiting: [EpochMeasures] = []
        var failure: FileError?
    }

    private struct Events {
        var gait: GaitMeter
        var steps: [Step] = []
    }

    let draft: StudyFile
    private let epochs: Mutex<Epochs>
    private let events: Mutex<Events>

    /// `length` is the length of the epochs. `gait` is the stage of the gait measures, without samples. Throws
    /// `FileError` where there is no room for a temporary file.
    init(epochs length: EpochLength, _ gait: GaitMeter) throws(FileError) {
        draft = try StudyFile()
        epochs = Mutex(Epochs(meter: EpochMeter(length: length)))
        events = Mutex(Events(gait: gait))
    }

    /// Adds the next samples to the epochs, on the thread that reads.
    func addToEpochs(_ samples: RepairedSamples) {
        epochs.withLock { epochs in
            epochs.waiting += epochs.meter.add(samples)
            if epochs.waiting.count >= Self.batch { flush(&epochs) }
        }
    }

    private func flush(_ epochs: inout Epochs) {
        do { try draft.add(epochs.waiting) } catch { epochs.failure = epochs.failure ?? error }
        epochs.waiting.removeAll(keepingCapacity: true)
    }

    func add(_ samples: RepairedSamples) { events.withLock { $0.gait.add(samples) } }

    func add(_ new: [MotionEvent]) throws(FileError) {
        try events.withLock { events throws(FileError) in
            for case .step(let step) in new { events.steps.append(step) }
            let bouts = events.gait.add(new)
            if !bouts.isEmpty { try draft.add(bouts) }
            guard events.steps.count >= Self.batch else { return }
            try draft.add(events.steps)
            events.steps.removeAll(keepingCapacity: true)
        }
    }

    /// Adds the rest to the draft. Throws `FileError`, also for an earlier error.
    func finish(_ analysis: TraceAnalysis) throws(FileError) {
        try epochs.withLock { epochs throws(FileError) in
            epochs.waiting += epochs.meter.finish()
            flush(&epochs)
            if let failure = epochs.failure { throw failure }
        }
        try events.withLock { events throws(FileError) in
            try draft.add(events.steps)
            try draft.add(events.gait.finish())
        }
        try draft.add(analysis.segments)
        try analysis.checkWhole()
    }
}

// MARK: A draft

extension StudyFile {
    /// The bytes of a piece of a line of `traces.ndjson`. Nearly all lines are shorter.
    private static let pieceLength = 1 << 20

    /// Adds the log of a draft. `record` is the line of `traces.ndjson`.
    func add(_ log: StudiedLog, record: JSONValue) throws(FileError) {
        try write { db in
            try log.insert(db)
            var (piece, pieces, failure) = ("", 0, nil as (any Error)?)
            func add() {
                let values: StatementArguments = [log.id, pieces, piece]
                do { try db.execute(sql: "INSERT INTO analysis VALUES (?, ?, ?)", arguments: values) } catch {
                    failure = failure ?? error
                }
                (piece, pieces) = ("", pieces + 1)
            }
            record.write {
                piece += $0
                if piece.utf8.count >= Self.pieceLength { add() }
            }
            add()
            if let failure { throw failure }
        }
    }

    func add(_ steps: [Step]) throws(FileError) {
        try insert(steps, "step", columns: 2) { step, statement, first in
            sqlite3_bind_int64(statement, first, step.time.nanosecondsSince1970)
            sqlite3_bind_double(statement, first + 1, Double(step.quality))
        }
    }

    func add(_ epochs: [EpochMeasures]) throws(FileError) {
        try insert(epochs, "epoch", columns: 9) { epoch, statement, first in
            sqlite3_bind_int64(statement, first, epoch.start.nanosecondsSince1970)
            sqlite3_bind_double(statement, first + 1, epoch.enmoMg.rounded(to: 2))
            sqlite3_bind_double(statement, first + 2, epoch.madMg.rounded(to: 2))
            if let angle = epoch.angleZDegrees {
                sqlite3_bind_double(statement, first + 3, angle.rounded(to: 2))
            } else {
                sqlite3_bind_null(statement, first + 3)
            }
            sqlite3_bind_double(statement, first + 4, epoch.clipped.rounded(to: 4))
            sqlite3_bind_int(statement, first + 5, epoch.isWorn ? 1 : 0)
            for (index, count) in [epoch.counts?.x, epoch.counts?.y, epoch.counts?.z].enumerated() {
                let parameter = first + 6 + Int32(index)
                if let count {
                    sqlite3_bind_int64(statement, parameter, Int64(count))
                } else {
                    sqlite3_bind_null(statement, parameter)
                }
            }
        }
    }

    private func insert<Values>(
        _ rows: [Values], _ table: String, columns: Int, bind: (Values, OpaquePointer, Int32) -> Void
    ) throws(FileError) {
        try write {
            try $0.insert(rows, source: Self.draft, "INSERT INTO \(table)", columns: columns, bind: bind)
        }
    }

    func add(_ segments: some Sequence<Segment>) throws(FileError) {
        try write { db in
            let insertion = try db.cachedStatement(sql: "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            for segment in segments {
                let halts = segment.halts.flatMap {
                    [$0.lowerBound.nanosecondsSince1970, $0.upperBound.nanosecondsSince1970]
                }
                try insertion.execute(arguments: [
                    Self.draft, segment.range.lowerBound.nanosecondsSince1970,
                    segment.range.upperBound.nanosecondsSince1970,
                    segment.flags.rawValue, segment.reason?.rawValue, Double(segment.probability), segment.steps,
                    "[" + halts.map(String.init).joined(separator: ",") + "]",
                ])
            }
        }
    }

    /// The columns of a segment, in the order of ``Segment/init(_:shiftedBy:)``.
    static let segmentColumns = "start, end, flags, reason, probability, steps, halts"

    /// The next segments of a draft.
    func segments(after time: Timestamp?, most: Int) throws -> [Segment] {
        var segments: [Segment] = []
        try forEach(
            "SELECT \(Self.segmentColumns) FROM segment WHERE log = ? AND start > ? ORDER BY start LIMIT ?",
            [Self.draft, time?.nanosecondsSince1970 ?? .min, most]
        ) { segments.append(try Segment($0)) }
        return segments
    }

    func add(_ bouts: [GaitMeasures]) throws(FileError) {
        try write { db in
            let insertion = try db.cachedStatement(sql: "INSERT INTO gait VALUES (?, ?, ?)")
            for bout in bouts {
                let measures = String(decoding: try JSONEncoder().encode(bout), as: UTF8.self)
                try insertion.execute(arguments: [Self.draft, bout.range.lowerBound.nanosecondsSince1970, measures])
            }
        }
    }
}

extension Segment {
    /// Reads a row of the table `segment`, and moves it by nanoseconds.
    init(_ row: Row, shiftedBy shift: Int64 = 0) throws {
        func range(_ start: Int64, _ end: Int64) -> Range<Timestamp> {
            Timestamp(nanosecondsSince1970: start + shift)..<Timestamp(nanosecondsSince1970: end + shift)
        }
        let (reason, text): (UInt8?, String) = (row[3], row[6])
        let halts = text == "[]" ? [] : try JSONDecoder().decode([Int64].self, from: Data(text.utf8))
        self.init(
            range: range(row[0], row[1]), flags: ActivityFlags(rawValue: row[2]),
            reason: reason.flatMap(UnknownReason.init), probability: Float(row[4] as Double), steps: row[5],
            halts: stride(from: 0, to: halts.count - 1, by: 2).map { range(halts[$0], halts[$0 + 1]) })
    }
}

extension Double {
    /// The number as a table of so many decimals states it.
    fileprivate func rounded(to decimals: Int) -> Double {
        let factor = decimals == 2 ? 100.0 : 10_000
        return (self * factor).rounded() / factor
    }
}
