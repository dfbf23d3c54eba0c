public import Foundation

/// A table of recordings with known ground truth, read from a CSV file.
///
/// Each row has the columns `dataset` and `recording`; the recording is the file `<dataset>/<recording>.csv` beside the
/// manifest. The columns `subject`, `placement`, `activity`, `kind` and `sample_rate_hz` are optional. The ground truth is one
/// of:
///
/// - `true_steps`: the number of steps. `<recording>.steps.csv`, if it exists, has the column `time`: the time of each
///   step in seconds since 1970.
/// - `labels`: activities over time, from `<recording>.truth.json` of a simulation or, if that does not exist, from the
///   columns `time` and `label` of the recording.
///
/// A `kind` says what the wearer did where no label has a word for it, such as `hands:clap` or `sweep`. Recordings with
/// `true_steps` 0, of a kind `hands:…` or of the kind `swim` have no step: see ``Recording/isStepFree``.
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
        /// The file of the recording.
        public let url: URL

        /// Whether no step is taken in it: none is counted, or hands or strokes are all that moves.
        public var isStepFree: Bool { trueSteps == 0 || kind == "swim" || kind.hasPrefix("hands:") }

        /// The data set and the name, `<dataset>/<name>`.
        public var id: String { "\(dataset)/\(name)" }

        /// Reads the ground truth from the files beside the recording.
        ///
        /// - Throws: ``EvaluationError`` when a file cannot be read, or when the recording has no labels.
        public func truth() throws(EvaluationError) -> RecordingTruth {
            guard let trueSteps else {
                let simulation = file("truth.json")
                return try .activities(
                    Self.exists(simulation)
                        ? ActivityLabels(simulation: simulation) : ActivityLabels(recording: url))
            }
            let times = file("steps.csv")
            guard Self.exists(times) else { return .steps(trueSteps, times: nil) }
            let table = try TruthTable(contentsOf: times)
            let column = table.column("time")
            return .steps(trueSteps, times: table.compactMap { Double($0[column]) })
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
            let (dataset, name) = (text("dataset"), text("recording"))
            return Recording(
                dataset: dataset, name: name, subject: text("subject"), placement: text("placement"),
                activity: text("activity"), kind: text("kind"), sampleRate: Double(text("sample_rate_hz")),
                trueSteps: Int(text("true_steps")),
                url: folder.appending(path: dataset).appending(path: name).appendingPathExtension("csv"))
        }
        if recordings.isEmpty { throw Self.error(url, "no recordings in it") }
    }

    static func error(_ url: URL, _ problem: String) -> EvaluationError {
        EvaluationError(
            .malformed, url,
            "\(problem). A manifest is a CSV with the columns dataset, recording and true_steps or labels.")
    }
}

/// The ground truth of one recording.
public enum RecordingTruth: Sendable {
    /// The number of steps and, if known, the time of each in seconds since 1970, in order.
    case steps(Int, times: [Double]?)
    /// Activities over time.
    case activities(ActivityLabels)
}
