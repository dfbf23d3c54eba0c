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
    typealias Part = (end: Double, flags: ActivityFlags, contacts: [Double])

    /// The parts of the scene in order. `plan` is the random stream that its motion model uses.
    func parts(plan: SplitMix64) -> [Part] {
        switch doing {
        case .walking(let gait), .running(let gait):
            let contacts = GaitTimeline(gait: gait, duration: duration, random: plan).map(\.time)
            return [(duration, doing.flags, contacts)]
        case .driving(let ride):
            return SpeedProfile(ride: ride, duration: duration, random: plan).map { leg in
                (min(leg.end, duration), leg.isHalt ? [.automotive, .stationary] : .automotive, [])
            }
        case .deviceAtRest, .sleeping, .standing, .sitting, .deskWork, .handling:
            return [(duration, doing.flags, [])]
        }
    }
}

extension Simulation {
    /// The contents of a `.truth.json` as readable JSON: one segment per line, ten step times per line.
    ///
    /// Offsets and step times are in seconds from the start of the trace. Step times have four decimals, other times
    /// nine. `flags` are all activities at once, such as `["automotive", "stationary"]` at a red light.
    ///
    /// - Throws: `EncodingError` for a number that is not finite.
    public func truthDocument() throws -> Data {
        let (truth, start) = (self.truth, sensor.start)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func line(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        func list(_ items: [String]) -> String {
            items.isEmpty ? "[]" : "[\n    \(items.joined(separator: ",\n    "))\n  ]"
        }
        let segments = truth.segments.map {
            TruthSpan(
                offset: $0.range.lowerBound.seconds(since: start).tidy, duration: $0.range.seconds.tidy,
                activity: $0.activity, flags: $0.flags.activities, steps: $0.steps)
        }
        let gaps = truth.gaps.map {
            TruthSpan(offset: $0.lowerBound.seconds(since: start).tidy, duration: $0.seconds.tidy)
        }
        let stepTimes = truth.steps.map { (($0.time.seconds(since: start) * 1e4).rounded() / 1e4).description }
        let timeLines = stride(from: 0, to: stepTimes.count, by: 10).map { first in
            stepTimes[first..<Swift.min(first + 10, stepTimes.count)].joined(separator: ", ")
        }
        let members = [
            ("scenario", try line(scenario.name)), ("seed", try line(seed)),
            ("placement", try line(scenario.placement)), ("sampleRate", try line(sensor.sampleRate)),
            ("start", try line(start.description)), ("duration", try line(scenario.duration)),
            ("steps", try line(truth.steps.count)), ("segments", list(try segments.map(line))),
            ("gaps", list(try gaps.map(line))), ("stepTimes", list(timeLines)),
        ]
        let text = members.map { "\"\($0)\": \($1)" }.joined(separator: ",\n  ")
        return Data("{\n  \(text)\n}\n".utf8)
    }
}

/// A segment, or a gap without an activity.
private struct TruthSpan: Encodable {
    var offset: Double
    var duration: Double
    var activity: Activity?
    var flags: [Activity]?
    var steps: Int?
}

extension Double {
    /// The number rounded to nine decimals: arithmetic leaves smaller errors.
    fileprivate var tidy: Double { (self * 1e9).rounded() / 1e9 }
}
