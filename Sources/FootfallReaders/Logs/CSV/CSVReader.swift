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
