public import Footfall
internal import Foundation

/// Measures over the recordings of a manifest: all together, and in the groups of ``GroupName``.
public struct Evaluation: Sendable {
    /// The result of one recording.
    public struct Outcome: Sendable {
        /// The row of the manifest.
        public let recording: Manifest.Recording
        /// The number of detected steps.
        public let steps: Int
        /// The number of true steps; nil for a recording with activity labels.
        public let trueSteps: Int?
        /// The measures.
        public let group: Group
    }

    /// The results in the order in which they were added.
    public private(set) var outcomes: [Outcome] = []
    private var measures: [GroupName: Group] = [.all: Group(.all)]

    /// Creates an empty evaluation.
    public init() {}

    /// All groups, ``GroupName/all`` first. The recordings themselves are in ``outcomes``.
    public var groups: [Group] { measures.values.sorted { $0.name < $1.name } }

    /// The group or the recording with a name; nil if there is none.
    public func group(_ name: GroupName) -> Group? {
        measures[name] ?? outcomes.first { $0.group.name == name }?.group
    }

    /// Whether the ground truth has numbers of steps, not activity labels.
    public var hasStepTruth: Bool { outcomes.contains { $0.trueSteps != nil } }

    /// Compares a recording with its ground truth and adds it to its groups.
    public mutating func add(_ run: AnalyzerRun, of recording: Manifest.Recording, truth: RecordingTruth) {
        let subject = recording.subject.isEmpty ? recording.name : recording.subject
        let group = Group(.recording(recording.id), of: run, recording, subject: subject, truth: truth)
        var trueSteps: Int?
        if case .steps(let count, _) = truth { trueSteps = count }
        outcomes.append(Outcome(recording: recording, steps: run.steps, trueSteps: trueSteps, group: group))
        for name in Self.groupNames(of: recording, run, truth: truth) {
            measures[name, default: Group(name)].merge(group)
        }
    }

    private static func groupNames(
        of recording: Manifest.Recording, _ run: AnalyzerRun, truth: RecordingTruth
    ) -> [GroupName] {
        var names = [GroupName.all, .dataset(recording.dataset)] + bandNames(of: recording, run, truth: truth)
        if case .activities = truth, run.sampleRate ?? 0 >= MotionAnalyzer.lowestSampleRate {
            names.append(.atLeast8Hertz)
        }
        if !recording.subject.isEmpty { names.append(.subject(recording.subject)) }
        if !recording.placement.isEmpty { names.append(.placement(recording.placement)) }
        if case .steps(0, _) = truth {
            names.append(.stepFree(recording.activity))
        } else if !recording.activity.isEmpty {
            names.append(.activity(recording.activity))
        }
        if !recording.kind.isEmpty {
            // “wrist (watch)” and “wrist” are one placement. All kinds `hands:…` are also one kind, `hands`.
            let place = recording.placement.prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces)
            names.append(.kind(recording.kind, placement: place))
            if recording.kind.contains(":") {
                names.append(.kind(String(recording.kind.prefix { $0 != ":" }), placement: place))
            }
        }
        return names
    }

    /// The bands of a recording with at least ``StepMeasures/fewestSteps``. A runner's cadence has no band: `activity
    /// running` is its group.
    private static func bandNames(
        of recording: Manifest.Recording, _ run: AnalyzerRun, truth: RecordingTruth
    ) -> [GroupName] {
        guard case .steps(let count, let times) = truth, count >= StepMeasures.fewestSteps else { return [] }
        var names: [GroupName] = []
        let cadence = run.coverage > 0 ? Double(count) / run.coverage * 60 : nil
        if recording.activity != Activity.running.rawValue, let band = Band.band(of: cadence, in: Band.cadences) {
            names.append(.cadence(band))
        }
        let length = times.map(longestWalk) ?? run.coverage
        if let band = Band.band(of: length, in: Band.lengths) { names.append(.boutLength(band)) }
        if let band = Band.band(of: run.sampleRate ?? recording.sampleRate, in: Band.rates) {
            names.append(.rate(band))
        }
        return names
    }
}

extension Evaluation {
    /// The name of a group of recordings. Names are ordered as reports list them.
    public enum GroupName: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// All recordings.
        case all
        /// Labeled recordings with at least 8 Hz. Below this rate, gait is aliased.
        case atLeast8Hertz
        /// The recordings of a data set.
        case dataset(String)
        /// The recordings with an activity in the manifest.
        case activity(String)
        /// The recordings without a step, by activity.
        case stepFree(String)
        /// The recordings with the sensor in one place.
        case placement(String)
        /// The recordings of a kind with the sensor in one place; `hands` stands for all kinds `hands:…`.
        case kind(String, placement: String)
        /// The recordings with a mean true cadence in a band, in steps a minute, without runners.
        case cadence(Band)
        /// The recordings whose longest walk, or whose length without known step times, lies in a band, in seconds.
        case boutLength(Band)
        /// The recordings with a sample rate in a band, in Hz.
        case rate(Band)
        /// The recordings of a person.
        case subject(String)
        /// A single recording, `<dataset>/<name>`.
        case recording(String)

        /// The name in reports and baselines, such as `set pebble`.
        public var description: String {
            switch self {
            case .all: "all"
            case .atLeast8Hertz: "8 Hz and more"
            case .dataset(let name): "set \(name)"
            case .activity(let name): "activity \(name)"
            case .stepFree(let name): "no steps: \(name)"
            case .placement(let name): "placement \(name)"
            case .kind(let name, let placement): "kind \(name), \(placement)"
            case .cadence(let band): "cadence \(band)"
            case .boutLength(let band): "bout \(band) s"
            case .rate(let band): "rate \(band) Hz"
            case .subject(let name): "subject \(name)"
            case .recording(let name): "recording \(name)"
            }
        }
    }

    /// The measures of a group of recordings.
    public struct Group: Sendable {
        /// The name of the group.
        public let name: GroupName
        /// The number of recordings.
        public private(set) var recordings = 0
        /// Step measures; empty without step counts in the ground truth.
        public private(set) var steps = StepMeasures()
        /// The steps detected where there are none, by kind: the activity in the manifest or the label of the moment.
        public private(set) var falseStepsByKind: [String: FalseSteps] = [:]
        /// Activity measures; empty without labels.
        public private(set) var activities = ActivityMeasures()
        /// The detected steps and activities of each person, with or without ground truth.
        public private(set) var people = PersonMeasures()
        /// Measures of provisional activities; empty if they were not requested.
        public private(set) var live = LiveMeasures()

        /// Creates an empty group.
        public init(_ name: GroupName) { self.name = name }

        init(
            _ name: GroupName, of run: AnalyzerRun, _ recording: Manifest.Recording, subject: String,
            truth: RecordingTruth
        ) {
            self.name = name
            recordings = 1
            people.add(run, of: subject)
            switch truth {
            case .steps(let count, let times):
                steps.add(detected: run.steps, true: count, seconds: run.coverage, subject: subject)
                if let times, let found = run.stepRecord.times { steps.add(detected: found, true: times) }
            case .activities(let labels):
                activities = ActivityMeasures(of: run.segments, against: labels)
                live = run.live ?? live
                // Below this rate, gait is aliased, and the analyzer reports no step.
                if run.sampleRate ?? 0 >= MotionAnalyzer.lowestSampleRate { addFalseSteps(run.stepTimes, labels) }
            }
            if recording.isStepFree {
                let kind = recording.kind.isEmpty ? recording.activity : recording.kind
                falseStepsByKind[kind] = FalseSteps(count: run.steps, seconds: run.coverage)
            }
        }

        private mutating func addFalseSteps(_ times: [Timestamp], _ labels: ActivityLabels) {
            for interval in labels.intervals {
                guard [.stationary, .automotive, .cycling].contains(interval.activity) else { continue }
                let count = times.count { interval.range.contains($0) }
                falseStepsByKind[interval.activity.rawValue, default: FalseSteps()]
                    .merge(FalseSteps(count: count, seconds: interval.range.seconds))
            }
        }

        /// Adds the measures of another group.
        public mutating func merge(_ other: Group) {
            recordings += other.recordings
            steps.merge(other.steps)
            for (kind, steps) in other.falseStepsByKind { falseStepsByKind[kind, default: FalseSteps()].merge(steps) }
            activities.merge(other.activities)
            people.merge(other.people)
            live.merge(other.live)
        }
    }
}

extension Evaluation {
    /// A range of cadences, lengths or rates by which recordings are grouped.
    public struct Band: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// The lower end.
        public let lower: Double
        /// The upper end, which does not belong to the range; infinite for the last one.
        public let upper: Double

        /// The bands of mean true cadence, in steps a minute.
        public static let cadences = bands(at: [60, 80, 100, 120])
        /// The bands of the longest walk, in seconds.
        public static let lengths = bands(at: [10, 30, 60, 180])
        /// The bands of the sample rate, in Hz: their limits lie between the usual rates.
        public static let rates = bands(at: [20, 35, 75, 150])

        private static func bands(at limits: [Double]) -> [Band] {
            zip([0] + limits, limits + [.infinity]).map { Band(lower: $0, upper: $1) }
        }

        static func band(of number: Double?, in bands: [Band]) -> Band? {
            number.flatMap { number in bands.first { ($0.lower..<$0.upper).contains(number) } }
        }

        /// The range, such as `60 to 80`.
        public var description: String {
            if lower == 0 { return "below \(Int(clamping: upper))" }
            return upper.isFinite
                ? "\(Int(clamping: lower)) to \(Int(clamping: upper))" : "\(Int(clamping: lower)) and more"
        }

        /// Orders bands by their lower ends.
        public static func < (left: Band, right: Band) -> Bool { left.lower < right.lower }
    }

    /// The longest walk of step times: the seconds from the first to the last of steps at most ``longestPause`` apart.
    static func longestWalk(_ times: [Double]) -> Double {
        var (start, longest) = (times.first ?? 0, 0.0)
        for (time, next) in zip(times, times.dropFirst()) {
            if next - time > longestPause { start = next }
            longest = max(longest, next - start)
        }
        return longest
    }

    /// The longest time in seconds between two steps of one walk.
    static let longestPause = 3.0
}

/// The results of an analyzer for one recording that are compared with ground truth.
public struct AnalyzerRun: Sendable {
    /// The times of the detected steps; empty if another program reports only counts.
    public private(set) var stepTimes: [Timestamp] = []
    /// The count of another program that does not report step times.
    private var reported: Int?
    /// The detected segments; touching ones with the same activity are joined.
    public private(set) var segments: [Segment] = []
    /// The time covered by samples, in seconds.
    public internal(set) var coverage = 0.0
    /// The measured sample rate in Hz; nil if there were too few samples to measure it.
    public internal(set) var sampleRate: Double?
    /// The comparison of provisional events; nil if it was not requested.
    public internal(set) var live: LiveMeasures?

    /// Creates a run from the events of any analyzer.
    ///
    /// - Parameters:
    ///   - events: Settled events in order.
    ///   - coverage: The time covered by samples, in seconds.
    ///   - sampleRate: The measured sample rate in Hz.
    public init(events: some Sequence<MotionEvent> = [], coverage: Double = 0, sampleRate: Double? = nil) {
        self.coverage = coverage
        self.sampleRate = sampleRate
        add(events)
    }

    /// Creates a run from the steps that another program reports.
    ///
    /// - Parameters:
    ///   - steps: The steps in any form.
    ///   - coverage: The time covered by samples, in seconds.
    ///   - sampleRate: The measured sample rate in Hz.
    public init(steps: StepRecord, coverage: Double = 0, sampleRate: Double? = nil) {
        self.init(events: [], coverage: coverage, sampleRate: sampleRate)
        switch steps {
        case .times(let times): stepTimes = times.compactMap(Timestamp.init(secondsSince1970:))
        case .count(let count): reported = count
        }
    }

    /// The number of detected steps.
    public var steps: Int { reported ?? stepTimes.count }

    /// The detected steps: their times, or their number if another program reports no times.
    public var stepRecord: StepRecord {
        reported.map(StepRecord.count) ?? .times(stepTimes.map { $0.seconds(since: .epoch) })
    }

    mutating func add(_ events: some Sequence<MotionEvent>) {
        for event in events {
            switch event {
            case .step(let step): stepTimes.append(step.time)
            case .segment(let segment): segments.join(segment)
            case .gap, .nonWear: break
            }
        }
    }
}

/// Runs a `MotionAnalyzer` over one recording and keeps what an evaluation needs.
public struct RecordingAnalyzer: Sendable {
    private var analyzer = MotionAnalyzer()
    private var run = AnalyzerRun()
    private var live: LiveComparison?

    /// Creates an analyzer for one recording.
    ///
    /// - Parameter labels: The labels to compare provisional activities with; nil to measure settled events only.
    ///   Provisional activities are computed once per second of signal, which takes several times as long.
    public init(comparingLiveWith labels: ActivityLabels? = nil) { live = labels.map { LiveComparison(against: $0) } }

    /// Analyzes the next samples.
    public mutating func analyze(_ batch: SampleBatch) {
        guard live != nil else { return run.add(analyzer.analyze(batch)) }
        var start = batch.startIndex
        while start < batch.endIndex {
            let second = batch.times[start].second
            let end = batch.times[start...].firstIndex { $0.second != second } ?? batch.endIndex
            if live?.isNewSecond(batch.times[start]) == true { live?.compare(analyzer.provisional) }
            let events = analyzer.analyze(batch.part(start..<end))
            run.add(events)
            live?.settle(events, start: analyzer.quality.start, latest: batch.times[end - 1])
            start = end
        }
    }

    /// Analyzes the next samples of an intake. A comparison of provisional events takes the samples as they were added.
    public mutating func analyze(_ samples: RepairedSamples) {
        guard live == nil else { return analyze(samples.batch) }
        run.add(analyzer.analyze(samples))
    }

    /// Settles the remaining events and returns the result.
    public mutating func finish() -> AnalyzerRun {
        let events = analyzer.finish()
        run.add(events)
        live?.compare(events, isLast: true)
        run.coverage = analyzer.quality.coverage
        run.sampleRate = analyzer.quality.sampleRate
        run.live = live?.measures
        return run
    }

    /// The samples received so far, and those that could not be used.
    public var quality: SignalQuality { analyzer.quality }
}
