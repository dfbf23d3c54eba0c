internal import Footfall
public import Foundation
internal import GRDB
internal import Synchronization

extension MotionHistory {
    /// Copies the history, in its present state, to a new file with mode 0600. Another process may record meanwhile.
    ///
    /// The copy of the file alone, without the companion file of SQLite, may lack the newest events.
    ///
    /// - Parameter url: The new file. Its folder must exist. Companions of a history that was there before are set
    ///   aside.
    /// - Throws: ``HistoryError``, such as ``HistoryError/Reason/exists``.
    public func copy(to url: URL) throws {
        let draft = HistoryFile.draft(for: url)
        defer { Companions.removeDraft(draft.path) }
        do {
            try write(to: draft)
        } catch let error as HistoryError {
            throw HistoryError(error.reason, at: url)
        }
        try HistoryFile.place(draft, at: url, replaces: false)
    }

    /// Writes the history to a new file that has no companions, and is not removed after an error.
    package func write(to url: URL) throws {
        recordWaiting()
        try checkAccess()
        let owned = try HistoryFile.write(url, at: url) { copy in
            try database.backup(to: copy)
            try copy.writeWithoutTransaction { try HistoryRow.note(path: nil, $0) }
        }
        Foundation.close(owned)
    }

    // MARK: With what waits

    /// Opens an existing history for a single answer, which has the events that wait for their transaction, too. Beside
    /// a running recorder, and where a killed one left a file that may not be written, that is a copy of the history as
    /// it is now, of a few megabytes of memory. Later events are missing in it.
    package static func withWaiting(reading url: URL) throws -> MotionHistory {
        let history = try MotionHistory(reading: url)
        guard let waiting = history.waiting else { return history }
        return MotionHistory(history.file, try history.copy(with: waiting), history.remarks)
    }

    /// The events that wait for their transaction beside the file; nil if none do.
    var waiting: WaitingEvents.Moment? { file.flatMap { WaitingEvents.Moment(beside: $0) } }

    /// A copy of the history as it is now, with the events that wait. They are read before: what the recorder records
    /// meanwhile is in both, which changes nothing.
    fileprivate func copy(with waiting: WaitingEvents.Moment) throws -> DatabaseQueue {
        try HistoryError.translating(at: url) {
            let copy = try DatabaseQueue(path: "", configuration: HistoryFile.configuration(isReadOnly: false))
            try database.backup(to: copy)
            try waiting.add(to: copy)
            return copy
        }
    }
}

extension WaitingEvents.Moment {
    /// Adds the events to a copy, which gets a revision that no other state has.
    fileprivate func add(to copy: DatabaseQueue) throws {
        try copy.writeWithoutTransaction { db in
            try record(db)
            try db.run("UPDATE history SET revision = ?", [Int64.random(in: 1 << 52..<1 << 62)])
        }
    }
}

/// A history that is asked again and again while another process may record. Each answer has the events that wait for
/// their transaction, so it is that of ``MotionHistory/withWaiting(reading:)`` at the same moment.
package final class FollowedHistory: Sendable {
    /// A copy with the events that wait, while some do.
    private struct Copy {
        let revision: Int
        var waiting: [Data]
        let queue: DatabaseQueue
        let history: MotionHistory
    }

    /// The history without the events that wait.
    package let recorded: MotionHistory
    private let copy = Mutex<Copy?>(nil)

    package init(_ recorded: MotionHistory) { self.recorded = recorded }

    /// Answers from one state, unless the answer is over before. The revision of the state changes with each event that
    /// waits. Throws ``HistoryError``, and any error of `question`.
    package func read<Answer>(
        until isOver: @escaping () -> Bool = { false }, _ question: (HistorySnapshot) throws -> Answer
    ) throws -> Answer {
        try HistoryError.translating(at: recorded.url) { try current().read(until: isOver, question) }
    }

    private func current() throws -> MotionHistory {
        guard let waiting = recorded.waiting else {
            copy.withLock { $0 = nil }
            return recorded
        }
        return try copy.withLock { copy in
            let revision = try recorded.read(until: { false }, { try $0.revision })
            if let known = copy, known.revision == revision {
                if known.waiting != waiting.bytes {
                    try waiting.add(to: known.queue)
                    copy?.waiting = waiting.bytes
                }
                return known.history
            }
            let queue = try recorded.copy(with: waiting)
            let history = MotionHistory(nil, queue, [])
            copy = Copy(revision: revision, waiting: waiting.bytes, queue: queue, history: history)
            return history
        }
    }
}
