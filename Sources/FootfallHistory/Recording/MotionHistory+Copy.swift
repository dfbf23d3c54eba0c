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
            try copy.writeWithoutTransaction { db in
                // A file of an earlier version has no path.
                if try Schema.hasTotals(db) {
                    try HistoryRow.note(path: nil, db)
                }
            }
        }
        Foundation.close(owned)
    }

    /// Gives a complete history without companions, such as a copy or an import, its name.
    ///
    /// - Parameter replaces: Whether it replaces a history and its companions.
    /// - Returns: What the user should know.
    @discardableResult
    package static func place(_ draft: URL, at target: URL, replaces: Bool) throws -> [String] {
        try HistoryFile.place(draft, at: target, replaces: replaces)
    }
}
