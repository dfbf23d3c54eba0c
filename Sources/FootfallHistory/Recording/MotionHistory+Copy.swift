public import Foundation
internal import GRDB

extension MotionHistory {
    /// Copies the history, in its present state, to a new file with mode 0600. Another process may record meanwhile.
    ///
    /// The copy of the file alone, without the companion file of SQLite, may lack the newest events.
    ///
    /// - Parameter url: The new file. Its folder must exist.
    /// - Throws: ``HistoryError``, such as ``HistoryError/Reason/exists``.
    public func copy(to url: URL) throws {
        try HistoryFile.createEmpty(url.path, at: url)
        do {
            let copy = try DatabaseQueue(path: url.path, configuration: HistoryFile.configuration(isReadOnly: false))
            try database.backup(to: copy)
            try copy.close()
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw HistoryError.translating(error, at: url)
        }
    }
}
