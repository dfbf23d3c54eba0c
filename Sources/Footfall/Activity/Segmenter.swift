/// Turns results of seconds into settled segments. The step detector alone decides whether the wearer is on foot and at
/// which gait, so steps and segments cannot contradict each other. A second of a bout is settled at once. The other
/// seconds wait for ``lag`` later seconds, or for a bout; then ``ActivityChain`` is smoothed over them, forward and
/// backward. They are gait only if all seconds from one bout to the next are.
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
    /// Whether the first waiting second directly follows a bout.
    private var followsBout = false
    /// The run that contains the last settled second.
    private var run = ActivityRun(of: .unknown(.tooShort))
    private var settledEnd: Timestamp
    /// The last second of the signal and the time of its last sample, once known.
    private var last: (second: Int64, end: Timestamp)?

    /// The probability of each state in settled seconds; nil if that is not recorded.
    var log: SecondLog<ByState>?

    init(start: Timestamp) { settledEnd = start }

    /// Adds the next second, which is in no bout, and emits the segments that it settles.
    mutating func add(_ second: Int64, _ observation: Observation, to sink: (Segment) -> Void) {
        let forward = ActivityChain.normalizedProduct(predicted, observation.likelihood)
        predicted = ActivityChain.predicted(forward)
        waiting.append(Waiting(second: second, observation: observation, forward: forward))
        if second % Self.chunk == 0, waiting.count > Self.lag {
            settle(waiting.count - Self.lag, to: sink)
        }
    }

    /// Settles the waiting seconds up to the first contact of the next second, which is in a bout.
    mutating func settle(before second: SecondResult, in gait: GaitType, to sink: (Segment) -> Void) {
        settle(waiting.count, before: gait, until: second.steps.first?.time, to: sink)
    }

    /// Adds the next second, which is in a bout, after ``settle(before:in:to:)``. Returns its segment. The segment ends
    /// directly after the last contact, because the bout may end there. The rest of the second belongs to what follows.
    /// A second without a contact has no segment.
    mutating func add(_ second: SecondResult, in gait: GaitType) -> Segment? {
        predicted = ActivityChain.predicted(Self.certain(gait))
        followsBout = true
        let activity = ActivityClass(gait)
        var posterior = ByClass()
        posterior[activity] = logistic(second.evidence)
        extendRun(.known(activity), posterior, posterior)
        log?.note(second.second, ByState()) { $0 = Self.certain(gait) }
        guard let contact = second.steps.last?.time else { return nil }
        let end = min(self.end(of: second.second), contact.advanced(bySeconds: Step.shortestInterval))
        return segment(until: end, steps: second.steps.count)
    }

    /// Sets the last second of the signal and the time of its last sample.
    mutating func setEnd(_ end: Timestamp, in second: Int64) { last = (second, end) }

    /// Settles everything. All seconds have been added. A second that the end of the signal cuts directly after a bout
    /// belongs to the bout, whose next step may follow.
    mutating func finish(to sink: (Segment) -> Void) {
        if followsBout, waiting.count == 1, let cut = waiting.first,
            end(of: cut.second) < Timestamp(second: cut.second + 1)
        {
            log?.note(cut.second, ByState()) { $0 = cut.forward }
            waiting = []
        }
        settle(waiting.count, to: sink)
        if let last, settledEnd < last.end {
            // The signal ends in a bout, or is too short for a grid cell.
            sink(segment(until: last.end))
        }
    }

    private static func certain(_ gait: GaitType) -> ByState {
        var probabilities = ByState()
        probabilities[ActivityState(gait)] = 1
        return probabilities
    }

    /// Settles the first `count` waiting seconds, given all of them, and the gait and the first contact of the bout
    /// that follows the last one; nil if none does.
    private mutating func settle(
        _ count: Int, before gait: GaitType? = nil, until contact: Timestamp? = nil, to sink: (Segment) -> Void
    ) {
        guard count > 0 else { return }
        let future = gait.map { ActivityChain.secondBefore(Self.certain($0)) } ?? ActivityChain.noLikelihood
        let ahead = smooth(count, before: future)
        let isBridge =
            followsBout && gait != nil
            && waiting.allSatisfy { second in
                let subject = Self.subject(of: second.observation, ActivityChain.classes(second.forward))
                return subject == .known(.walking) || subject == .known(.running)
            }
        followsBout = false
        // Equal neighbors are joined. The result depends on the seconds only, not on batches.
        var open: (second: Int64, isHalt: Bool)?
        for index in 0..<count {
            let second = waiting[index]
            let posterior =
                isBridge ? ActivityChain.classes(second.forward) : ActivityChain.classesWithoutGait(second.forward)
            let subject = Self.subject(of: second.observation, posterior)
            let isHalt = subject == .known(.automotive) && ActivityChain.isHalt(second.forward)
            if let open, subject != run.subject || isHalt != open.isHalt {
                sink(segment(until: end(of: open.second), isHalt: open.isHalt))
            }
            extendRun(subject, posterior, second.observation.probabilities)
            log?.note(second.second, ByState()) { $0 = second.forward }
            open = (second.second, isHalt)
        }
        if let open {
            let settledRun = run
            extendShortRun(from: count, ahead)
            sink(segment(until: contact ?? end(of: open.second), isHalt: open.isHalt))
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
            let posterior = ActivityChain.classesWithoutGait(smoothed)
            guard Self.subject(of: second.observation, posterior) == run.subject else { return }
            run.add(posterior, second.observation.probabilities)
        }
    }

    private mutating func extendRun(_ subject: ActivityRun.Subject, _ posterior: ByClass, _ probabilities: ByClass) {
        if subject != run.subject { run = ActivityRun(of: subject) }
        run.add(posterior, probabilities)
    }

    /// The end of a second, or of the signal in its last second.
    private func end(of second: Int64) -> Timestamp {
        if let last, second >= last.second { return last.end }
        return Timestamp(second: second + 1)
    }

    /// The segment from the end of the last one, with the result of the run.
    private mutating func segment(until end: Timestamp, isHalt: Bool = false, steps: Int = 0) -> Segment {
        let segment = run.segment(over: settledEnd..<end, isHalt: isHalt, steps: steps)
        settledEnd = end
        return segment
    }

    private static func subject(of observation: Observation, _ posterior: ByClass) -> ActivityRun.Subject {
        if let reason = observation.missing { return .unknown(reason) }
        var best = ActivityClass.stationary
        for other in ActivityClass.allCases where posterior[other] > posterior[best] { best = other }
        if observation.isSlow, best != .stationary { return .unknown(.lowRate) }
        if observation.isExercise { return .unknown(.exercise) }
        return .known(best)
    }
}

/// Consecutive seconds with one result, and the probability that it is right. The posterior of the chain alone is
/// overconfident, because neighboring seconds share signal. The probability is a logistic function of its mean and of
/// the mean of the classifier's probabilities since the run began (Platt 1999). It is fitted to the share of right
/// results on data sets that were not used for training.
struct ActivityRun: Sendable {
    /// Below this probability a result is more likely wrong than right and is reported as unclear. Gait is exempt.
    private static let leastProbability: Float = 0.5
    /// The probability of an exercise. The check finds 45 s of a minute of hops and 1 s of ten hours of other motion
    /// (StepTrials.md), so nine of ten seconds are right in a week with three minutes of hops.
    private static let exercise: Float = 0.9

    enum Subject: Hashable {
        case known(ActivityClass)
        case unknown(UnknownReason)
    }

    let subject: Subject
    private(set) var seconds: Float = 0
    private var posterior: Float = 0
    private var evidence: Float = 0

    init(of subject: Subject) { self.subject = subject }

    /// Adds the next second: the probabilities of its classes from the chain, and those from the classifier. Within a
    /// bout both are from the step detector.
    mutating func add(_ posterior: ByClass, _ probabilities: ByClass) {
        guard case .known(let activity) = subject else { return }
        seconds += 1
        self.posterior += posterior[activity]
        evidence += probabilities[activity]
        // The classifier observes a halt of a drive as stationary, and busy hands as handled; half of that counts for
        // the drive.
        if activity == .automotive { evidence += (probabilities[.stationary] + probabilities[.handled]) / 2 }
    }

    /// The segment over a range of the run, during which the vehicle stands if it is a halt.
    func segment(over range: Range<Timestamp>, isHalt: Bool, steps: Int) -> Segment {
        // Computed once: the property takes logarithms at each use.
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
        if subject == .unknown(.exercise) { return Self.exercise }
        guard case .known(let activity) = subject, seconds > 0 else { return 1 }
        let mean = posterior / seconds
        // The mean of gait is a probability already: the step detector's or, between two bouts, the chain's.
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
    /// The lowest sample rate, in Hz, that distinguishes rest from motion. Of the seconds of recordings at 4 to 8 Hz
    /// that are called stationary, 98 % are (ActivityTrials.md).
    static let lowestRate: Float = 4

    /// Why the second has no observation; nil if it has one.
    let missing: UnknownReason?
    /// Whether the sample rate is too low for gait. Steps then alias to the motion of a car, and only rest is certain.
    private(set) var isSlow = false
    /// Whether ``ExerciseCheck`` takes the rhythm of the second for hops on one spot.
    var isExercise = false
    let likelihood: ByState
    /// The probability of each class, from the classifier.
    let probabilities: ByClass

    /// Creates the observation of a window; `rate` is the sample rate in Hz, and `wave` what ``ActivityWave`` gives.
    init(_ features: WindowFeatures, rate: Float, wave: () -> SIMD8<Float>) {
        self =
            features.isQuiet
            ? Self.quiet : Observation(ActivityClassifier.logProbabilities(of: features, rate: rate, wave: wave))
        isSlow = rate < StepDetector.lowestRate
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

/// The sequence of activities as a hidden Markov model of eight states. A stopped car resembles any other still object,
/// and the watch of a driver resembles any busy hand. Only their neighbors in time distinguish them, so a red light is
/// a halt of the drive. The numbers are approximate: half or twice the stay of any state changes the accuracy by a
/// hundredth at most.
enum ActivityChain {
    /// The relative probability of each state before the first second. A busy hand resembles a driver's. Without a
    /// drive before it, it is more often at a table than at a wheel.
    static let start = ByState(SIMD8(0.35, 0.20, 0.05, 0.15, 0.02, 0.08, 0.15, 0.01))
    /// The mean duration of each state, in seconds.
    private static let stay: [Float] = [300, 90, 180, 180, 90, 300, 60, 90]
    /// The relative frequencies of the transitions out of each state. A moving car mostly stops; people mostly walk to
    /// a car.
    private static let leave: [SIMD8<Float>] = [
        SIMD8(0, 1, 1, 0.3, 0.03, 1, 4, 0),
        SIMD8(1, 0, 0.2, 0.3, 0.2, 0.2, 0.5, 0),
        SIMD8(1, 1, 0, 1, 0.03, 1, 1, 0),
        SIMD8(0.1, 0.3, 0.02, 0, 1, 0.05, 0.05, 1),
        SIMD8(0.1, 0.25, 0.02, 1.5, 0, 0.02, 0.03, 1),
        SIMD8(1, 1, 1, 1, 0.03, 0, 1, 0),
        SIMD8(4, 1, 1, 0.3, 0.03, 1, 0, 0),
        SIMD8(0.02, 0.1, 0, 1, 1, 0, 0.03, 0),
    ]
    /// A second counts with this share of its log-probability. It has four fifths of its window in common with the next
    /// second, and the errors of the classifier last longer than a window.
    private static let temper: Float = 0.15
    /// The cost of a second of walking or running without a bout, in nats: enough to bridge a few seconds between two
    /// bouts.
    private static let unconfirmed: Float = 0.5
    /// In a second without steps, these shares of the evidence of gait count for cycling, for handling and for busy
    /// hands in a car. Motion that resembles gait but has no steps is rarely a rest or a smooth ride.
    private static let pedalled: Float = 0.3, handled: Float = 0.4, driven: Float = 0.3
    /// The share of the evidence of rest that counts for cycling: a rider who waits at a light is still cycling.
    private static let waiting: Float = 0.1
    /// The share of the seconds of busy hands in a car in which the road moves the device more than the hand.
    private static let road: Float = 0.3

    /// The probability of each state (lane) a second after each state (element).
    private static let transitions = leave.indices.map { from in
        var next = leave[from] / (leave[from].sum() * stay[from])
        next[from] = 1 - 1 / stay[from]
        return next
    }
    private static let transposed = leave.indices.map { to in
        var column = SIMD8<Float>()
        for from in transitions.indices { column[from] = transitions[from][to] }
        return column
    }

    /// The forward step: the probability of each state a second later.
    static func predicted(_ probabilities: ByState) -> ByState { product(transitions.span, probabilities) }

    /// The backward step: the likelihood of each state, given the likelihood of each state a second later.
    static func secondBefore(_ likelihood: ByState) -> ByState { product(transposed.span, likelihood) }

    /// The sum of the rows, each times its weight. Never inlined, so that the compiler keeps whole vectors.
    @inline(never)
    private static func product(_ rows: Span<SIMD8<Float>>, _ weights: ByState) -> ByState {
        let rows = rows.extracting(0..<8)
        var sum = rows[0] * weights.vector[0]
        for index in 1..<8 { sum += rows[index] * weights.vector[index] }
        return ByState(sum)
    }

    /// The product of two vectors, lane by lane, with a sum of one.
    static func normalizedProduct(_ one: ByState, _ other: ByState) -> ByState {
        normalized(ByState(one.vector * other.vector))
    }

    static func normalized(_ weights: ByState) -> ByState {
        let sum = weights.vector.sum()
        return sum > 0 ? ByState(weights.vector * (1 / sum)) : start
    }

    /// The likelihood of each state in a second without observation.
    static let noLikelihood = ByState(SIMD8(repeating: 1))

    /// The likelihood of each state in a second without a bout, at most 1. `logs` are the logarithms of
    /// `probabilities`.
    static func likelihood(_ logs: ByClass, _ probabilities: ByClass) -> ByState {
        let gait = probabilities[.walking] + probabilities[.running]
        let riding = probabilities[.cycling] + pedalled * gait + waiting * probabilities[.stationary]
        let busy = (1 - road) * probabilities[.handled] + road * probabilities[.automotive]
        // A stopped car is observed as stationary.
        let scores = SIMD8(
            logs[.stationary], logs[.walking], logs[.running], logs[.automotive], logs[.stationary],
            logarithm(riding), logarithm(probabilities[.handled] + handled * gait), logarithm(busy + driven * gait))
        let costs = SIMD8(0, unconfirmed, unconfirmed, 0, 0, 0, 0, 0)
        let tempered = scores * temper - costs
        return ByState(exponential(tempered - tempered.max()))
    }

    /// Whether the stopped state is likelier than the other states of a drive.
    static func isHalt(_ posterior: ByState) -> Bool { posterior[.stopped] > posterior[.moving] + posterior[.busy] }

    /// The probability of each class. The states of a drive are one class.
    static func classes(_ posterior: ByState) -> ByClass {
        ByClass(
            SIMD8(
                posterior[.stationary], posterior[.walking], posterior[.running],
                posterior[.moving] + posterior[.stopped] + posterior[.busy], posterior[.cycling], posterior[.handled],
                0, 0))
    }

    /// The probability of each class in a second that is no gait.
    static func classesWithoutGait(_ posterior: ByState) -> ByClass {
        var states = posterior
        (states[.walking], states[.running]) = (0, 0)
        return classes(normalized(states))
    }
}
