public import Footfall
public import Foundation

/// The ground truth of a simulated trace, as it stands in the `.truth.json` beside it.
///
/// Offsets and step times are in seconds from the trace's start. Step times keep four decimals, a tenth of a
/// millisecond; everything else that is a time keeps nine.
public struct TruthDocument: Codable, Hashable, Sendable {
    /// A stretch with one activity.
    public struct Segment: Codable, Hashable, Sendable {
        /// Where it begins, in seconds from the trace's start.
        public var offset: Double
        /// How long it lasts, in seconds.
        public var duration: Double
        /// The activity in one word.
        public var activity: Activity
        /// Everything that holds, such as `["automotive", "stationary"]` at a red light; may be empty.
        public var flags: [Activity]
        /// The number of steps in it.
        public var steps: Int
    }

    /// A span without samples.
    public struct Gap: Codable, Hashable, Sendable {
        /// Where it begins, in seconds from the trace's start.
        public var offset: Double
        /// How long it lasts, in seconds.
        public var duration: Double
    }

    /// The scenario's name.
    public var scenario: String
    /// The seed of the simulation.
    public var seed: UInt64
    /// Where the device was worn.
    public var placement: Placement
    /// The nominal rate in samples per second.
    public var sampleRate: Double
    /// The trace's start as ISO 8601 in UTC, such as `2026-11-20T08:00:00.000Z`.
    public var start: String
    /// The length of the scenario in seconds.
    public var duration: Double
    /// The number of steps, those during gaps included.
    public var steps: Int
    /// When each foot struck, in seconds from the trace's start.
    public var stepTimes: [Double]
    /// What the wearer did, without a break.
    public var segments: [Segment]
    /// The spans without samples.
    public var gaps: [Gap]

    /// Describes the truth about a simulation.
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

    /// Reads a document.
    ///
    /// - Throws: What Foundation finds wrong with the JSON.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(TruthDocument.self, from: json)
    }

    /// The document as JSON, laid out to be read: a segment per line, ten step times per line, a newline at the end.
    ///
    /// - Throws: Never in practice; what Foundation's encoder throws.
    public func json() throws -> Data {
        let timeLines = stride(from: 0, to: stepTimes.count, by: 10).map { first in
            stepTimes[first..<min(first + 10, stepTimes.count)].map(\.description).joined(separator: ", ")
        }
        let members = [
            "\"scenario\": \(try TruthDocument.compact(scenario))",
            "\"seed\": \(seed)",
            "\"placement\": \(try TruthDocument.compact(placement))",
            "\"sampleRate\": \(try TruthDocument.compact(sampleRate))",
            "\"start\": \(try TruthDocument.compact(start))",
            "\"duration\": \(try TruthDocument.compact(duration))",
            "\"steps\": \(steps)",
            "\"segments\": \(TruthDocument.list(try segments.map(TruthDocument.compact)))",
            "\"gaps\": \(TruthDocument.list(try gaps.map(TruthDocument.compact)))",
            "\"stepTimes\": \(TruthDocument.list(timeLines))",
        ]
        return Data("{\n  \(members.joined(separator: ",\n  "))\n}\n".utf8)
    }

    /// A value in one line of JSON.
    private static func compact(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// A list with one line per item.
    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "[]" : "[\n    \(items.joined(separator: ",\n    "))\n  ]"
    }
}

extension Double {
    /// Without the dust that arithmetic leaves below a nanosecond.
    fileprivate var tidy: Double { (self * 1e9).rounded() / 1e9 }
}
