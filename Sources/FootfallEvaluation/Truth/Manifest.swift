internal import Footfall
internal import FootfallReaders
internal import FootfallTables
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
                let table = try TruthTable(
                    contentsOf: times, columns: ["time"], use: "It needs time for the time of each step.")
                var found: [Double] = []
                while try table.next() {
                    if let time = table.number(0) { found.append(time) }
                }
                return .times(found.sorted())
            }
            guard Self.exists(counts) else { return nil }
            let table = try TruthTable(
                contentsOf: counts, columns: ["time", "steps"],
                use: "It needs time and steps for counts per second or minute.")
            var found: [Double] = []
            while try table.next() {
                if table.number(0) != nil, let steps = table.number(1) { found.append(steps) }
            }
            return StepRecord(adding: found)
        }

        private func file(_ suffix: String) -> URL { url.deletingPathExtension().appendingPathExtension(suffix) }

        private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
    }

    /// The recordings in the order of the rows.
    public let recordings: [Recording]

    /// Reads a manifest.
    ///
    /// - Throws: ``EvaluationError`` when the file cannot be read, lacks a column or lists no recording.
    public init(contentsOf url: URL) throws(EvaluationError) {
        let columns = Column.allCases.map(\.rawValue)
        let table = try TruthTable(
            contentsOf: url, columns: Array(columns[..<2]), optional: Array(columns[2...]), use: Self.form)
        let folder = url.deletingLastPathComponent()
        var recordings: [Recording] = []
        var ids: Set<String> = []
        while try table.next() {
            func text(_ column: Column) -> String { table.text(column.number) }
            let (dataset, name, kind) = (text(.dataset), text(.recording), text(.kind))
            let isStepFree = ["yes", "true", "1"].contains(text(.stepFree).lowercased())
            // A spreadsheet may write a whole number with decimals.
            let stated = table.number(Column.trueSteps.number).flatMap { Int(exactly: $0) }
            guard stated.map({ $0 >= 0 }) ?? text(.trueSteps).isEmpty else {
                throw Self.error(
                    url, "true_steps of \(dataset)/\(name) is “\(text(.trueSteps))”, which is no number of steps")
            }
            // A recording that counted twice would have the weight of two.
            guard ids.insert("\(dataset)/\(name)").inserted else {
                throw Self.error(url, "\(dataset)/\(name) has two rows")
            }
            let trueSteps = stated ?? (isStepFree && text(.labels).isEmpty ? 0 : nil)
            recordings.append(
                Recording(
                    dataset: dataset, name: name, subject: text(.subject), placement: text(.placement),
                    activity: text(.activity), kind: kind, sampleRate: table.number(Column.sampleRate.number),
                    trueSteps: trueSteps, duration: table.number(Column.duration.number),
                    url: folder.appending(path: dataset).appending(path: name).appendingPathExtension("csv"),
                    isStepFree: isStepFree || trueSteps == 0 || kind == "swim" || kind.hasPrefix("hands:")))
        }
        self.recordings = recordings
        if recordings.isEmpty { throw Self.error(url, "no recordings in it") }
    }

    /// Each row has the first two.
    private enum Column: String, CaseIterable {
        case dataset, recording, subject, placement, activity, kind, labels
        case sampleRate = "sample_rate_hz"
        case duration = "duration_s"
        case trueSteps = "true_steps"
        case stepFree = "step_free"

        var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    private static let form = "A manifest is a CSV with the columns dataset, recording and true_steps or labels."

    private static func error(_ url: URL, _ problem: String) -> EvaluationError {
        EvaluationError(.malformed, url, "\(problem). \(form)")
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

/// A table of an evaluation, such as a manifest, step times or a labeled recording, whose errors are those of an
/// evaluation.
struct TruthTable {
    private let url: URL
    private let reader: TableReader

    /// Opens a table. The columns are numbered from 0, and the optional ones go on from there: those that it does not
    /// have are empty. `use` says in a sentence what the columns are for.
    init(contentsOf url: URL, columns: [String], optional: [String] = [], use: String) throws(EvaluationError) {
        self.url = url
        do {
            reader = try TableReader(url.path, columns: columns, optional: optional)
        } catch {
            throw EvaluationError(error, url, error.kind == .badData ? ". " + use : "")
        }
    }

    func has(_ column: Int) -> Bool { reader.has(column) }

    /// Reads the next row; false at the end.
    func next() throws(EvaluationError) -> Bool {
        do {
            return try reader.next()
        } catch {
            throw EvaluationError(error, url)
        }
    }

    func text(_ column: Int) -> String { reader.text(column) }

    /// The number of a column in the row; nil for other text.
    func number(_ column: Int) -> Double? { Double(reader.text(column)) }
}

extension EvaluationError {
    fileprivate init(_ error: TraceError, _ url: URL, _ use: String = "") {
        let reason: Reason =
            switch error.kind {
            case .unreadable: .unreadable
            case .notPermitted: .notPermitted
            case .badData: .malformed
            }
        self.init(reason, url, "\(error.line.map { "line \($0): " } ?? "")\(error.problem)\(use)")
    }
}

/// A file of an evaluation that cannot be used: a manifest, a table of labels or step times, a baseline.
public struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public enum Reason: Hashable, Sendable {
        /// The file does not exist, or reading failed.
        case unreadable
        /// The permissions of the file or of its folder forbid reading.
        case notPermitted
        /// The file holds something else.
        case malformed
    }

    /// The kind of problem.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// The problem, and the remedy if there is one.
    public let problem: String

    /// The path and the problem.
    public var description: String { "\(path): \(problem)" }

    init(_ reason: Reason, _ url: URL, _ problem: String) {
        self.reason = reason
        path = url.relativePath
        self.problem = problem
    }

    static func data(of url: URL) throws(EvaluationError) -> Data {
        do {
            return try Data(contentsOf: url)
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            throw EvaluationError(TraceError(reading: url.path, cause?.code.rawValue ?? EIO), url)
        }
    }
}
