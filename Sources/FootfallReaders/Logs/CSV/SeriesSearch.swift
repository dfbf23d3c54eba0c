internal import Footfall

/// Searches a table in which time runs backwards for the columns that tell its series apart.
package enum SeriesSearch {
    /// The remedy: the columns, their values with the number of rows, and the options that choose the largest series.
    /// Nil if no column tells series apart.
    package static func remedy(path: String, _ options: TraceOptions) -> ParameterText? {
        (try? table(path: path, options, isSuccession: false))?.remedy
    }

    /// The refusal of a table with series that follow one another, each with a clock of its own; nil if no column tells
    /// series apart.
    package static func refusal(path: String, _ options: TraceOptions) -> TraceError? {
        (try? table(path: path, options, isSuccession: true))?.refusalOfSuccession?.error(in: path)
    }

    /// The most series of a table.
    private static let mostSeries = 10_000

    /// The values of a column, in the order of their first row.
    ///
    /// - Throws: ``TraceError`` for a log that is no table on disk, that has no such column, or too many values.
    package static func values(
        of column: SensorColumns.Column, path: String
    ) throws(TraceError) -> [String] {
        var source = LineSource(try ByteSource(path: path), chunkSize: LineSource.chunkSize)
        guard source.isReadable else {
            throw Refusal("a pipe can be read only once", remedy: "write it to a file first").error(in: path)
        }
        try source.readOpening()
        var search: ColumnValues
        do throws(Refusal) {
            search = try ColumnValues(source.bytes.span, source.unread, isWhole: source.isAtEnd, column)
        } catch {
            throw error.error(in: path)
        }
        source.advance(to: search.start)
        repeat {
            source.advance(to: search.read(source.bytes.span, source.unread, isAtEnd: source.isAtEnd))
            guard search.values.count <= mostSeries else {
                throw Refusal("column '\(column)' has more than \(mostSeries) values, so it tells no series apart")
                    .error(in: path)
            }
        } while try source.readMore()
        return search.values
    }

    private static func table(
        path: String, _ options: TraceOptions, isSuccession: Bool
    ) throws -> SeriesTable {
        var source = LineSource(try ByteSource(path: path), chunkSize: LineSource.chunkSize)
        try source.readOpening()
        if !options.rows.isEmpty {
            let selection = try RowSelection(source, options.rows)
            try source.remove(from: selection.start, by: selection)
        }
        let sniffer = try CSVSniffer(source, options)
        source.advance(to: sniffer.firstRowOffset)
        var table = SeriesTable(sniffer, isSuccession: isSuccession)
        repeat {
            source.advance(to: table.read(source.bytes.span, source.unread))
        } while try !table.isFull && source.readMore()
        return table
    }
}
