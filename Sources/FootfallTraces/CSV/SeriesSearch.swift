internal import Footfall
package import FootfallText

/// Searches a table in which time runs backwards for the columns that tell its series apart.
package enum SeriesSearch {
    /// The remedy: the columns, their values with the number of rows, and the options that choose the largest series.
    /// Nil if no column tells series apart.
    package static func remedy(path: String, _ options: TraceOptions) -> ParameterText? {
        (try? table(path: path, options))?.remedy
    }

    private static func table(path: String, _ options: TraceOptions) throws -> SeriesTable {
        var source = LineSource(try ByteSource(path: path), chunkSize: LineSource.chunkSize)
        try source.readOpening()
        if !options.rows.isEmpty {
            let selection = try RowSelection(source, options.rows)
            try source.remove(from: selection.start, by: selection)
        }
        let sniffer = try CSVSniffer(source, options)
        source.advance(to: sniffer.firstRowOffset)
        var table = SeriesTable(sniffer)
        repeat {
            source.advance(to: table.read(source.bytes.span, source.unread))
        } while try !table.isFull && source.readMore()
        return table
    }
}
