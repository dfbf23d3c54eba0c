internal import Footfall

extension SourceSnapshot {
    /// The part at the end of the source that does not move the window of the retention: less than a minute of samples
    /// after more than an hour without any. Nil if there is none, or if moving the
    /// window would remove nothing from the answers.
    ///
    /// - Throws: ``HistoryError``.
    /// - Complexity: O(log *n*).
    public func leap() throws -> RecordedLeap? {
        guard let row, let newest = try row.newest(db), let end = try row.windowEnd(db), end < newest,
            let start = try row.oldest(from: end, db), let limit = try db.retention().limit(newest: newest),
            limit > row.keptFrom
        else { return nil }
        func moment(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanosecondsSince1970: nanoseconds) }
        let removed = try steps(in: Timestamp.supported.lowerBound..<moment(limit))
        guard removed.count > 0 || removed.coverage > 0 else { return nil }
        return RecordedLeap(
            range: moment(end)..<moment(newest), start: moment(start), limit: moment(limit), steps: removed.count)
    }
}
