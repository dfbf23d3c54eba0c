internal import Footfall

/// Reads the rows of a table as samples, batch by batch.
struct CSVReader: TraceReader, ~Copyable {
    let layout: TraceLayout
    let notes: [ParameterText]
    private var source: LineSource
    private var rows: RowReader
    /// The problem of the compressed data.
    private var finding: TraceWarning.Kind?
    /// The path for the error of a unit that changes; nil to read any values.
    private let path: String?
    private var isFinished = false

    /// Creates a reader of a source whose layout is known.
    init(_ source: consuming LineSource, _ sniffer: CSVSniffer, checking path: String? = nil) {
        self.path = path
        source.advance(to: sniffer.firstRowOffset)
        layout = TraceLayout(.csv, of: source, .table(sniffer.layout))
        notes = sniffer.notes
        rows = RowReader(sniffer)
        self.source = source
    }

    var progress: Double { source.progress }
    var warnings: [TraceWarning] {
        var counts = WarningCounts()
        for (problem, rows) in rows.problems {
            counts.note(TraceWarning.Kind(problem), .line(rows.line), count: rows.count)
        }
        if let finding { counts.note(finding, nil) }
        return counts.warnings
    }
    var linesOfStepsBack: [Int] { rows.linesOfStepsBack }

    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        var columns = SampleColumns(reusing: spare)
        while columns.room > 0, !isFinished {
            let start = source.unread.lowerBound
            let end = rows.read(source, into: &columns)
            source.advance(to: end)
            if end == start { try readMore() }
        }
        let batch = columns.batch()
        guard let path else { return batch }
        if let batch { rows.checkUnit(of: batch) }
        if let finding = rows.units?.finding { throw Self.error(of: finding.change, in: path, line: finding.line) }
        return batch
    }

    /// A log with two units is not read: a warning would leave half of its results wrong.
    private static func error(of change: UnitChange, in path: String, line: Int) -> TraceError {
        TraceError(
            .badData, path: path, line: line, problem: "\(change.problem)",
            remedy:
                "give \(.unit(change.old)) if all of it is in \(change.old), or convert the rows from line \(line) on")
    }

    private mutating func readMore() throws(TraceError) {
        if source.unread.count > RowReader.longestLine {
            rows.skipLine()
            source.advance(to: source.unread.upperBound)
        }
        guard try !source.readMore() else { return }
        isFinished = true
        rows.finish()
        finding = source.finding
    }
}

extension TraceWarning.Kind {
    fileprivate init(_ problem: RowProblem) {
        self =
            switch problem {
            case .notANumber: .notANumber
            case .notFinite: .notFinite
            case .tooFewFields: .tooFewFields
            case .unreadableTime: .unreadableTime
            case .timeOutOfRange: .timeOutOfRange
            case .implausibleAcceleration: .implausibleAcceleration
            case .lineTooLong: .lineTooLong
            case .staleTime: .staleTime
            case .timeStepsBack: .timeStepsBack
            case .clockNotSet: .clockNotSet
            }
    }
}

extension CSVSniffer {
    /// Detects the layout from the opening of a source.
    ///
    /// - Throws: ``Refusal`` when the file is not a sensor log, or has no acceleration with gravity.
    init(_ source: borrowing LineSource, _ options: TraceOptions) throws(Refusal) {
        if let finding = source.finding, source.unread.isEmpty {
            throw Refusal("\(TraceWarning(kind: finding, count: 1))")
        }
        try self.init(
            source.bytes.span, source.unread, isWhole: source.isAtEnd, isFinal: source.isAtEnd || !source.isReadable,
            options.table)
    }

    /// Decides by the whole log, where its opening alone is not enough.
    ///
    /// - Parameter log: The same log once more, from its start.
    /// - Returns: The refusal of a log that is no acceleration with gravity.
    /// - Throws: ``TraceError`` where it cannot be read.
    mutating func decide(by log: consuming LineSource) throws(TraceError) -> Refusal? {
        var reader = CSVReader(log, self)
        var blocks = MotionBlocks()
        let perG = 1 / Double(layout.unit.inG)
        while let batch = try reader.nextBatch(reusing: SampleBatch()) {
            for sample in batch {
                blocks.add(sample.time, SIMD3(Double(sample.x), Double(sample.y), Double(sample.z)) * perG)
            }
        }
        blocks.finish()
        return decide(by: blocks)
    }
}

extension CellRewriter: LineFilter {}

extension RowSelection: LineFilter {
    /// Finds the columns of the conditions in the opening of a source.
    ///
    /// - Throws: ``Refusal`` when the text is no table, or has no such column.
    init(_ source: borrowing LineSource, _ conditions: [RowCondition]) throws(Refusal) {
        try self.init(source.bytes.span, source.unread, isWhole: source.isAtEnd, conditions)
    }
}

extension RowReader {
    /// Reads the lines in the buffer of a source until the columns are full, and returns where it stopped.
    mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int {
        read(source.bytes.span, source.unread, isAtEnd: source.isAtEnd, into: &columns)
    }
}
