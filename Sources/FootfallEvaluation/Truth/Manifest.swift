internal import Footfall
public import Foundation

/// A table of recordings with known ground truth, read from a CSV file.
///
/// Each row has the columns `dataset` and `recording`; the recording is the file `<dataset>/<recording>.csv` beside the
/// manifest. The columns `subject`, `placement`, `activity`, `kind`, `sample_rate_hz` and `duration_s` are optional.
/// The ground truth is one of:
///
/// - `true_steps`: the number of steps.
/// - `<recording>.steps.csv` with the column `time`: the time of each step in seconds since 1970. Without `true_steps`,
///   their number is the truth.
/// - `<recording>.counts.csv` with the columns `time` and `steps`: the start of a second or minute, and its steps.
///   Their sum is the truth.
/// - `labels`: activities over time, from `<recording>.truth.json` of a simulation, from `<recording>.labels.csv` with
///   the columns `start`, `end` and `label`, or from the columns `time` and `label` of the recording itself.
///
/// A `kind` says what the wearer did where no label has a word for it, such as `hands:clap` or `sweep`. Recordings with
/// `step_free` yes, with `true_steps` 0, of a kind `hands:…` or of the kind `swim` have no step: see
/// ``Recording/isStepFree``.
public struct Manifest: Sendable {
    /// One row of a manifest.
    public struct Recording: Hashable, Sendable {
        /// The data set, which is also the folder of the recording.
        public let dataset: String
        /// The name of the file without its extension.
        public let name: String
        /// The person; empty if unknown.
        public let subject: String
        /// The place of the sensor on the body; empty if unknown.
        public let placement: String
        /// The activity of the whole recording; empty if unknown.
        public let activity: String
        /// What the wearer did, such as `hands:clap`; empty if the manifest does not say it.
        public let kind: String
        /// The nominal sample rate in Hz; nil if unknown.
        public let sampleRate: Double?
        /// The number of steps; nil for a recording with activity labels.
        public let trueSteps: Int?
        /// The length in seconds; nil if the manifest does not say it.
        public let duration: Double?
        /// The file of the recording.
        public let url: URL

        /// Whether no step is taken in it: the manifest says so, or hands or strokes are all that moves.
        public let isStepFree: Bool

        /// The data set and the name, `<dataset>/<name>`.
        public var id: String { "\(dataset)/\(name)" }

        /// Reads the ground truth from the files beside the recording.
        ///
        /// - Throws: ``EvaluationError`` when a file cannot be read, or when the recording has no labels.
        public func truth() throws(EvaluationError) -> RecordingTruth {
            let steps = try stepRecord()
            if let count = trueSteps ?? steps?.count {
                return .steps(count, times: steps?.times)
            }
            let (simulation, intervals) = (file("truth.json"), file("labels.csv"))
            if Self.exists(simulation) { return .activities(try ActivityLabels(simulation: simulation)) }
            if Self.exists(intervals) { return .activities(try ActivityLabels(intervals: intervals)) }
            return .activities(try ActivityLabels(recording: url))
        }

        /// Step times or added counts from the file beside the recording; nil without one.
        private func stepRecord() throws(EvaluationError) -> StepRecord? {
            let (times, counts) = (file("steps.csv"), file("counts.csv"))
            if Self.exists(times) {
                let table = try TruthTable(contentsOf: times)
                let column = table.column("time")
                return .times(table.compactMap { Double($0[column]) })
            }
            guard Self.exists(counts) else { return nil }
            let table = try TruthTable(contentsOf: counts)
            guard let time = table.column("time"), let steps = table.column("steps") else {
                throw EvaluationError(.malformed, counts, "no columns time and steps, for counts per second or minute")
            }
            return StepRecord(adding: table.compactMap { Double($0[time]) == nil ? nil : Double($0[steps]) })
        }

        private func file(_ suffix: String) -> URL {
            url.deletingPathExtension().appendingPathExtension(suffix)
        }

        private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
    }

    /// The recordings in the order of the rows.
    public let recordings: [Recording]

    /// Reads a manifest.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read, lacks a column or lists no recording.
    public init(contentsOf url: URL) throws(EvaluationError) {
        let table = try TruthTable(contentsOf: url)
        for column in ["dataset", "recording"] where table.column(column) == nil {
            throw Self.error(url, "no column “\(column)” in the first line")
        }
        let folder = url.deletingLastPathComponent()
        recordings = table.map { row in
            func text(_ column: String) -> String { row[table.column(column)] }
            let (dataset, name, kind) = (text("dataset"), text("recording"), text("kind"))
            let isStepFree = Self.isYes(text("step_free"))
            let trueSteps = Int(text("true_steps")) ?? (isStepFree && text("labels").isEmpty ? 0 : nil)
            return Recording(
                dataset: dataset, name: name, subject: text("subject"), placement: text("placement"),
                activity: text("activity"), kind: kind, sampleRate: Double(text("sample_rate_hz")),
                trueSteps: trueSteps,
                duration: Double(text("duration_s")),
                url: folder.appending(path: dataset).appending(path: name).appendingPathExtension("csv"),
                isStepFree: isStepFree || trueSteps == 0 || kind == "swim" || kind.hasPrefix("hands:"))
        }
        if recordings.isEmpty { throw Self.error(url, "no recordings in it") }
    }

    private static func isYes(_ text: String) -> Bool { ["yes", "true", "1"].contains(text.lowercased()) }

    static func error(_ url: URL, _ problem: String) -> EvaluationError {
        EvaluationError(
            .malformed, url,
            "\(problem). A manifest is a CSV with the columns dataset, recording and true_steps or labels.")
    }
}

/// The ground truth of one recording.
public enum RecordingTruth: Sendable {
    /// The number of steps and, if known, the time of each in seconds since 1970, in order.
    case steps(Int, times: [Double]? = nil)
    /// Activities over time.
    case activities(ActivityLabels)
}

/// The steps of a recording, as an observer or a program gives them.
public enum StepRecord: Hashable, Sendable {
    /// A number of steps.
    case count(Int)
    /// The time of each step in seconds since 1970, in order.
    case times([Double])

    /// The sum of the steps of seconds or minutes. What is not finite does not count.
    init(adding steps: [Double]) {
        let sum = steps.reduce(0) { $1.isFinite ? $0 + $1 : $0 }
        self = .count(Int(exactly: sum.rounded()) ?? 0)
    }

    /// The number of steps.
    public var count: Int {
        switch self {
        case .count(let count): count
        case .times(let times): times.count
        }
    }

    /// The time of each step in seconds since 1970; nil if only their number is known.
    public var times: [Double]? { if case .times(let times) = self { times } else { nil } }
}
