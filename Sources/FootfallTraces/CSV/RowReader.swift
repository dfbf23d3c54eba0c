internal import Footfall
internal import FootfallText

/// Reads rows in order, with the state between them.
struct RowReader: Sendable {
    private let dialect: CSVDialect
    private let lineEnd: UInt8
    private let parser: RowParser
    /// Reads most rows of most tables; nil for a table that has no such rows.
    private var fast: FastRowReader?
    private let firstCurrentLine: Int
    private var clock: RowClock
    private var line: Int
    /// Whether the next bytes are the rest of a line that is too long.
    private var isInsideLongLine = false
    private var previous = Timestamp.supported.lowerBound
    private(set) var tally = WarningCounts()
    /// Nil if the caller states the unit.
    private(set) var units: UnitCheck?
    /// The lines of the first steps back that may be those of a clock.
    private(set) var linesOfStepsBack: [Int] = []

    init(_ sniffer: CSVSniffer) {
        let layout = sniffer.layout
        dialect = sniffer.dialect
        lineEnd = sniffer.lineEnd
        parser = RowParser(
            sniffer.dialect, time: layout.timeColumn?.index, date: layout.dateColumn?.index,
            axes: layout.axisColumns.map(\.index), gravity: layout.gravityColumns.map(\.index), unit: layout.unit)
        firstCurrentLine = sniffer.firstCurrentLine
        clock = sniffer.clock
        fast = FastRowReader(dialect, layout, lineEnd: lineEnd, clock)
        line = sniffer.firstRowLine
        units = layout.unitEvidence == .option ? nil : UnitCheck(layout.unit)
    }

    /// Reads the lines in the buffer of `source` until the columns are full, and returns where it stopped.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int {
        let text = source.bytes.span
        let range = source.unread
        let wholeLines = text.extracting(..<(text.lastIndex(of: lineEnd, in: range).map { $0 + 1 } ?? range.lowerBound))
        var position = range.lowerBound
        while position < range.upperBound, columns.room > 0 {
            readFastRows(wholeLines, &position, into: &columns)
            guard position < range.upperBound, columns.room > 0 else { break }
            let found = text.firstIndex(of: lineEnd, in: position..<range.upperBound)
            guard found != nil || source.isAtEnd else { break }
            let end = found ?? range.upperBound
            readLine(text, position..<end, into: &columns)
            position = min(end + 1, range.upperBound)
        }
        return position
    }

    /// Reads rows up to the first that the fast reader leaves.
    private mutating func readFastRows(
        _ lines: Span<UInt8>, _ position: inout Int, into columns: inout SampleColumns
    ) {
        guard fast != nil, !isInsideLongLine, line >= firstCurrentLine else { return }
        if fast?.order != nil { fast?.follow(clock.order) }
        let count = fast?.read(lines, &position, index: clock.nextRow, after: &previous, into: &columns) ?? 0
        if let order = fast?.order { clock.order = order }
        clock.beginRows(count)
        line += count
    }

    /// Checks the unit of the samples that were read last.
    mutating func checkUnit(of batch: SampleBatch) { units?.check(batch, through: line - 1) }

    /// The next bytes belong to a line that is too long.
    mutating func skipLine() {
        isInsideLongLine = true
    }

    /// Ends the reading, with the problem of the compressed data.
    mutating func finish(_ finding: TraceWarning.Kind?) {
        if isInsideLongLine { tally.note(.lineTooLong, line: line) }
        if let finding { tally.note(finding, line: nil) }
    }

    private mutating func readLine(_ text: Span<UInt8>, _ range: Range<Int>, into columns: inout SampleColumns) {
        defer { line += 1 }
        guard !isInsideLongLine, range.count <= LineSource.longestLine else {
            isInsideLongLine = false
            clock.beginRows()
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
        clock.order.previous = previous
        let keptOffset = clock.order.keptOffset
        defer { if clock.order.keptOffset != keptOffset { tally.note(.clockNotSet, line: line) } }
        switch parser.read(text, row, &clock) {
        case .bad(let kind):
            tally.note(kind, line: line)
        case .implausible(let vector):
            tally.note(.implausibleAcceleration, line: line)
            units?.add(vector, line: line)
        case .sample where line < firstCurrentLine:
            tally.note(.staleTime, line: line)
        case .sample(let sample):
            if sample.time < previous { noteStepBack(to: sample.time) }
            previous = sample.time
            columns.append(sample)
        }
    }

    private mutating func noteStepBack(to time: Timestamp) {
        tally.note(.timeStepsBack, line: line)
        guard previous.nanosecondsSince1970 - time.nanosecondsSince1970 > ClockRuns.leastStepBack,
            linesOfStepsBack.count < 4 * ClockRuns.mostStepsBack
        else { return }
        linesOfStepsBack.append(line)
    }
}

extension FastRowReader {
    /// A reader for a table; nil if the spelling of its rows or times rules it out.
    fileprivate init?(_ dialect: CSVDialect, _ layout: TableLayout, lineEnd: UInt8, _ clock: RowClock) {
        guard dialect.rowEnd == nil, dialect.delimiter != ASCII.space, dialect.delimiter != dialect.decimalSeparator,
            layout.gravityColumns.isEmpty, layout.dateColumn == nil, let time = clock.fastTime,
            let rows = RowLayout(
                time: layout.timeColumn?.index, axes: layout.axisColumns.map(\.index),
                RowLayout.Separators(
                    field: dialect.delimiter, decimal: dialect.decimalSeparator, row: lineEnd,
                    longestRow: LineSource.longestLine))
        else { return nil }
        self.init(time, rows, scale: layout.unit.inG)
    }
}

extension Span<UInt8> {
    /// The first position of `byte` in `range`.
    @inline(__always)
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if self[position] == byte { return position }
            position += 1
        }
        return nil
    }
    /// The last position of `byte` in `range`.
    func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.upperBound
        while position > range.lowerBound {
            position -= 1
            if self[position] == byte { return position }
        }
        return nil
    }
}
