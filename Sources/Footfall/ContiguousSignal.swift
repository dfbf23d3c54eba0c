/// A contiguous run of samples without a gap, on its way through resampling, step detection and segmentation.
///
/// Inside, times count from the first sample of the series, and so do the seconds of the stages. So a series that
/// begins at another time of the clock has the same steps. The events have the times of the samples again.
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
    /// The settled seconds that are not taken yet, if they are recorded.
    private var seconds: [AnalyzedSecond] = []

    /// - Parameters:
    ///   - origin: When the first sample of the series was taken.
    ///   - lastContact: The last contact before the signal.
    ///   - recordsSeconds: Whether to record what the stages compute for each second.
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
        segmenter = Segmenter(start: start.moved(by: -origin))
        guard recordsSeconds else { return }
        (windows, steps.log, segmenter.log) = (SecondLog(), SecondLog(), SecondLog())
    }

    /// When the last sample was taken.
    var end: Timestamp { resampler.end }

    /// The last contact of the bouts that ended, or of an earlier signal.
    var lastContact: Timestamp? { steps.lastContact?.moved(by: origin) }

    /// Adds samples up to the first gap and appends the settled events.
    ///
    /// - Parameters:
    ///   - samples: Samples in strictly increasing order of time.
    ///   - positions: The positions of the samples to add, directly after the last one added.
    /// - Returns: The position of the first sample after a gap, or the end of `positions`.
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
        settle(&events, from: first)
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
    private mutating func settle(_ events: inout [MotionEvent], from first: Int) {
        if windows != nil { recordSeconds(of: events[first...]) }
        for index in first..<events.count { events[index] = events[index].moved(by: origin) }
    }

    private mutating func segmentSettled(to events: inout [MotionEvent]) {
        // The last result moves out of the array; any other access would copy it.
        settled.reverse()
        while let second = settled.popLast() { segment(second, to: &events) }
    }

    private mutating func segment(_ second: SecondResult, to events: inout [MotionEvent]) {
        guard let gait = second.gait else {
            let observation = observation(of: second.second)
            note(second.second, observation)
            return segmenter.add(second.second, observation) { events.append(.segment($0)) }
        }
        latestObservation = nil
        segmenter.settle(before: gait) { events.append(.segment($0)) }
        for step in second.steps { events.append(.step(step)) }
        events.append(.segment(segmenter.add(second, in: gait)))
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
                observation = Observation(features, rate: rate)
                if windows != nil { latestFeatures = features.isQuiet ? [] : (0..<16).map { features.values[$0] } }
            }
        }
        latestObservation = (observation, second + 1)
        return observation
    }

    // MARK: Seconds

    /// The window of a second and what the classifier makes of it.
    private struct AnalyzedWindow: Sendable {
        var features: [Float] = []
        var classes: [Float] = []
    }

    private mutating func note(_ second: Int64, _ observation: Observation) {
        guard windows != nil, observation.missing == nil else { return }
        let classes = ActivityClass.allCases.map { observation.probabilities[$0] }
        windows?.note(second, AnalyzedWindow()) { [latestFeatures] window in
            window = AnalyzedWindow(features: latestFeatures, classes: classes)
        }
    }

    /// Joins what the stages have recorded of the seconds of settled segments.
    private mutating func recordSeconds(of events: ArraySlice<MotionEvent>) {
        var stepsBySecond: [Int64: Int] = [:]
        for event in events {
            switch event {
            case .step(let step): stepsBySecond[step.time.second, default: 0] += 1
            case .segment(let segment):
                let first = segment.range.lowerBound.second
                let last = Timestamp(nanosecondsSince1970: segment.range.upperBound.nanosecondsSince1970 - 1).second
                for number in first...max(first, last) {
                    var second = steps.log?.take(number) ?? AnalyzedSecond(number)
                    let window = windows?.take(number) ?? AnalyzedWindow()
                    second.start = Timestamp(second: number).moved(by: origin)
                    (second.features, second.classes) = (window.features, window.classes)
                    second.states =
                        segmenter.log?.take(number).map { states in
                            ActivityState.allCases.map { states[$0] }
                        } ?? []
                    second.steps = stepsBySecond[number] ?? 0
                    if segment.flags.isOnFoot, segment.steps > 0 { second.bout = .confirmed }
                    (second.flags, second.reason) = (segment.flags, segment.reason)
                    second.probability = segment.probability
                    seconds.append(second)
                }
            case .gap, .nonWear: break
            }
        }
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
    /// The whole second that contains the moment.
    fileprivate var second: Int64 { nanosecondsSince1970.flooredQuotientAndRemainder(by: 1_000_000_000).quotient }

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
