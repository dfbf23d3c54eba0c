public import Footfall
internal import GRDB

extension MotionHistory {
    /// Removes what was recorded in a range; the time in it is then as if it had never been covered.
    ///
    /// A source of which nothing is left is gone altogether. The rows are overwritten in the file.
    ///
    /// - Parameters:
    ///   - range: The range; segments are cut off at its ends.
    ///   - source: The source; may be left out when there is only one.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in what is removed.
    public func delete(in range: Range<Timestamp>, from source: String? = nil) throws {
        try write { db in
            guard let found = try Inquiry(source, at: url, db).source else { return }
            let range = range.clamped(to: Timestamp.supported)
            let nanoseconds = range.lowerBound.nanosecondsSince1970..<range.upperBound.nanosecondsSince1970
            guard !nanoseconds.isEmpty else { return }
            try SourceWriter(found, retention: Recorder.retention(db)).erase(nanoseconds, db)
            if try found.oldest(db) == nil { try found.remove(db) }
        }
    }
}

extension SourceRow {
    /// Removes everything of the source, and the source.
    func remove(_ db: Database) throws {
        for table in ["step", "piece", "segment", "tally", "zone"] {
            try db.run("DELETE FROM \(table) WHERE source = ?", [id])
        }
        try db.run("DELETE FROM source WHERE id = ?", [id])
    }
}
