internal import Footfall

/// Reads the rows of a table as samples, batch by batch.
struct CSVReader: TraceReader, ~Copyable {
    let layout: TraceLayout
    let notes: [String]
    private var source: LineSource
    private var rows: RowReader
    private var isFinished = false

    /// Creates a reader of a source whose layout is known.
    init(_ source: consuming LineSource, _ sniffer: CSVSniffer) {
        source.advance(to: sniffer.firstRowOffset)
        layout = TraceLayout(.csv, of: source, .table(sniffer.layout))
        notes = sniffer.notes
        rows = RowReader(sniffer)
        self.source = source
    }

    var progress: Double { source.progress }
    var warnings: [TraceWarning] { rows.tally.warnings }
    var linesOfStepsBack: [Int] { rows.linesOfStepsBack }

    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns(reusing: spare)
        while columns.room > 0, !isFinished {
            let start = source.unread.lowerBound
            let end = rows.read(source, into: &columns)
            source.advance(to: end)
            if end == start { try readMore() }
        }
        return columns.batch()
    }

    private mutating func readMore() throws(TraceError) {
        if source.unread.count > LineSource.longestLine {
            rows.skipLine()
            source.advance(to: source.unread.upperBound)
        }
        guard try !source.readMore() else { return }
        isFinished = true
        rows.finish(source.finding)
    }
}
