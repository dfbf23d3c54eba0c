public import Footfall
public import Foundation

/// The exact steps, segments and gaps of a simulation.
public struct GroundTruth: Hashable, Sendable {
    /// All steps in order, including those during gaps.
    public var steps: [Step] = []
    /// The activities from start to end, without gaps. Adjacent segments differ in their flags.
    ///
    /// The flags of a halted car are `[.automotive, .stationary]`. Probabilities are 1.
    public var segments: [Segment] = []
    /// The spans without samples. A sample may lie at the end of a span, but not at its start.
    public var gaps: [Range<Timestamp>] = []

    /// Creates an empty truth.
    public init() {}
}

extension GroundTruth {
    /// Computes the truth of a scenario without its samples.
    init(_ scenario: Scenario, seed: UInt64, sensor: SensorModel) {
        self.init()
        var sceneStart = 0.0
        for (index, scene) in scenario.scenes.enumerated() {
            let plan = SplitMix64(seed: seed, .plan, index: index)
            for part in scene.parts(plan: plan) {
                append(part, sceneStart: sceneStart, start: sensor.start)
            }
            sceneStart += scene.duration
        }
        for gap in sensor.gaps(within: scenario.duration) {
            gaps.append(
                sensor.start.advanced(bySeconds: gap.lowerBound)..<sensor.start.advanced(bySeconds: gap.upperBound))
        }
    }

    private mutating func append(_ part: Scene.Part, sceneStart: Double, start: Timestamp) {
        var lower = segments.last?.range.upperBound ?? start
        let upper = max(lower, start.advanced(bySeconds: sceneStart + part.end))
        guard lower < upper else { return }
        for contact in part.contacts {
            steps.append(Step(time: start.advanced(bySeconds: sceneStart + contact)))
        }
        var count = part.contacts.count
        if let last = segments.last, last.flags == part.flags {
            segments.removeLast()
            lower = last.range.lowerBound
            count += last.steps
        }
        segments.append(Segment(range: lower..<upper, flags: part.flags, probability: 1, steps: count))
    }
}

extension Scene {
    /// A part of a scene with constant flags. Times are in seconds since the start of the scene.
    struct Part {
        var end: Double
        var flags: ActivityFlags
        var contacts: [Double] = []
    }

    /// The parts of the scene in order. `plan` is the random stream that its motion model uses.
    func parts(plan: SplitMix64) -> [Part] {
        switch doing {
        case .walking(let gait), .running(let gait):
            let contacts = GaitTimeline(gait: gait, duration: duration, random: plan).map(\.time)
            return [Part(end: duration, flags: doing.flags, contacts: contacts)]
        case .driving(let ride):
            return SpeedProfile(ride: ride, duration: duration, random: plan).map { leg in
                let flags: ActivityFlags = leg.isHalt ? [.automotive, .stationary] : .automotive
                return Part(end: min(leg.end, duration), flags: flags)
            }
        case .deviceAtRest, .sleeping, .standing, .sitting, .deskWork, .handling:
            return [Part(end: duration, flags: doing.flags)]
        }
    }
}

/// The contents of a `.truth.json`: the ground truth of a simulated trace.
///
/// Offsets and step times are in seconds from the start of the trace. Step times have four decimals, other times nine.
public struct TruthDocument: Encodable, Hashable, Sendable {
    /// A span with one activity.
    public struct Segment: Encodable, Hashable, Sendable {
        /// The start, in seconds from the start of the trace.
        public var offset: Double
        /// The duration in seconds.
        public var duration: Double
        /// The main activity.
        public var activity: Activity
        /// All activities at once, such as `["automotive", "stationary"]` at a red light; may be empty.
        public var flags: [Activity]
        /// The number of steps.
        public var steps: Int
    }

    /// A span without samples.
    public struct Gap: Encodable, Hashable, Sendable {
        /// The start, in seconds from the start of the trace.
        public var offset: Double
        /// The duration in seconds.
        public var duration: Double
    }

    /// The name of the scenario.
    public var scenario: String
    /// The seed of the simulation.
    public var seed: UInt64
    /// The placement of the sensor.
    public var placement: Placement
    /// The nominal sample rate in Hz.
    public var sampleRate: Double
    /// The start of the trace as ISO 8601 in UTC, such as `2026-11-20T08:00:00.000Z`.
    public var start: String
    /// The duration of the scenario in seconds.
    public var duration: Double
    /// The number of steps, including those during gaps.
    public var steps: Int
    /// The time of each initial contact, in seconds from the start of the trace.
    public var stepTimes: [Double]
    /// The activities, without gaps between them.
    public var segments: [Segment]
    /// The spans without samples.
    public var gaps: [Gap]

    /// Creates the document of a simulation.
    public init(_ simulation: Simulation) {
        let truth = simulation.truth
        let start = simulation.sensor.start
        scenario = simulation.scenario.name
        seed = simulation.seed
        placement = simulation.scenario.placement
        sampleRate = simulation.sensor.sampleRate
        self.start = start.description
        duration = simulation.scenario.duration
        steps = truth.steps.count
        stepTimes = truth.steps.map { ($0.time.seconds(since: start) * 1e4).rounded() / 1e4 }
        segments = truth.segments.map {
            Segment(
                offset: $0.range.lowerBound.seconds(since: start).tidy, duration: $0.range.seconds.tidy,
                activity: $0.activity, flags: $0.flags.activities, steps: $0.steps)
        }
        gaps = truth.gaps.map {
            Gap(offset: $0.lowerBound.seconds(since: start).tidy, duration: $0.seconds.tidy)
        }
    }

    /// The document as readable JSON: one segment per line, ten step times per line, a newline at the end.
    ///
    /// - Throws: `EncodingError` for a number that is not finite.
    public func json() throws -> Data {
        let timeLines = stride(from: 0, to: stepTimes.count, by: 10).map { first in
            stepTimes[first..<min(first + 10, stepTimes.count)].map(\.description).joined(separator: ", ")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func line(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        let members = [
            ("scenario", try line(scenario)), ("seed", try line(seed)), ("placement", try line(placement)),
            ("sampleRate", try line(sampleRate)), ("start", try line(start)), ("duration", try line(duration)),
            ("steps", try line(steps)), ("segments", TruthDocument.list(try segments.map(line))),
            ("gaps", TruthDocument.list(try gaps.map(line))), ("stepTimes", TruthDocument.list(timeLines)),
        ]
        let text = members.map { "\"\($0)\": \($1)" }.joined(separator: ",\n  ")
        return Data("{\n  \(text)\n}\n".utf8)
    }

    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "[]" : "[\n    \(items.joined(separator: ",\n    "))\n  ]"
    }
}

extension Double {
    /// The number rounded to nine decimals: arithmetic leaves smaller errors.
    fileprivate var tidy: Double { (self * 1e9).rounded() / 1e9 }
}
