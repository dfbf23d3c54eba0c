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
        /// Measured only when it is asked for.
        var live = LiveMeasures()

        /// Adds all that another group measured.
        mutating func merge(_ other: Group) {
            recordings += other.recordings
            steps.merge(other.steps)
            activities.merge(other.activities)
            live.merge(other.live)
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

    /// Whether what is shown live is measured, too.
    let measuresLive: Bool

    /// Nothing evaluated yet.
    init(live measuresLive: Bool = false) {
        self.measuresLive = measuresLive
    }

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
            var times: [Double] = []
            let analysis = try TraceAnalysis(
                entry.file, options: TraceOptions(),
                events: { for case .step(let step) in $0 { times.append(step.time.seconds(since: .epoch)) } })
            try add(analysis, stepTimes: times, entry)
        } catch {
            failures.append("\(entry.name): \(error)")
        }
    }

    private mutating func add(_ analysis: TraceAnalysis, stepTimes: [Double], _ entry: Manifest.Entry) throws {
        var steps = StepMeasures()
        var activities = ActivityMeasures()
        var live = LiveMeasures()
        if let truth = entry.trueSteps {
            steps.add(
                counted: analysis.steps, true: truth, seconds: analysis.quality.coverage,
                subject: entry.subject.isEmpty ? entry.recording : entry.subject)
            if FileManager.default.fileExists(atPath: entry.stepsURL.path) {
                let times = try CSVTable(contentsOf: entry.stepsURL).rows.compactMap { $0["time"].flatMap(Double.init) }
                steps.add(counted: stepTimes, true: times)
            }
        } else {
            let labels = try Labels(of: entry)
            activities = Self.measures(of: analysis, against: labels)
            if measuresLive { live = try LiveMeasures(of: entry.file, against: labels) }
        }
        let measures = Group(recordings: 1, steps: steps, activities: activities, live: live)
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

    /// Compares the answer with the label at the first sample of every second, and with where labels change.
    private static func measures(of analysis: TraceAnalysis, against labels: Labels) -> ActivityMeasures {
        var measures = ActivityMeasures()
        var index = 0
        let segments = analysis.segments
        for second in labels.seconds {
            while index < segments.count, segments[index].range.upperBound <= second.time { index += 1 }
            let isInside = index < segments.count && segments[index].range.contains(second.time)
            measures.add(second.label, answer: isInside ? segments[index] : nil)
        }
        measures.addSegments(true: labels.runs.count, answered: segments.count)
        for activity in Activity.allCases where activity != .unknown {
            let answered = segments.filter { $0.activity == activity }.map(\.range)
            let (starts, ends) = labels.changes(of: activity)
            measures.addChanges(of: activity, at: starts, answered: answered.map(\.lowerBound))
            measures.addChanges(of: activity, at: ends, answered: answered.map(\.upperBound))
        }
        return measures
    }
}
