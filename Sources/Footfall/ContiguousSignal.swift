/// A contiguous run of samples without a gap, on its way through resampling, step detection and segmentation. Inside,
/// times count from the first sample of the series, and so do the seconds of the stages. So a series that begins at
/// another time of the clock has the same steps. The events have the times of the samples again.
struct ContiguousSignal: Sendable {
    /// The stages with tables, as they are at the start of a signal. Each signal takes a copy, which shares the tables:
    /// to compute them takes longer than to analyze ten seconds.
    struct Stages: Sendable {
        let gate = WalkingGate()
        let features = FeatureExtractor()
    }

    /// The seconds of past signal that the stages need.
    private static let memory: Int64 = 48
    /// Seconds to each side over which the sample rate of an observation is measured.
    static let rateReach: Int64 = 15

    let start: Timestamp
    /// When the first sample of the series was taken, in nanoseconds since 1970.
    private let origin: Int64
    private var resampler: Resampler
    private var signal: SignalBuffer
    private var rates: RateMeter
    private var steps: StepDetector
    private var features: FeatureExtractor
    private var wave: ActivityWave
    private var segmenter: Segmenter
    /// The last observation since a bout, and the last second that it covers.
    private var latestObservation: (observation: Observation, through: Int64)?
    /// The results of the step detector on their way to the segmenter.
    private var settled: [SecondResult] = []
    /// The first second that the signal does not cover completely yet.
    private var nextSecond: Int64
    private var samplesOfSecond = 1
    /// The windows of seconds that are not settled; nil if seconds are not recorded.
    private var windows: SecondLog<AnalyzedWindow>?
    /// The features of the last observation, if seconds are recorded; empty for a quiet window.
    private var latestFeatures: [Float] = []
    /// The settled seconds that are not taken yet, if they are recorded, and the next one to record.
    private var seconds: [AnalyzedSecond] = []
    private var nextRecorded: Int64

    /// Starts a signal after a last contact. Times count from `origin`, when the first sample of the series was taken.
    init(
        _ sample: AccelerationSample, _ stages: Stages, origin: Timestamp, after lastContact: Timestamp?,
        recordsSeconds: Bool
    ) {
        start = sample.time
        let origin = origin.nanosecondsSince1970
        self.origin = origin
        resampler = Resampler(sample, origin: origin)
        let cell = resampler.nextCell
        nextSecond = AnalysisGrid.cells.second(of: cell)
        signal = SignalBuffer(start: cell)
        rates = RateMeter(firstSecond: nextSecond)
        steps = StepDetector(firstCell: cell, stages.gate, after: lastContact?.moved(by: -origin))
        features = stages.features
        wave = ActivityWave(firstCell: cell)
        segmenter = Segmenter(start: start.moved(by: -origin))
        nextRecorded = start.moved(by: -origin).second
        guard recordsSeconds else { return }
        (windows, steps.log, segmenter.log) = (SecondLog(), SecondLog(), SecondLog())
    }

    /// When the last sample was taken.
    var end: Timestamp { resampler.end }

    /// The last contact of the bouts that ended, or of an earlier signal.
    var lastContact: Timestamp? { steps.lastContact?.moved(by: origin) }

    /// Adds samples in strictly increasing order of time, directly after the last one added, up to the first gap.
    /// Appends the settled events, and returns the position of the first sample after a gap, or the end of `positions`.
    mutating func add(_ samples: SampleBatch, _ positions: Range<Int>, to events: inout [MotionEvent]) -> Int {
        var next = positions.lowerBound
        while next < positions.upperBound {
            let start = next
            let secondEnd = AnalysisGrid.cells.start(of: nextSecond + 1)
            next = resampler.add(samples, start..<positions.upperBound, until: secondEnd, to: &signal)
            guard next > start else { break }
            samplesOfSecond += next - start
            if signal.end >= secondEnd { completeSeconds(&events) }
        }
        return next
    }

    /// Settles everything, because a gap or the end of the input follows.
    mutating func finish(to events: inout [MotionEvent]) {
        rates.count(samplesOfSecond, at: nextSecond)
        let lastSecond = AnalysisGrid.cells.second(of: signal.end - 1)
        segmenter.setEnd(end.moved(by: -origin), in: lastSecond)
        if signal.end > signal.start {
            steps.finish(signal, rates) { settled.append($0) }
        }
        let first = events.count
        segmentSettled(to: &events)
        segmenter.finish { events.append(.segment($0)) }
        settle(&events, from: first, isOver: true)
    }

    /// Returns the settled seconds since the last call.
    mutating func takeSeconds() -> [AnalyzedSecond] {
        defer { seconds = [] }
        return seconds
    }

    /// Passes the seconds that the signal covers to the stages.
    private mutating func completeSeconds(_ events: inout [MotionEvent]) {
        // The last sample lies after the second that it completes.
        rates.count(samplesOfSecond - 1, at: nextSecond)
        rates.count(at: AnalysisGrid.cells.second(of: signal.end))
        samplesOfSecond = 0
        while signal.end >= AnalysisGrid.cells.start(of: nextSecond + 1) {
            steps.advance(signal, rates, through: nextSecond, to: &settled)
            let first = events.count
            segmentSettled(to: &events)
            settle(&events, from: first)
            nextSecond += 1
            signal.removeValues(before: AnalysisGrid.cells.start(of: nextSecond - Self.memory))
            rates.removeSeconds(before: nextSecond - Self.memory)
        }
    }

    /// Records the seconds of the events from a position on, and gives the events the times of the samples.
    private mutating func settle(_ events: inout [MotionEvent], from first: Int, isOver: Bool = false) {
        if windows != nil { recordSeconds(of: events[first...], isOver: isOver) }
        for index in first..<events.count { events[index] = events[index].moved(by: origin) }
    }

    private mutating func segmentSettled(to events: inout [MotionEvent]) {
        // The last result moves out of the array; any other access would copy it.
        settled.reverse()
        while let second = settled.popLast() { segment(second, to: &events) }
    }

    private mutating func segment(_ second: SecondResult, to events: inout [MotionEvent]) {
        let isExercise = steps.takeExercise(second.second)
        guard let gait = second.gait else {
            var observation = observation(of: second.second)
            observation.isExercise = isExercise
            note(second.second, observation)
            return segmenter.add(second.second, observation) { events.append(.segment($0)) }
        }
        latestObservation = nil
        windows?.note(second.second, AnalyzedWindow()) { $0.steps = second.steps.count }
        segmenter.settle(before: second, in: gait) { events.append(.segment($0)) }
        for step in second.steps { events.append(.step(step)) }
        if let segment = segmenter.add(second, in: gait) { events.append(.segment(segment)) }
    }

    /// The observation of a second. One observation covers two seconds, because it spans five.
    private mutating func observation(of second: Int64) -> Observation {
        if let latestObservation, second <= latestObservation.through { return latestObservation.observation }
        let middle = AnalysisGrid.cells.start(of: second + 1)
        var observation = Observation(missing: .tooShort)
        // A signal shorter than a window is too short to measure its rate.
        if signal.end - signal.start >= 2 * Int64(FeatureExtractor.windowLength) {
            let rate = rates.rate(around: second, reach: Self.rateReach)
            if rate < Observation.lowestRate {
                observation = Observation(missing: .lowRate)
            } else if let features = features.features(of: signal, around: middle) {
                observation = Observation(features, rate: rate) {
                    wave.logProbabilities(of: second + 1, in: signal, rate: rate)
                }
                if windows != nil { latestFeatures = features.isQuiet ? [] : (0..<16).map { features.values[$0] } }
            }
        }
        latestObservation = (observation, second + 1)
        return observation
    }

    // MARK: Seconds

    /// The window of a second, what the classifier makes of it, and the steps of a second in a bout.
    private struct AnalyzedWindow: Sendable {
        var steps = 0
        var features: [Float] = []
        var classes: [Float] = []
    }

    private mutating func note(_ second: Int64, _ observation: Observation) {
        guard windows != nil, observation.missing == nil else { return }
        let classes = ActivityClass.allCases.map { observation.probabilities[$0] }
        windows?.note(second, AnalyzedWindow()) { [latestFeatures] window in
            (window.features, window.classes) = (latestFeatures, classes)
        }
    }

    /// Records the seconds of settled segments. A second belongs to the segment that contains its middle.
    private mutating func recordSeconds(of events: ArraySlice<MotionEvent>, isOver: Bool) {
        for case .segment(let segment) in events {
            while Timestamp(second: nextRecorded).advanced(bySeconds: 0.5) < segment.range.upperBound {
                recordSecond(of: segment)
            }
        }
        if isOver, case .segment(let last)? = events.last, Timestamp(second: nextRecorded) < last.range.upperBound {
            recordSecond(of: last)
        }
    }

    /// Joins what the stages have recorded of the next second.
    private mutating func recordSecond(of segment: Segment) {
        let number = nextRecorded
        nextRecorded += 1
        var second = steps.log?.take(number) ?? AnalyzedSecond(number)
        let window = windows?.take(number) ?? AnalyzedWindow()
        second.start = Timestamp(second: number).moved(by: origin)
        (second.steps, second.features, second.classes) = (window.steps, window.features, window.classes)
        second.states =
            segmenter.log?.take(number).map { states in
                ActivityState.allCases.map { states[$0] }
            } ?? []
        if second.steps > 0 { second.bout = .confirmed }
        (second.flags, second.reason) = (segment.flags, segment.reason)
        second.probability = segment.probability
        seconds.append(second)
    }
}

extension StepDetector {
    /// Appends the results to an array. A closure in ``ContiguousSignal`` would capture all of it, so that the signal
    /// would be retained each second.
    fileprivate mutating func advance(
        _ signal: SignalBuffer, _ rates: RateMeter, through second: Int64, to results: inout [SecondResult]
    ) {
        advance(signal, rates, through: second) { results.append($0) }
    }
}

extension Timestamp {
    fileprivate func moved(by nanoseconds: Int64) -> Timestamp {
        Timestamp(nanosecondsSince1970: nanosecondsSince1970 + nanoseconds)
    }
}

extension MotionEvent {
    /// A step or a segment of the stages at another time.
    fileprivate func moved(by nanoseconds: Int64) -> MotionEvent {
        switch self {
        case .step(let step): .step(Step(time: step.time.moved(by: nanoseconds), quality: step.quality))
        case .segment(let segment):
            .segment(
                Segment(
                    range: segment.range.lowerBound.moved(
                        by: nanoseconds)..<segment.range.upperBound.moved(by: nanoseconds),
                    flags: segment.flags, reason: segment.reason, probability: segment.probability,
                    steps: segment.steps))
        case .gap, .nonWear: self
        }
    }
}
