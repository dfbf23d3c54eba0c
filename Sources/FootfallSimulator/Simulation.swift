public import Footfall

/// The samples of a sensor during a scenario as a sequence of batches, with the ground truth.
///
/// ```swift
/// let simulation = try Simulation(.commute, seed: 42, sensor: SensorModel(sampleRate: 50))
/// for batch in simulation { handle(analyzer.analyze(batch)) }
/// print(simulation.truth.steps.count)
/// ```
///
/// The same scenario, seed and sensor give the same samples bit for bit, on any machine and with any size of batches.
/// Samples are computed on demand: a week takes no more memory than a minute.
public struct Simulation: Sequence, Sendable {
    /// The scenario.
    public let scenario: Scenario
    /// The seed of all random numbers.
    public let seed: UInt64
    /// The sensor.
    public let sensor: SensorModel
    /// The number of samples per batch; the last one may have fewer.
    public let samplesPerBatch: Int

    /// Creates a simulation.
    ///
    /// - Throws: ``SimulationError`` for a property of the scenario or the sensor that is out of range.
    public init(_ scenario: Scenario, seed: UInt64, sensor: SensorModel = SensorModel(), samplesPerBatch: Int = 4096)
        throws(SimulationError)
    {
        try sensor.validate()
        try scenario.validate()
        self.scenario = scenario
        self.seed = seed
        self.sensor = sensor
        self.samplesPerBatch = Swift.max(1, samplesPerBatch)
    }

    /// The exact steps, segments and gaps.
    ///
    /// - Complexity: Linear in the number of steps; computed at each call.
    public var truth: GroundTruth { GroundTruth(scenario, seed: seed, sensor: sensor) }

    /// Returns an iterator at the first sample.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Computes the batches of a simulation one after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        private let samplesPerBatch: Int
        private let start: Timestamp
        private var clock: SamplingClock
        private var motion: ScenarioMotion
        private var sensor: Sensor
        private var pending: Double?
        private var times: [Double] = []
        private var motions: [BodyMotion]

        /// Samples per call of a motion model: enough to amortize the call, few enough for the cache.
        private static let runLength = 256

        init(_ simulation: Simulation) {
            samplesPerBatch = simulation.samplesPerBatch
            start = simulation.sensor.start
            clock = SamplingClock(
                sensor: simulation.sensor, duration: simulation.scenario.duration, seed: simulation.seed)
            motion = ScenarioMotion(simulation)
            sensor = Sensor(model: simulation.sensor, seed: simulation.seed)
            motions = Array(repeating: BodyMotion(), count: Iterator.runLength)
            times.reserveCapacity(Iterator.runLength)
            pending = clock.next()
        }

        /// Returns the next batch; nil after the last one.
        public mutating func next() -> SampleBatch? {
            var batch = SampleBatch(capacity: samplesPerBatch)
            return next(into: &batch) ? batch : nil
        }

        /// Replaces the contents of `batch` with the next batch and reuses its memory. Returns false after the last
        /// batch.
        public mutating func next(into batch: inout SampleBatch) -> Bool {
            batch.removeAll()
            while batch.count < samplesPerBatch, let time = pending {
                motion.enterScene(at: time)
                collectTimes(room: Swift.min(Iterator.runLength, samplesPerBatch - batch.count))
                motion.fill(&motions, at: times)
                for index in times.indices {
                    let posture = motion.posture(at: times[index])
                    let offset = motion.sceneStart + times[index]
                    let reading = sensor.reading(motions[index], posture: posture, at: offset)
                    batch.append(time: start.advanced(bySeconds: offset), x: reading.x, y: reading.y, z: reading.z)
                }
            }
            return !batch.isEmpty
        }

        /// Collects at most `room` sample times of the current scene, in seconds since its start.
        private mutating func collectTimes(room: Int) {
            times.removeAll(keepingCapacity: true)
            while times.count < room, let time = pending, time < motion.sceneEnd {
                times.append(time - motion.sceneStart)
                pending = clock.next()
            }
        }
    }
}
