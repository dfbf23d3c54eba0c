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
        (self.scenario, self.seed, self.sensor) = (scenario, seed, sensor)
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
            return batch.isEmpty ? nil : batch
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

/// The motion of a scenario: runs the motion models of its scenes, one after the other.
struct ScenarioMotion: Sendable {
    private let scenario: Scenario
    private let seed: UInt64
    private let sampleRate: Double
    private var nextScene = 0
    private var model: any MotionModel = StillMotion()
    private var previousPosture: SIMD2<Float>
    private var currentPosture: SIMD2<Float>
    /// The start of the current scene, in seconds since the start of the trace.
    private(set) var sceneStart = 0.0
    /// The end of the current scene. It is summed as ``Scenario/duration`` is, so that no sample lies after the last
    /// scene.
    private(set) var sceneEnd = 0.0

    /// The time to change to the posture of a new scene, in seconds.
    private static let settling: Float = 1.2
    /// The time at both ends of a scene in which its motion fades, in seconds.
    private static let fading: Float = 0.4

    init(_ simulation: Simulation) {
        scenario = simulation.scenario
        seed = simulation.seed
        sampleRate = simulation.sensor.sampleRate
        currentPosture = scenario.placement.posture(during: scenario.scenes.first?.doing ?? .deviceAtRest)
        previousPosture = currentPosture
    }

    /// Changes to the scene at `time`, in seconds since the start of the trace.
    mutating func enterScene(at time: Double) {
        while time >= sceneEnd, nextScene < scenario.scenes.count {
            let scene = scenario.scenes[nextScene]
            model = motionModel(of: scene, index: nextScene)
            previousPosture = currentPosture
            currentPosture = scenario.placement.posture(during: scene.doing)
            sceneStart = sceneEnd
            sceneEnd = sceneStart + scene.duration
            nextScene += 1
        }
    }

    /// Computes the motions at `times`, in seconds since the start of the scene.
    mutating func fill(_ motions: inout [BodyMotion], at times: [Double]) {
        model.fill(&motions, at: times)
        guard let first = times.first, let last = times.last else { return }
        let length = Float(sceneEnd - sceneStart)
        guard Float(first) < Self.fading || length - Float(last) < Self.fading else { return }
        for index in times.indices {
            let edge = min(Float(times[index]), length - Float(times[index]))
            let share = smoothStep(edge / Self.fading)
            motions[index].acceleration *= share
            motions[index].tilt *= share
        }
    }

    /// The pitch and roll of the posture in turns at `time`, in seconds since the start of the scene.
    @inline(__always)
    func posture(at time: Double) -> SIMD2<Float> {
        let share = Float(time) / Self.settling
        guard share < 1 else { return currentPosture }
        return previousPosture + smoothStep(share) * (currentPosture - previousPosture)
    }

    private func motionModel(of scene: Scene, index: Int) -> any MotionModel {
        let placement = scenario.placement
        let isWrist = placement == .wrist
        var random = SplitMix64(seed: seed, .motion, index: index)
        let plan = SplitMix64(seed: seed, .plan, index: index)
        switch scene.doing {
        case .deviceAtRest: return StillMotion()
        case .sleeping: return RestMotion(.sleeping, random: &random)
        case .standing: return RestMotion(.standing(isWrist: isWrist), random: &random)
        case .sitting: return RestMotion(.sitting(isWrist: isWrist), random: &random)
        case .deskWork: return RestMotion(.deskWork(isWrist: isWrist), random: &random)
        case .handling: return HandlingMotion(random: &random)
        case .walking(let gait), .running(let gait):
            let template = StrideTemplate(
                gait, isRun: scene.doing.flags == .running, placement: placement, seed: seed, sampleRate: sampleRate)
            let timeline = GaitTimeline(gait: gait, duration: scene.duration, random: plan)
            return GaitMotion(timeline: timeline, template: template, gait: gait, random: &random)
        case .driving(let ride):
            let profile = SpeedProfile(ride: ride, duration: scene.duration, random: plan)
            return RideMotion(profile: profile, placement: placement, sampleRate: sampleRate, random: &random)
        }
    }
}

/// An error of a scenario or a sensor that cannot be simulated.
public enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A property is out of range.
    case outOfRange(name: String, value: Double, possible: String)
    /// No scenario has this name.
    case unknownScenario(name: String, known: [String])

    /// The problem and the possible values.
    public var description: String {
        switch self {
        case .outOfRange(let name, let value, let possible): "\(name) is \(value); it must be \(possible)"
        case .unknownScenario(let name, let known):
            "unknown scenario '\(name)'; write one of \(known.joined(separator: ", "))"
        }
    }
}

extension SensorModel {
    func validate() throws(SimulationError) {
        let rates = SensorModel.sampleRates
        try check("sampleRate", sampleRate, rates.contains(sampleRate), "from 12.5 to 800 Hz")
        try check("jitter", jitter, (0..<1).contains(jitter), "from 0 to below 1 s")
        try check("noise", Double(noise), (0...100).contains(noise), "from 0 to 100 g")
        let isStartPossible = Timestamp.supported.contains(start)
        try check("start", Double(start.nanosecondsSince1970) * 1e-9, isStartPossible, "from 1900 to 2149")
    }
}

extension Scenario {
    func validate() throws(SimulationError) {
        for scene in scenes {
            let year = 366.0 * 86400
            try check("a scene's duration", scene.duration, (0...year).contains(scene.duration), "0 s to a year")
            switch scene.doing {
            case .walking(let gait), .running(let gait): try gait.validate()
            case .driving(let ride): try ride.validate()
            default: break
            }
        }
    }
}

extension Gait {
    /// Without these bounds, the contacts of a scene might never end.
    fileprivate func validate() throws(SimulationError) {
        let isPossible = cadence > 0 && cadence <= 600
        try check("a gait's cadence", cadence, isPossible, "more than 0 and at most 600 steps per minute")
        try check("a gait's asymmetry", asymmetry, (-0.5...0.5).contains(asymmetry), "from -0.5 to 0.5 of a step")
    }
}

extension Ride {
    /// Without these bounds, the legs of a ride might never end.
    fileprivate func validate() throws(SimulationError) {
        let (fastest, longest) = (100.0, 86400.0)
        try check("a ride's speed", speeds, in: 0...fastest, "from 0 to 100 m/s")
        try check("a ride's cruise", cruises, in: 0...longest, "from 0 s to a day")
        try check("a ride's halt", halts, in: 0...longest, "from 0 s to a day")
        try check("a ride's share of halts", haltShare, (0...1).contains(haltShare), "from 0 to 1")
    }
}

private func check(
    _ name: String, _ range: ClosedRange<Double>, in possible: ClosedRange<Double>, _ words: String
) throws(SimulationError) {
    for bound in [range.lowerBound, range.upperBound] { try check(name, bound, possible.contains(bound), words) }
}

private func check(
    _ name: String, _ value: Double, _ isPossible: Bool, _ possible: String
) throws(SimulationError) {
    guard isPossible else { throw .outOfRange(name: name, value: value, possible: possible) }
}
