internal import Footfall
internal import GRDB

extension MotionHistory {
    /// Removes everything recorded in a range. The range is then uncovered.
    ///
    /// Marks that lie within the range are removed with it. A source without any events left is removed. The rows are
    /// overwritten in the file. A leap of the time moves rows out of the retention. They count again if the leap is
    /// deleted within a day of recorded time.
    ///
    /// - Parameters:
    ///   - range: The range. It clips segments that reach out of it.
    ///   - source: The source; nil, the default, for the only one.
    /// - Throws: ``HistoryError``.
    /// - Complexity: Linear in the removed rows.
    public func delete(in range: some TimeRange, from source: String? = nil) throws {
        recordWaiting()
        try write { db in
            guard let found = try SourceRow.find(source, at: url, db) else { return }
            let range = range.timestamps.clamped(to: Timestamp.supported)
            let nanoseconds = range.lowerBound.nanosecondsSince1970..<range.upperBound.nanosecondsSince1970
            guard !nanoseconds.isEmpty else { return }
            var writer = SourceWriter(found, retention: try db.retention())
            try MarkTable(source: found.id).remove(within: nanoseconds, newest: found.newest(db) ?? .min, db)
            try writer.erase(nanoseconds, db)
            try writer.restore(db)
            if try writer.source.oldest(from: writer.source.keptFrom, db) == nil { try found.remove(db) }
        }
    }
}
