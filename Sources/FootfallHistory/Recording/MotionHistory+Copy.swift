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
        try MotionHistory.place(draft, at: url, replaces: false)
    }

    /// Writes the history to a new file that has no companions, and is not removed after an error.
    package func write(to url: URL) throws {
        let owned = try HistoryFile.createEmpty(url.path, at: url)
        defer { Foundation.close(owned) }
        do {
            let copy = try DatabaseQueue(path: url.path, configuration: HistoryFile.configuration(isReadOnly: false))
            try database.backup(to: copy)
            try copy.writeWithoutTransaction { db in
                // A file of an earlier version has no path.
                if try Schema.version(of: db) == Schema.version {
                    try HistoryRow.note(path: nil, db)
                }
                // At its end SQLite does the same, but reports no error.
                try db.checkpoint(.truncate)
            }
            try copy.close()
        } catch {
            throw HistoryError.translating(error, at: url)
        }
    }
}
