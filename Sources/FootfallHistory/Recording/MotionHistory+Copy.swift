internal import Footfall
public import Foundation
internal import GRDB

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
        let owned = try HistoryFile.write(url, at: url) { copy in
            try database.backup(to: copy)
            try copy.writeWithoutTransaction { try HistoryRow.note(path: nil, $0) }
        }
        Foundation.close(owned)
    }

    /// Gives a complete history without companions, such as a copy or an import, its name. `replaces` states whether it
    /// replaces a history and its companions. Returns what the user should know.
    @discardableResult
    package static func place(_ draft: URL, at target: URL, replaces: Bool) throws -> [String] {
        try HistoryFile.place(draft, at: target, replaces: replaces)
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
    package var waiting: WaitingEvents.Moment? { file.flatMap { WaitingEvents.Moment(beside: $0) } }

    /// A copy of the history as it is now, with events that wait, for a reader beside a running recorder. Its revision
    /// is one that no other state has. It takes a few megabytes of memory. `waiting` are the events, read before the
    /// copy is made: what the recorder records meanwhile is in both, which changes nothing.
    package func current(with waiting: WaitingEvents.Moment) throws -> MotionHistory {
        MotionHistory(nil, try copy(with: waiting), [])
    }

    /// Adds newer events that wait to a copy of the same state.
    package func add(_ waiting: WaitingEvents.Moment) throws {
        guard let copy = database as? DatabaseQueue else { return }
        try add(waiting, to: copy)
    }

    private func copy(with waiting: WaitingEvents.Moment) throws -> DatabaseQueue {
        do {
            let copy = try DatabaseQueue(path: "", configuration: HistoryFile.configuration(isReadOnly: false))
            try database.backup(to: copy)
            try add(waiting, to: copy)
            return copy
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }

    private func add(_ waiting: WaitingEvents.Moment, to copy: DatabaseQueue) throws {
        try copy.writeWithoutTransaction { db in
            try waiting.record(db)
            try db.run("UPDATE history SET revision = ?", [Int64.random(in: 1 << 52..<1 << 62)])
        }
    }
}
