/// A contiguous run of samples without a gap, on its way through resampling, step detection and segmentation.
struct ContiguousSignal: Sendable {
    /// The stages with tables, as they are at the start of a signal. Each signal takes a copy, which shares the tables: to compute
    /// them takes longer than to analyse ten seconds.
    struct Stages: Sendable {
        let gate = WalkingGate()
        let features = FeatureExtractor()
    }

    /// The seconds of past signal that the stages need.
    private static let memory: Int64 = 48
    /// Seconds to each side over which the sample rate of an observation is measured.
    private static let rateReach: Int64 = 15

    /// When the first sample was taken.
    let start: Timestamp
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
    /// The samples since the last complete second.
    private var samplesOfSecond = 1

    /// - Parameter lastContact: The last contact before the signal.
    init(_ sample: AccelerationSample, _ stages: Stages, after lastContact: Timestamp?) {
        start = sample.time
        resampler = Resampler(sample)
        let cell = resampler.nextCell
        nextSecond = AnalysisGrid.cells.second(of: cell)
        signal = SignalBuffer(start: cell)
        rates = RateMeter(firstSecond: nextSecond)
        steps = StepDetector(firstCell: cell, stages.gate, after: lastContact)
        features = stages.features
        segmenter = Segmenter(start: start)
    }

    /// When the last sample was taken.
    var end: Timestamp { resampler.end }

    /// The last contact of the bouts that ended, or of an earlier signal.
    var lastContact: Timestamp? { steps.lastContact }

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
        segmenter.setEnd(end, in: lastSecond)
        if signal.end > signal.start {
            steps.finish(signal, rates) { settled.append($0) }
        }
        segmentSettled(to: &events)
        segmenter.finish { events.append(.segment($0)) }
    }

    /// Passes the seconds that the signal covers to the stages.
    private mutating func completeSeconds(_ events: inout [MotionEvent]) {
        // The last sample lies after the second that it completes.
        rates.count(samplesOfSecond - 1, at: nextSecond)
        rates.count(at: AnalysisGrid.cells.second(of: signal.end))
        samplesOfSecond = 0
        while signal.end >= AnalysisGrid.cells.start(of: nextSecond + 1) {
            steps.advance(signal, rates, through: nextSecond, to: &settled)
            segmentSettled(to: &events)
            nextSecond += 1
            signal.removeValues(before: AnalysisGrid.cells.start(of: nextSecond - Self.memory))
            rates.removeSeconds(before: nextSecond - Self.memory)
        }
    }

    private mutating func segmentSettled(to events: inout [MotionEvent]) {
        // The last result moves out of the array; any other access would copy it.
        settled.reverse()
        while let second = settled.popLast() { segment(second, to: &events) }
    }

    private mutating func segment(_ second: SecondResult, to events: inout [MotionEvent]) {
        guard let gait = second.gait else {
            let observation = observation(of: second.second)
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
            if rate < StepDetector.lowestRate {
                observation = Observation(missing: .lowRate)
            } else if let features = features.features(of: signal, around: middle) {
                observation = Observation(features, rate: rate)
            }
        }
        latestObservation = (observation, second + 1)
        return observation
    }
}

extension StepDetector {
    /// Appends the results to an array. A closure in ``ContiguousSignal`` would capture all of it, so that the signal would be
    /// retained each second.
    fileprivate mutating func advance(
        _ signal: SignalBuffer, _ rates: RateMeter, through second: Int64, to results: inout [SecondResult]
    ) {
        advance(signal, rates, through: second) { results.append($0) }
    }
}
