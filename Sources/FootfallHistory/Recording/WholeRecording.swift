package import Footfall
package import Foundation
internal import GRDB
internal import Synchronization

/// A recording of several calls as a whole: a log that proves to be unusable changes nothing. The calls share one
/// transaction, so memory stays bounded: SQLite moves changed pages to its log. Readers see them after ``commit()``. If
/// the recording or the process ends without it, nothing is recorded. The history takes no other changes meanwhile.
package final class WholeRecording: Sendable {
    private let history: MotionHistory
    /// The steps since the last segment, by source; nil outside of the transaction.
    private let pending = Mutex<[String: [Int64]]?>(nil)

    /// Prepares a recording. The transaction starts with the first call.
    package init(into history: MotionHistory) { self.history = history }

    deinit { pending.withLock { cancel(&$0) } }

    /// Records settled events, see ``MotionHistory/record(_:from:timeZone:replaces:)``. Throws ``HistoryError``.
    /// Nothing of the whole recording is kept then.
    package func record(
        _ events: some Sequence<MotionEvent>, from source: String, timeZone: TimeZone? = nil, replaces: Bool = true
    ) throws -> RecordingOutcome {
        try pending.withLock { recorded in
            do {
                let begins = recorded == nil
                let before = recorded ?? [:]
                recorded = before
                let (outcome, steps) = try history.change { db in
                    if begins { try db.beginTransaction(.immediate) }
                    try WholeRecording.check(db)
                    return try history.record(
                        events, pending: before[source] ?? history.pendingSteps(of: source), from: source,
                        timeZone: timeZone, replaces: replaces, db)
                }
                recorded?[source] = steps
                return outcome
            } catch {
                cancel(&recorded)
                throw error
            }
        }
    }

    /// Ends the recording: everything is recorded. Throws ``HistoryError``. Nothing is recorded then.
    package func commit() throws {
        try pending.withLock { recorded in
            guard let ended = recorded else { return }
            do {
                try history.change { db in
                    try WholeRecording.check(db)
                    try HistoryRow.stampNews(db)
                    try db.commit()
                    try history.boundLog(db)
                }
            } catch {
                cancel(&recorded)
                throw error
            }
            recorded = nil
            history.end(ended)
        }
    }

    /// Fails if a full disk has ended the transaction.
    private static func check(_ db: Database) throws {
        guard db.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_FULL) }
    }

    private func cancel(_ recorded: inout [String: [Int64]]?) {
        guard recorded != nil else { return }
        recorded = nil
        history.rollBack()
    }
}

extension Timestamp {
    /// The end of the first year: logs without a date start in 1970.
    package static let endOfUndated = Timestamp.epoch.advanced(bySeconds: 365 * 86400)
}

extension MotionEvent {
    /// Whether the time has a date: a log without one starts in 1970.
    package var isDated: Bool {
        switch self {
        case .step(let step): step.time >= .endOfUndated
        case .segment(let segment): segment.range.lowerBound >= .endOfUndated
        case .gap(let range), .nonWear(let range): range.lowerBound >= .endOfUndated
        }
    }
}
