internal import Footfall

/// Reads the rows of a table as samples, batch by batch.
struct CSVReader: TraceReader, ~Copyable {
    let layout: TraceLayout
    let notes: [ParameterText]
    private var source: LineSource
    private var rows: RowReader
    /// The path for the error of a unit that changes; nil to read any values.
    private let path: String?
    private var isFinished = false

    /// Creates a reader of a source whose layout is known.
    init(_ source: consuming LineSource, _ sniffer: CSVSniffer, checking path: String? = nil) {
        self.path = path
        source.advance(to: sniffer.firstRowOffset)
        layout = TraceLayout(
            format: .csv, isCompressed: source.isCompressed, member: source.member, content: .table(sniffer.layout))
        notes = sniffer.notes
        rows = RowReader(sniffer)
        self.source = source
    }

    var progress: Double { source.progress }
    var warnings: [TraceWarning] {
        var tally = rows.tally
        if isFinished, let finding = source.finding { tally.note(finding, nil) }
        return tally.warnings
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
    }
}

extension CSVSniffer {
    /// Detects the layout from the opening of a source. Throws ``Refusal`` when the file is not a sensor log, or has no
    /// acceleration with gravity.
    init(_ source: borrowing LineSource, _ options: TraceOptions) throws(Refusal) {
        if let finding = source.finding, source.unread.isEmpty {
            throw Refusal("\(TraceWarning(kind: finding, count: 1))")
        }
        var options = options
        options.cellUnit = source.cellUnit
        try self.init(
            source.bytes.span, source.unread, isWhole: source.isAtEnd, isFinal: source.isAtEnd || !source.isReadable,
            options)
    }

    /// Decides by the whole log, once more from its start, where its opening alone is not enough. Returns the refusal
    /// of a log that is no acceleration with gravity, and throws ``TraceError`` where it cannot be read.
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

extension RowReader {
    /// Reads the lines in the buffer of a source until the columns are full, and returns where it stopped.
    // A reader that owns both cannot pass the parts of the source itself: the accesses would overlap.
    fileprivate mutating func read(_ source: borrowing LineSource, into columns: inout SampleColumns) -> Int {
        read(source.bytes.span, source.unread, isAtEnd: source.isAtEnd, into: &columns)
    }
}

/// Adds acceleration without gravity to gravity from a second table of an export, as Sensor Logger exports them from an
/// iPhone. A sensor measures the sum of both.
struct GravityApartReader: TraceReader, ~Copyable {
    private var motion: CSVReader
    private var gravity: CSVReader
    /// The batch of gravity read last, and the index of its next row.
    private var rows = SampleBatch()
    private var next = 0
    private var current: AccelerationSample?
    /// Samples without gravity.
    private var unmatched = 0

    /// The greatest age of gravity, in seconds. Complete tables have the same times.
    private static let longestWait = 0.5

    /// Takes over the sources. Throws ``TraceError`` when one of them is not a table.
    init(
        _ motion: consuming LineSource, gravity: consuming LineSource, _ options: TraceOptions, _ path: String
    ) throws(TraceError) {
        let (motionTable, gravityTable) = try GravityApartReader.tables(motion, gravity, options, path)
        self.motion = CSVReader(motion, motionTable)
        self.gravity = CSVReader(gravity, gravityTable)
    }

    private static func tables(
        _ motion: borrowing LineSource, _ gravity: borrowing LineSource, _ options: TraceOptions, _ path: String
    ) throws(TraceError) -> (motion: CSVSniffer, gravity: CSVSniffer) {
        var options = options
        options.isGravityApart = true
        do throws(Refusal) {
            let gravity = try CSVSniffer(gravity, options)
            options.unit = gravity.layout.unit
            return (try CSVSniffer(motion, options), gravity)
        } catch {
            throw error.error(in: path)
        }
    }

    /// Whether the acceleration lacks gravity: its mean has no part along the mean of gravity. Throws ``TraceError``
    /// when one of the sources is not a table.
    static func isNeeded(
        _ motion: borrowing LineSource, gravity: borrowing LineSource, _ options: TraceOptions, _ path: String
    ) throws(TraceError) -> Bool {
        let tables = try tables(motion, gravity, options, path)
        let (mean, gravity) = (tables.motion.mean, tables.gravity.mean)
        return (mean * gravity).sum() < 0.5 * (gravity * gravity).sum()
    }

    var layout: TraceLayout { motion.layout }
    var notes: [ParameterText] { motion.notes + ["gravity was added from the table beside it"] }
    var progress: Double { motion.progress }
    var warnings: [TraceWarning] {
        let alone = TraceWarning(kind: .gravityMissing, count: unmatched)
        return motion.warnings + (unmatched > 0 ? [alone] : [])
    }

    mutating func nextBatch(reusing spare: consuming SampleBatch) throws(TraceError) -> SampleBatch? {
        while let batch = try motion.nextBatch(reusing: SampleBatch()) {
            var sums = SampleBatch(capacity: batch.count)
            for sample in batch {
                try findGravity(of: sample.time)
                guard let current, sample.time.seconds(since: current.time) <= Self.longestWait else {
                    unmatched += 1
                    continue
                }
                sums.append(
                    time: sample.time, x: sample.x + current.x, y: sample.y + current.y, z: sample.z + current.z)
            }
            if !sums.isEmpty { return sums }
        }
        return nil
    }

    private mutating func findGravity(of time: Timestamp) throws(TraceError) {
        while true {
            if next == rows.count {
                guard let more = try gravity.nextBatch(reusing: SampleBatch()) else { return }
                (rows, next) = (more, 0)
            }
            let row = rows[next]
            guard row.time <= time else { return }
            current = row
            next += 1
        }
    }
}
