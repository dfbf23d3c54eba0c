/// Turns results of seconds into settled segments.
///
/// The step detector alone decides whether the wearer is on foot and at which gait, so steps and segments cannot
/// contradict each other. A second of a bout is settled at once. The other seconds wait until ``ActivityChain`` has
/// been smoothed over them forward and backward with ``lag`` later seconds. A bout ends that wait. The gait states of
/// the chain only bridge a few seconds between bouts.
struct Segmenter: Sendable {
    /// The later seconds that a settled result depends on. More of them change little (ActivityTrials.md).
    private static let lag = 30
    /// Seconds are settled in groups, at whole multiples of this number.
    private static let chunk: Int64 = 5

    private struct Waiting {
        let second: Int64
        let observation: Observation
        /// The probability of each state, given the seconds up to this one.
        var forward: ByState
    }

    private var waiting: [Waiting] = []
    /// The probability of each state before the next observation.
    private var predicted = ActivityChain.start
    /// The run that contains the last settled second.
    private var run = ActivityRun(of: .unknown(.tooShort))
    /// The end of the last settled segment.
    private var settledEnd: Timestamp
    /// The last second of the signal and the time of its last sample, once known.
    private var last: (second: Int64, end: Timestamp)?

    /// The probability of each state in settled seconds; nil if that is not recorded.
    var log: SecondLog<ByState>?

    init(start: Timestamp) {
        settledEnd = start
    }

    /// Adds the next second, which is in no bout, and emits the segments that it settles.
    mutating func add(_ second: Int64, _ observation: Observation, to sink: (Segment) -> Void) {
        let forward = ActivityChain.normalizedProduct(predicted, observation.likelihood)
        predicted = ActivityChain.predicted(forward)
        waiting.append(Waiting(second: second, observation: observation, forward: forward))
        if second % Self.chunk == 0, waiting.count > Self.lag {
            settle(waiting.count - Self.lag, to: sink)
        }
    }

    /// Settles the waiting seconds, given that a second of a bout follows.
    mutating func settle(before gait: GaitType, to sink: (Segment) -> Void) {
        settle(waiting.count, before: ActivityChain.secondBefore(Self.certain(gait)), to: sink)
    }

    /// Adds the next second, which is in a bout, after ``settle(before:to:)``. Returns its segment.
    mutating func add(_ second: SecondResult, in gait: GaitType) -> Segment {
        predicted = ActivityChain.predicted(Self.certain(gait))
        let activity = ActivityClass(gait)
        var posterior = ByClass()
        posterior[activity] = logistic(second.evidence)
        extendRun(.known(activity), posterior, posterior)
        log?.note(second.second, ByState()) { $0 = Self.certain(gait) }
        return segment(through: second.second, steps: second.steps.count)
    }

    /// Sets the last second of the signal and the time of its last sample.
    mutating func setEnd(_ end: Timestamp, in second: Int64) {
        last = (second, end)
    }

    /// Settles everything. All seconds have been added.
    mutating func finish(to sink: (Segment) -> Void) {
        settle(waiting.count, to: sink)
        if let last, settledEnd < last.end {
            // The signal is too short for a grid cell.
            run = ActivityRun(of: .unknown(.tooShort))
            sink(segment(through: last.second))
        }
    }

    private static func certain(_ gait: GaitType) -> ByState {
        var probabilities = ByState()
        probabilities[ActivityState(gait)] = 1
        return probabilities
    }

    /// Settles the first `count` waiting seconds, given all of them.
    ///
    /// - Parameter future: The likelihood of each state of the last waiting second, given the seconds after it.
    private mutating func settle(
        _ count: Int, before future: ByState = ByState(SIMD8(repeating: 1)), to sink: (Segment) -> Void
    ) {
        guard count > 0 else { return }
        let ahead = smooth(count, before: future)
        // Equal neighbors are joined. The result depends on the seconds only, not on batches.
        var open: (second: Int64, isHalt: Bool)?
        for index in 0..<count {
            let second = waiting[index]
            let posterior = ActivityChain.classes(second.forward)
            let subject = Self.subject(of: second.observation, posterior)
            let isHalt = subject == .known(.automotive) && ActivityChain.isHalt(second.forward)
            if let open, subject != run.subject || isHalt != open.isHalt {
                sink(segment(through: open.second, isHalt: open.isHalt))
            }
            extendRun(subject, posterior, second.observation.probabilities)
            log?.note(second.second, ByState()) { $0 = second.forward }
            open = (second.second, isHalt)
        }
        if let open {
            let settledRun = run
            extendShortRun(from: count, ahead)
            sink(segment(through: open.second, isHalt: open.isHalt))
            run = settledRun
        }
        waiting.removeFirst(count)
    }

    /// The likelihood of each state of the first seconds after the settled ones, given the seconds after them.
    private typealias Ahead = InlineArray<5, ByState>

    /// The backward pass. It replaces the forward probabilities of the first `count` seconds by those given all
    /// seconds.
    private mutating func smooth(_ count: Int, before future: ByState) -> Ahead {
        var backward = ActivityChain.normalized(future)
        var ahead = Ahead(repeating: ByState())
        var waiting = waiting.mutableSpan
        for index in waiting.indices.reversed() {
            let next = ActivityChain.secondBefore(
                ByState(backward.vector * waiting[index].observation.likelihood.vector))
            if index < count {
                waiting[index].forward = ActivityChain.normalizedProduct(waiting[index].forward, backward)
            } else if index - count < ahead.count {
                ahead[index - count] = backward
            }
            // Only proportions count. A sum of one every eight seconds keeps the numbers from becoming too small.
            backward = index.isMultiple(of: 8) ? ActivityChain.normalized(next) : next
        }
        return ahead
    }

    /// Extends a run of few seconds by the waiting seconds with the same result. So the probability of a run does not
    /// depend on the moment at which its seconds are settled.
    private mutating func extendShortRun(from first: Int, _ ahead: Ahead) {
        guard run.seconds < Float(ahead.count) else { return }
        for (index, second) in zip(ahead.indices, waiting.dropFirst(first)) {
            let smoothed = ActivityChain.normalizedProduct(second.forward, ahead[index])
            let posterior = ActivityChain.classes(smoothed)
            guard Self.subject(of: second.observation, posterior) == run.subject else { return }
            run.add(posterior, second.observation.probabilities)
        }
    }

    private mutating func extendRun(_ subject: ActivityRun.Subject, _ posterior: ByClass, _ probabilities: ByClass) {
        if subject != run.subject { run = ActivityRun(of: subject) }
        run.add(posterior, probabilities)
    }

    /// The segment from the end of the last one to the end of `second`, with the result of the run.
    private mutating func segment(through second: Int64, isHalt: Bool = false, steps: Int = 0) -> Segment {
        var end = Timestamp(second: second + 1)
        if let last, second >= last.second { end = last.end }
        let segment = run.segment(over: settledEnd..<end, isHalt: isHalt, steps: steps)
        settledEnd = end
        return segment
    }

    private static func subject(of observation: Observation, _ posterior: ByClass) -> ActivityRun.Subject {
        if let reason = observation.missing { return .unknown(reason) }
        var best = ActivityClass.stationary
        for other in ActivityClass.allCases where posterior[other] > posterior[best] { best = other }
        return .known(best)
    }
}

/// Consecutive seconds with one result, and the probability that it is right.
///
/// The posterior of the chain alone is overconfident, because neighboring seconds share signal. The probability is a
/// logistic function of its mean and of the mean of the classifier's probabilities since the run began (Platt 1999). It
/// is fitted to the share of right results on data sets that were not used for training.
struct ActivityRun: Sendable {
    /// Below this probability a result is more likely wrong than right and is reported as unclear. Gait is exempt.
    private static let leastProbability: Float = 0.5

    enum Subject: Hashable {
        case known(ActivityClass)
        case unknown(UnknownReason)
    }

    let subject: Subject
    private(set) var seconds: Float = 0
    private var posterior: Float = 0
    private var evidence: Float = 0

    init(of subject: Subject) {
        self.subject = subject
    }

    /// Adds the next second.
    ///
    /// - Parameters:
    ///   - posterior: The probability of each class from the chain, or from the step detector within a bout.
    ///   - probabilities: The probability of each class from the classifier, or from the step detector within a bout.
    mutating func add(_ posterior: ByClass, _ probabilities: ByClass) {
        guard case .known(let activity) = subject else { return }
        seconds += 1
        self.posterior += posterior[activity]
        evidence += probabilities[activity]
        // The classifier observes a halt of a drive as stationary, and busy hands as handled; half of that counts for
        // the drive.
        if activity == .automotive { evidence += (probabilities[.stationary] + probabilities[.handled]) / 2 }
    }

    /// The segment over a range of the run.
    ///
    /// - Parameter isHalt: Whether the vehicle stands during the range.
    func segment(over range: Range<Timestamp>, isHalt: Bool, steps: Int) -> Segment {
        // Needed twice, and expensive.
        let probability = probability
        var flags: ActivityFlags = []
        var reason: UnknownReason?
        switch subject {
        case .unknown(let why): reason = why
        case .known(let known) where !known.isGait && known.activity != nil && probability < Self.leastProbability:
            reason = .unclear
        case .known(let known):
            if let activity = known.activity { flags = ActivityFlags(activity) } else { reason = .handled }
            if isHalt { flags.insert(.stationary) }
        }
        return Segment(
            range: range, flags: reason?.flags ?? flags, reason: reason, probability: probability, steps: steps)
    }

    private var probability: Float {
        guard case .known(let activity) = subject, seconds > 0 else { return 1 }
        let mean = posterior / seconds
        // That of gait comes from the step detector, and between two bouts from the chain: a probability already.
        if activity.isGait { return mean }
        let weights = ActivityWeights.confidence.dropFirst(3 * activity.rawValue).prefix(3)
        guard weights.count == 3 else { return mean }
        let first = weights.startIndex
        let odds =
            weights[first] + weights[first + 1] * Self.logOdds(mean)
            + weights[first + 2] * Self.logOdds(evidence / seconds)
        return logistic(odds)
    }

    private static func logOdds(_ probability: Float) -> Float {
        let clipped = min(max(probability, 0.001), 0.999)
        return logarithm(clipped / (1 - clipped))
    }
}

/// The observation of a second for ``ActivityChain``.
struct Observation: Sendable {
    /// Why the second has no observation; nil if it has one.
    let missing: UnknownReason?
    /// The likelihood of each state of the chain.
    let likelihood: ByState
    /// The probability of each class, from the classifier.
    let probabilities: ByClass

    /// Creates the observation of a window; `rate` is the sample rate in Hz.
    init(_ features: WindowFeatures, rate: Float) {
        self =
            features.isQuiet ? Self.quiet : Observation(ActivityClassifier.logProbabilities(of: features, rate: rate))
    }

    /// The observation of any window without motion.
    private static let quiet = Observation(ActivityClassifier.quietLogProbabilities)

    private init(_ logProbabilities: ByClass) {
        missing = nil
        probabilities = ByClass(exponential(logProbabilities.vector))
        likelihood = ActivityChain.likelihood(logProbabilities, probabilities)
    }

    /// Creates a missing observation.
    init(missing reason: UnknownReason) {
        missing = reason
        likelihood = ActivityChain.noLikelihood
        probabilities = ByClass()
    }
}
