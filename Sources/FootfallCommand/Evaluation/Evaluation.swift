import Footfall
import FootfallTraces
import Foundation

/// Measures over a manifest: pooled, and by data set, placement and activity.
struct Evaluation {
    /// The measures of one group of recordings.
    struct Group {
        var recordings = 0
        var steps = StepMeasures()
        var activities = ActivityMeasures()

        /// Adds all that another group measured.
        mutating func merge(_ other: Group) {
            recordings += other.recordings
            steps.merge(other.steps)
            activities.merge(other.activities)
        }
    }

    /// The measures of one recording.
    struct Outcome {
        let entry: Manifest.Entry
        /// The steps counted, whatever the truth.
        let steps: Int
        let measures: Group

        /// `set/recording`.
        var name: String { entry.name }
    }

    /// Below this rate, in Hz, gait is aliased and activities are not claimed.
    private static let lowestRate = 8.0

    /// By name, “all” first; what belongs together stands together.
    var groups: [(name: String, group: Group)] {
        let kinds = ["all", "8 Hz", "set", "activity", "no steps", "placement", "subject"]
        func rank(_ name: String) -> Int { kinds.firstIndex { name.hasPrefix($0) } ?? kinds.count }
        return measured.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }.map { ($0.key, $0.value) }
    }

    private var measured: [String: Group] = ["all": Group()]
    private(set) var outcomes: [Outcome] = []
    /// Recordings that could not be read, and why.
    private(set) var failures: [String] = []

    /// The groups, and each recording as a group of its own, `recording <set>/<recording>`.
    var all: [(name: String, group: Group)] {
        groups + outcomes.map { ("recording \($0.name)", $0.measures) }
    }

    /// Whether the truth was step counts or activity labels.
    var hasSteps: Bool { outcomes.contains { $0.entry.trueSteps != nil } }

    /// Analyses a recording and adds it to its groups.
    mutating func add(_ entry: Manifest.Entry) {
        do {
            try add(TraceAnalysis(entry.file, options: TraceOptions(), keepsEvents: true), entry)
        } catch {
            failures.append("\(entry.name): \(error)")
        }
    }

    private mutating func add(_ analysis: TraceAnalysis, _ entry: Manifest.Entry) throws {
        var steps = StepMeasures()
        var activities = ActivityMeasures()
        if let truth = entry.trueSteps {
            steps.add(
                counted: analysis.steps, true: truth, seconds: analysis.quality.coverage,
                subject: entry.subject.isEmpty ? entry.recording : entry.subject)
            if FileManager.default.fileExists(atPath: entry.stepsURL.path) {
                let times = try CSVTable(contentsOf: entry.stepsURL).rows.compactMap { $0["time"].flatMap(Double.init) }
                steps.add(counted: analysis.stepTimes.map { $0.seconds(since: .epoch) }, true: times)
            }
        } else {
            activities = try Self.activityMeasures(of: analysis, labelsIn: entry.url)
        }
        let measures = Group(recordings: 1, steps: steps, activities: activities)
        outcomes.append(Outcome(entry: entry, steps: analysis.steps, measures: measures))
        for name in Self.groupNames(of: entry, sampleRate: analysis.quality.sampleRate) {
            measured[name, default: Group()].merge(measures)
        }
    }

    private static func groupNames(of entry: Manifest.Entry, sampleRate: Double?) -> [String] {
        var names = ["all", "set \(entry.dataset)"]
        if entry.trueSteps == nil, let sampleRate, sampleRate >= lowestRate { names.append("8 Hz and more") }
        if !entry.subject.isEmpty { names.append("subject \(entry.subject)") }
        if !entry.placement.isEmpty { names.append("placement \(entry.placement)") }
        if let truth = entry.trueSteps, truth == 0 {
            names.append("no steps: \(entry.activity)")
        } else if !entry.activity.isEmpty {
            names.append("activity \(entry.activity)")
        }
        return names
    }

    /// Compares the answer with the label at the first sample of every second.
    private static func activityMeasures(of analysis: TraceAnalysis, labelsIn url: URL) throws -> ActivityMeasures {
        let labels = try LabelledSeconds(contentsOf: url)
        var measures = ActivityMeasures()
        var index = 0
        let segments = analysis.segments
        for (time, label) in labels.seconds {
            while index < segments.count, segments[index].range.upperBound <= time { index += 1 }
            let isInside = index < segments.count && segments[index].range.contains(time)
            measures.add(label, answer: isInside ? segments[index] : nil)
        }
        measures.addSegments(true: labels.segments, answered: segments.count)
        return measures
    }
}

/// The labels of a recording, one a second.
private struct LabelledSeconds {
    private(set) var seconds: [(time: Timestamp, label: Activity)] = []
    /// Runs of equal labels.
    private(set) var segments = 0

    init(contentsOf url: URL) throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        let header = lines.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard let timeColumn = header.firstIndex(of: "time"), let labelColumn = header.firstIndex(of: "label") else {
            throw ManifestError(path: url.path, problem: "no time and label columns")
        }
        var lastSecond: Int64?
        var lastLabel: Activity?
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count > max(timeColumn, labelColumn), let value = Double(fields[timeColumn]),
                let time = Timestamp(secondsSince1970: value),
                let label = Activity(rawValue: String(fields[labelColumn]))
            else { continue }
            if label != lastLabel { segments += 1 }
            lastLabel = label
            let second = Int64(value.rounded(.down))
            if second != lastSecond { seconds.append((time, label)) }
            lastSecond = second
        }
    }
}
