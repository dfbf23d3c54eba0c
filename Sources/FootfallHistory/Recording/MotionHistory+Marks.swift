public import Footfall
internal import GRDB

extension MotionHistory {
    /// Marks a range with a text.
    ///
    /// A history that is open for reading takes marks, too, if its file may be written. Another process may record
    /// meanwhile. A mark with the same text and start replaces the one before.
    ///
    /// - Parameters:
    ///   - text: The text, of 1 to 256 Unicode scalars without NUL.
    ///   - range: The range. It may lie outside the recorded time.
    ///   - source: The source; nil, the default, for the only one.
    /// - Throws: ``HistoryError``, such as ``HistoryError/Reason/unkept``.
    @discardableResult
    public func mark(_ text: String, in range: some TimeRange, from source: String? = nil) throws -> Mark {
        let range = range.timestamps
        return try add(text, range.lowerBound, range.upperBound, source)
    }

    /// Marks a moment with a text, such as the start of a lap. The mark is open, see ``Mark/isOpen``.
    ///
    /// - Throws: ``HistoryError``, see ``mark(_:in:from:)``.
    @discardableResult
    public func mark(_ text: String, at start: Timestamp, from source: String? = nil) throws -> Mark {
        try add(text, start, nil, source)
    }

    /// Removes marks, which ``marks(in:from:)`` returns.
    ///
    /// - Throws: ``HistoryError``.
    public func unmark(_ marks: some Sequence<Mark>, from source: String? = nil) throws {
        try changeMarks { db in
            guard let row = try SourceRow.find(source, at: url, db) else { return }
            for mark in marks {
                try MarkTable(source: row.id).remove(mark.text, at: mark.range.lowerBound.nanosecondsSince1970, db)
            }
        }
    }

    private func add(_ text: String, _ start: Timestamp, _ end: Timestamp?, _ source: String?) throws -> Mark {
        guard Mark.isValid(text) else {
            throw HistoryError(.other("the text of a mark has 1 to \(Mark.longestText) characters and no NUL"), at: url)
        }
        guard end.map({ start < $0 }) ?? true else {
            throw HistoryError(.other("the range of the mark is empty"), at: url)
        }
        // A text with a time outside gives the nearest supported one.
        guard Timestamp.supported.contains(start), start > Timestamp.supported.lowerBound,
            end ?? start <= Timestamp.supported.upperBound
        else {
            throw HistoryError(.unkept, at: url)
        }
        let stored = StoredMark(start: start.nanosecondsSince1970, end: end?.nanosecondsSince1970, text: text)
        return try changeMarks { db in
            guard let row = try SourceRow.find(source, at: url, db) else {
                throw HistoryError(.other("nothing is recorded yet that a mark could be about"), at: url)
            }
            let table = MarkTable(source: row.id)
            let newest = try row.newest(db) ?? stored.start
            // An open mark is about a moment, so that has to be kept, although the mark ends with the data.
            let oldest = try db.retention().limit(newest: newest) ?? .min
            guard end != nil || stored.start >= max(oldest, row.keptFrom) else {
                throw HistoryError(.unkept, at: url)
            }
            try table.add(stored, db)
            let kept = max(stored.start, row.keptFrom)
            let marks = try table.marks(in: kept..<max(kept, StoredTime.end), newest: newest, db)
            guard
                let mark = marks.first(where: { $0.range.lowerBound == start && $0.text.utf8.elementsEqual(text.utf8) })
            else { throw HistoryError(.unkept, at: url) }
            return mark
        }
    }

    /// Changes marks. A history that is open for reading is changed as its next recorder would or, while it has one,
    /// beside that.
    private func changeMarks<Outcome>(_ change: (Database) throws -> Outcome) throws -> Outcome {
        recordWaiting()
        guard isReadOnly, let url else { return try write(change) }
        // Opening for recording would create a missing file.
        _ = try revision
        let recorder: MotionHistory
        do {
            recorder = try MotionHistory(at: url)
        } catch let error as HistoryError {
            guard case .locked = error.reason else { throw error }
            return try changeBesideRecorder(error, change)
        }
        defer { recorder.close() }
        let outcome = try recorder.write(change)
        try recorder.finish()
        return outcome
    }

    /// Changes marks in a transaction between those of a recorder. No recording changes marks, so neither has to know
    /// of the other. `locked` is the error for a history that only its recorder may change.
    private func changeBesideRecorder<Outcome>(
        _ locked: HistoryError, _ change: (Database) throws -> Outcome
    ) throws -> Outcome {
        guard let path else { throw locked }
        return try HistoryError.translating(at: url) {
            let connection = try DatabaseQueue(path: path, configuration: HistoryFile.configuration(isReadOnly: false))
            defer { try? connection.close() }
            return try connection.writeWithoutTransaction { db in
                // The recorder is of another version.
                guard try Schema.version(of: db) == Schema.version else { throw locked }
                // A source has a row with its first events. The recorder records them again, which changes nothing.
                if try SourceRow.all(db).isEmpty { try waiting?.record(db) }
                return try MotionHistory.transaction(db, change)
            }
        }
    }
}
