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
        let owned = try HistoryFile.write(url, at: url) { copy in
            try database.backup(to: copy)
            try copy.writeWithoutTransaction { db in
                // A file of an earlier version has no path.
                if try Schema.isNewest(db) {
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

extension MotionHistory {
    /// Removes everything recorded in a range. The range is then uncovered.
    ///
    /// A source without any rows left is removed. The rows are overwritten in the file. A leap of the time moves
    /// rows out of the retention. They count again if the leap is deleted within a day of recorded time.
    ///
    /// - Parameters:
    ///   - range: The range. It clips segments that reach out of it.
    ///   - source: The source; nil, the default, for the only one.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the removed rows.
    public func delete(in range: some TimeRange, from source: String? = nil) throws {
        try write { db in
            guard let found = try SourceRow.find(source, at: url, db) else { return }
            let range = range.timestamps.clamped(to: Timestamp.supported)
            let nanoseconds = range.lowerBound.nanosecondsSince1970..<range.upperBound.nanosecondsSince1970
            guard !nanoseconds.isEmpty else { return }
            var writer = SourceWriter(found, retention: try db.retention())
            try writer.erase(nanoseconds, db)
            try writer.restore(db)
            if try writer.source.oldest(from: writer.source.keptFrom, db) == nil { try found.remove(db) }
        }
    }
}
