internal import Footfall

/// Reads acceleration that gravity has been taken out of, and gravity from the table beside it, as Sensor Logger exports them
/// from an iPhone. A sensor measures the sum of both.
struct GravityApartReader: TraceReader, ~Copyable {
    private var motion: CSVReader
    private var gravity: CSVReader
    /// The gravity that was read last, and how much of it lies behind.
    private var rows = SampleBatch()
    private var next = 0
    private var current: AccelerationSample?
    /// Samples that have no gravity beside them.
    private var lonely = 0

    /// How old gravity may be, in seconds. Both tables have a row for each moment, as long as none is missing.
    private static let longestWait = 0.5

    /// Takes over sources whose openings have been taken in.
    ///
    /// - Throws: ``Refusal`` when either is no table.
    init(
        _ motion: consuming LineSource, gravity: consuming LineSource, _ options: TraceOptions
    ) throws(Refusal) {
        let sniffer = try CSVSniffer(gravity, options)
        var options = options
        options.unit = sniffer.layout.unit
        options.isGravityApart = true
        self.motion = try CSVReader(motion, CSVSniffer(motion, options))
        self.gravity = CSVReader(gravity, sniffer)
    }

    var layout: TraceLayout { motion.layout }
    var notes: [String] { motion.notes + ["gravity was added from the table beside it"] }
    var progress: Double { motion.progress }
    var warnings: [TraceWarning] {
        let alone = TraceWarning(kind: .gravityMissing, count: lonely)
        return motion.warnings + (lonely > 0 ? [alone] : [])
    }

    mutating func nextBatch() throws(TraceError) -> SampleBatch? {
        while let batch = try motion.nextBatch() {
            var sums = SampleBatch(capacity: batch.count)
            for sample in batch {
                try findGravity(of: sample.time)
                guard let current, sample.time.seconds(since: current.time) <= Self.longestWait else {
                    lonely += 1
                    continue
                }
                sums.append(
                    time: sample.time, x: sample.x + current.x, y: sample.y + current.y, z: sample.z + current.z)
            }
            if !sums.isEmpty { return sums }
        }
        return nil
    }

    /// Goes to the last gravity that was measured by then.
    private mutating func findGravity(of time: Timestamp) throws(TraceError) {
        while true {
            if next == rows.count {
                guard let more = try gravity.nextBatch() else { return }
                (rows, next) = (more, 0)
            }
            let row = rows[next]
            guard row.time <= time else { return }
            current = row
            next += 1
        }
    }
}
