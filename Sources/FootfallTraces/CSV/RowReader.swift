internal import Footfall
internal import FootfallWire

/// Goes through rows and keeps what goes from one to the next.
struct RowReader: Sendable {
    private let dialect: CSVDialect
    private let lineEnd: UInt8
    private let parser: RowParser
    private var plain: PlainRowReader?
    private var shape: RowShape?
    /// How many rows to read without it, from here on, and after the next row that it does not fit.
    private var rowsUntilShape = RowReader.rowsThatPay
    private var rowsBetweenShapes = 1
    private let hasTimes: Bool
    private let firstCurrentLine: Int
    private var clock: RowClock
    private var line: Int
    /// Whether the lines read next are the rest of one that is too long.
    private var isInsideLongLine = false
    private var previous = Timestamp.supported.lowerBound
    private(set) var tally = Tally()

    /// How many rows a shape must fit for it to have been worth the trouble.
    private static let rowsThatPay = 8
    /// A table that has no shape costs next to nothing when one is looked for so seldom.
    private static let mostRowsBetweenShapes = 256

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
            readOrdinaryRows(text, &position, rowsEnd, into: &columns)
            guard position < range.upperBound, columns.room > 0 else { break }
            let found = text.firstIndex(of: lineEnd, in: position..<range.upperBound)
            guard found != nil || source.isAtEnd else { break }
            let end = found ?? range.upperBound
            readLine(text, position..<end, into: &columns)
            position = min(end + 1, range.upperBound)
        }
        return position
    }

    /// Reads rows as long as they are plain, most of them by their shape; the last of them ends before `end`.
    private mutating func readOrdinaryRows(
        _ text: Span<UInt8>, _ position: inout Int, _ end: Int, into columns: inout SampleColumns
    ) {
        guard var plain, !isInsideLongLine, line >= firstCurrentLine else { return }
        defer { self.plain = plain }
        while position < end, columns.room > 0 {
            if rowsUntilShape == 0 { readShapedRows(plain, text, &position, end, into: &columns) }
            let rows = readPlainRows(&plain, text, &position, end, atMost: rowsUntilShape, into: &columns)
            rowsUntilShape -= rows
            guard rowsUntilShape == 0 else { return }
        }
    }

    /// Reads rows that are written like the one whose shape is known, and decides when to try that again.
    private mutating func readShapedRows(
        _ plain: PlainRowReader, _ text: Span<UInt8>, _ position: inout Int, _ end: Int,
        into columns: inout SampleColumns
    ) {
        var rows = 0
        if let shape {
            rows = shape.read(text, &position, end, after: &previous, into: &columns)
            line += rows
        }
        guard position < end, columns.room > 0 else { return }
        if rows >= RowReader.rowsThatPay {
            rowsBetweenShapes = 1
        } else {
            shape = plain.shape(text, at: position)
            rowsBetweenShapes = min(2 * rowsBetweenShapes, RowReader.mostRowsBetweenShapes)
        }
        rowsUntilShape = rowsBetweenShapes
    }

    /// Reads plain rows one by one, and returns how many.
    private mutating func readPlainRows(
        _ plain: inout PlainRowReader, _ text: Span<UInt8>, _ position: inout Int, _ end: Int, atMost most: Int,
        into columns: inout SampleColumns
    ) -> Int {
        let first = line
        columns.append(asLongAs: {
            var row = PlainRowReader.Row()
            while position < end, line &- first < most, let next = plain.read(text, from: position, into: &row) {
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
        return line - first
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
