internal import Footfall

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
