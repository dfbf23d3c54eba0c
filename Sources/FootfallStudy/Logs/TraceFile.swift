package import FootfallReaders
internal import Foundation

/// A sensor log named on the command line, or found in a folder named there.
package struct TraceFile: Hashable, Sendable {
    /// The path, as given on the command line.
    package let path: String
    /// The name in results: the path below the folder on the command line, or the last component. If several folders
    /// are named, it starts with the name of the folder.
    package let name: String
    /// The size in bytes; 0 if it is unknown.
    package let size: Int

    /// The rows of one series in a table of several; nil for all rows.
    package let series: RowCondition?

    /// Creates a log. In results, a name that is not UTF-8 becomes Latin-1.
    package init(path: String, name: String, size: Int, series: RowCondition? = nil) {
        (self.path, self.name, self.size, self.series) = (path, FilePath.shown(name), size, series)
    }

    /// A log for each value of a column, such as `users-33.csv` and `users-17.csv` of `users.csv`. Throws `TraceError`
    /// for a log that cannot be read again, that is no table, or has no such series.
    package func divided(
        by column: SensorColumns.Column, _ options: TraceOptions
    ) throws(TraceError) -> [TraceFile] {
        if let refusal = refusalOfPipe(to: "divide it") { throw refusal }
        let values = try SeriesSearch.values(of: column, path: path, options)
        return values.map { value in
            let word = String(value.map { $0.isLetter || $0.isNumber || "._-+".contains($0) ? $0 : "_" })
            let stem = stem
            return TraceFile(
                path: path, name: "\(stem)-\(word)\(name.dropFirst(stem.count))", size: size / max(1, values.count),
                series: RowCondition(column: column, value: value))
        }
    }

    /// Whether the log is a file or a folder, and not a pipe.
    package var canBeReadAgain: Bool { isPipe == false }

    /// Whether the log is neither a file nor a folder; nil if it does not exist.
    private var isPipe: Bool? {
        var status = stat()
        guard FilePath.withBytes(of: path, { stat($0, &status) }) == 0 else { return nil }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// The refusal of a pipe where `purpose`, such as “calibrate”, has to read the log twice; nil for no pipe.
    package func refusalOfPipe(to purpose: String) -> TraceError? {
        guard isPipe == true else { return nil }
        return TraceError(
            .unreadable, path: path, problem: "a pipe can be read only once",
            remedy: "to \(purpose), write it to a file first")
    }

    /// The name without its extensions, such as `.csv.gz`: the source that `--source-from name` chooses, and the folder
    /// of the tables.
    package var stem: String { name.traceStem }
}
