internal import Footfall

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

    /// Takes over sources whose openings are loaded.
    ///
    /// - Throws: ``Refusal`` when one of them is not a table.
    init(
        _ motion: consuming LineSource, gravity: consuming LineSource, _ options: TraceOptions
    ) throws(Refusal) {
        let (motionTable, gravityTable) = try GravityApartReader.tables(motion, gravity, options)
        self.motion = CSVReader(motion, motionTable)
        self.gravity = CSVReader(gravity, gravityTable)
    }

    private static func tables(
        _ motion: borrowing LineSource, _ gravity: borrowing LineSource, _ options: TraceOptions
    ) throws(Refusal) -> (motion: CSVSniffer, gravity: CSVSniffer) {
        var options = options
        options.isGravityApart = true
        let gravity = try CSVSniffer(gravity, options)
        options.unit = gravity.layout.unit
        return (try CSVSniffer(motion, options), gravity)
    }

    /// Whether the acceleration lacks gravity: its mean has no part along the mean of gravity.
    ///
    /// - Throws: ``Refusal`` when one of the sources is not a table.
    static func isNeeded(
        _ motion: borrowing LineSource, gravity: borrowing LineSource, _ options: TraceOptions
    ) throws(Refusal) -> Bool {
        let tables = try tables(motion, gravity, options)
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

    /// Advances to the last gravity at or before `time`.
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
