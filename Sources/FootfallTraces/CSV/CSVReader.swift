internal import Footfall

/// Reads the rows of a table as samples, batch by batch.
struct CSVReader: TraceReader, ~Copyable {
    let layout: TraceLayout
    let notes: [String]
    private var source: LineSource
    private var rows: RowReader
    private var isFinished = false

    /// Takes over a source whose opening has been taken in and understood.
    init(_ source: consuming LineSource, _ sniffer: CSVSniffer) {
        source.advance(to: sniffer.firstRowOffset)
        layout = TraceLayout(.csv, of: source, .table(sniffer.layout))
        notes = sniffer.notes
        rows = RowReader(sniffer)
        self.source = source
    }

    var progress: Double { source.progress }
    var warnings: [TraceWarning] { rows.tally.warnings }

    /// The next samples; nil at the end of the file.
    mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns()
        while columns.room > 0, !isFinished {
            let start = source.unread.lowerBound
            let end = rows.read(source, into: &columns)
            source.advance(to: end)
            if end == start { try takeInMore() }
        }
        return columns.batch()
    }

    private mutating func takeInMore() throws(TraceError) {
        if source.unread.count > LineSource.longestLine {
            rows.passOverLine()
            source.advance(to: source.unread.upperBound)
        }
        guard try !source.takeInMore() else { return }
        isFinished = true
        rows.finish(source.finding)
    }
}

/// Goes through rows and keeps what goes from one to the next.
struct RowReader: Sendable {
    private let dialect: CSVDialect
    private let lineEnd: UInt8
    private let parser: RowParser
    private var plain: PlainRowReader?
    private let hasTimes: Bool
    private let firstCurrentLine: Int
    private var clock: RowClock
    private var line: Int
    /// Whether the lines read next are the rest of one that is too long.
    private var isInsideLongLine = false
    private var previous = Timestamp.supported.lowerBound
    private(set) var tally = Tally()

    init(_ sniffer: CSVSniffer) {
        let layout = sniffer.layout
        dialect = sniffer.dialect
        lineEnd = sniffer.lineEnd
        parser = RowParser(
            sniffer.dialect, time: layout.timeColumn?.index, date: layout.dateColumn?.index,
            axes: layout.axisColumns.map(\.index), gravity: layout.gravityColumns.map(\.index), unit: layout.unit)
        hasTimes = layout.timeColumn != nil
        firstCurrentLine = sniffer.firstCurrentLine
        clock = sniffer.clock
        plain = PlainRowReader(dialect, layout, lineEnd: lineEnd, clock)
        line = sniffer.firstRowLine
    }

    /// Reads the whole lines in the buffer of `source` until the columns are full, and returns where it stopped.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int {
        let text = source.bytes.span
        let range = source.unread
        let rowsEnd = text.lastIndex(of: lineEnd, in: range).map { $0 + 1 } ?? range.lowerBound
        var position = range.lowerBound
        while position < range.upperBound, columns.room > 0 {
            readPlainRows(text, &position, rowsEnd, into: &columns)
            guard position < range.upperBound, columns.room > 0 else { break }
            let found = text.firstIndex(of: lineEnd, in: position..<range.upperBound)
            guard found != nil || source.isAtEnd else { break }
            let end = found ?? range.upperBound
            readLine(text, position..<end, into: &columns)
            position = min(end + 1, range.upperBound)
        }
        return position
    }

    /// Reads rows as long as they are plain; the last of them ends before `end`.
    private mutating func readPlainRows(
        _ text: Span<UInt8>, _ position: inout Int, _ end: Int, into columns: inout SampleColumns
    ) {
        guard var plain, !isInsideLongLine, line >= firstCurrentLine else { return }
        defer { self.plain = plain }
        columns.append(asLongAs: {
            var row = PlainRowReader.Row()
            while position < end, let next = plain.read(text, from: position, into: &row) {
                position = next
                line += 1
                clock.beginRow()
                switch hasTimes ? .time(Timestamp(nanosecondsSince1970: row.nanoseconds)) : clock.timeByRate() {
                case .bad(let kind):
                    tally.note(kind, line: line - 1)
                case .time(let time):
                    if time < previous { tally.note(.timeStepsBack, line: line - 1) }
                    previous = time
                    return AccelerationSample(time: time, x: row.x, y: row.y, z: row.z)
                }
            }
            return nil
        })
    }

    /// The bytes that follow belong to a line of which too much has been seen.
    mutating func passOverLine() {
        isInsideLongLine = true
    }

    /// Ends the reading, with what was found wrong with the compressed data.
    mutating func finish(_ finding: TraceWarning.Kind?) {
        if isInsideLongLine { tally.note(.lineTooLong, line: line) }
        if let finding { tally.note(finding, line: nil) }
    }

    private mutating func readLine(_ text: Span<UInt8>, _ range: Range<Int>, into columns: inout SampleColumns) {
        defer { line += 1 }
        guard !isInsideLongLine, range.count <= LineSource.longestLine else {
            isInsideLongLine = false
            clock.beginRow()
            tally.note(.lineTooLong, line: line)
            return
        }
        if dialect.rowEnd == nil {
            readRow(text, text.trimmed(range), into: &columns)
        } else {
            for row in dialect.rows(text, range) { readRow(text, row, into: &columns) }
        }
    }

    @inline(__always)
    private mutating func readRow(_ text: Span<UInt8>, _ row: Range<Int>, into columns: inout SampleColumns) {
        guard !row.isEmpty else { return }
        switch parser.read(text, row, &clock) {
        case .bad(let kind):
            tally.note(kind, line: line)
        case .sample where line < firstCurrentLine:
            tally.note(.staleTime, line: line)
        case .sample(let sample):
            if sample.time < previous { tally.note(.timeStepsBack, line: line) }
            previous = sample.time
            columns.append(sample)
        }
    }
}

extension Span<UInt8> {
    /// The first place in `range` at which `byte` stands.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if self[position] == byte { return position }
            position += 1
        }
        return nil
    }
    /// The last place in `range` at which `byte` stands.
    func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.upperBound
        while position > range.lowerBound {
            position -= 1
            if self[position] == byte { return position }
        }
        return nil
    }
}
