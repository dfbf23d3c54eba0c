public import Footfall

/// A scenario as a sensor records it: a sequence of batches, and the truth about it.
///
/// ```swift
/// let simulation = try Simulation(.commute, seed: 42, sensor: SensorModel(sampleRate: 50))
/// for batch in simulation { handle(analyzer.analyze(batch)) }
/// print(simulation.truth.steps.count)
/// ```
///
/// The same scenario, seed and sensor give the same samples bit for bit, on any machine, however the batches are cut.
/// Samples are made as they are asked for: a week takes no more memory than a minute.
public struct Simulation: Sequence, Sendable {
    /// What the wearer does.
    public let scenario: Scenario
    /// What everything random follows from.
    public let seed: UInt64
    /// The sensor that records it.
    public let sensor: SensorModel
    /// The number of samples per batch; the last one may have fewer.
    public let samplesPerBatch: Int

    /// Creates a simulation.
    ///
    /// - Throws: ``SimulationError`` when a number of the scenario or the sensor cannot be simulated.
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

    /// The exact steps, segments and gaps; computed at each call, about as long as it takes to walk through the steps.
    public var truth: GroundTruth { GroundTruth(scenario, seed: seed, sensor: sensor) }

    /// Starts at the first sample.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Makes the batches of a simulation, one after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        private let samplesPerBatch: Int
        private let start: Timestamp
        private var clock: SamplingClock
        private var stage: Stage
        private var sensor: Sensor
        private var pending: Double?
        private var times: [Double] = []
        private var motions: [BodyMotion]

        /// How many samples are worked on at once: enough to spread the cost of a call, few enough to stay in cache.
        private static let runLength = 256

        init(_ simulation: Simulation) {
            samplesPerBatch = simulation.samplesPerBatch
            start = simulation.sensor.start
            clock = SamplingClock(
                sensor: simulation.sensor, duration: simulation.scenario.duration, seed: simulation.seed)
            stage = Stage(simulation)
            sensor = Sensor(model: simulation.sensor, seed: simulation.seed)
            motions = Array(repeating: BodyMotion(), count: Iterator.runLength)
            times.reserveCapacity(Iterator.runLength)
            pending = clock.next()
        }

        /// The next batch, or nil after the last one.
        public mutating func next() -> SampleBatch? {
            var batch = SampleBatch(capacity: samplesPerBatch)
            return next(into: &batch) ? batch : nil
        }

        /// Replaces the contents of `batch` by the next batch, reusing its memory; false after the last one.
        public mutating func next(into batch: inout SampleBatch) -> Bool {
            batch.removeAll()
            while batch.count < samplesPerBatch, let time = pending {
                stage.enterScene(at: time)
                collectTimes(room: Swift.min(Iterator.runLength, samplesPerBatch - batch.count))
                stage.fill(&motions, at: times)
                for index in times.indices {
                    let posture = stage.posture(at: times[index])
                    let offset = stage.sceneStart + times[index]
                    let reading = sensor.reading(motions[index], posture: posture, at: offset)
                    batch.append(time: start.advanced(bySeconds: offset), x: reading.x, y: reading.y, z: reading.z)
                }
            }
            return !batch.isEmpty
        }

        /// Collects up to `room` sample times of the current scene, in seconds since its start.
        private mutating func collectTimes(room: Int) {
            times.removeAll(keepingCapacity: true)
            while times.count < room, let time = pending, time < stage.sceneEnd {
                times.append(time - stage.sceneStart)
                pending = clock.next()
            }
        }
    }
}
