public import Footfall

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
    public init(comparingLiveWith labels: ActivityLabels? = nil) {
        live = labels.map { LiveComparison(against: $0) }
    }

    /// Analyzes the next samples.
    public mutating func analyze(_ batch: SampleBatch) {
        guard live != nil else { return run.add(analyzer.analyze(batch)) }
        var start = batch.startIndex
        while start < batch.endIndex {
            let second = batch.times[start].wholeSecond
            let end = batch.times[start...].firstIndex { $0.wholeSecond != second } ?? batch.endIndex
            if live?.isNewSecond(batch.times[start]) == true { live?.compare(analyzer.provisional) }
            let events = analyzer.analyze(SampleBatch(batch[start..<end]))
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
