#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Turns second after second into settled segments.
///
/// Whether someone is on foot, and at which gait, is the step detector's word, so steps and segments cannot contradict each
/// other: a second of a bout leaves at once, with its steps. All others wait until ``ActivityChain`` has been smoothed over
/// them forward and backward, with ``lag`` seconds of the future in view; a bout that begins ends the view. All that is
/// left for the chain to say of gait is to bridge a few seconds between bouts.
struct Segmenter: Sendable {
    /// Seconds of the future that a settled verdict may depend on; with more, hardly anything changes (ActivityModel.md).
    static let lag = 30
    /// Seconds are settled this many at a time, at whole multiples of it.
    private static let chunk: Int64 = 5

    /// What the look of a second says.
    struct Look: Sendable {
        /// Why it says nothing.
        let lack: UnknownReason?
        /// What it says to each state of the chain.
        let likelihood: SIMD8<Float>
        /// The classifier's word on it.
        let probabilities: SIMD8<Float>

        /// A look at the motion.
        init(_ features: MotionFeatures) {
            self = features.isQuiet ? Self.quiet : Look(ActivityClassifier.logProbabilities(of: features))
        }

        /// What every second says in which nothing moves.
        private static let quiet = Look(ActivityClassifier.logProbabilities(of: MotionFeatures(isQuiet: true)))

        private init(_ logs: SIMD8<Float>) {
            lack = nil
            likelihood = ActivityChain.likelihood(logs)
            probabilities = exponential(logs)
        }

        /// A look that says nothing.
        init(lacking reason: UnknownReason) {
            lack = reason
            likelihood = ActivityChain.likelihood(nil)
            probabilities = SIMD8()
        }
    }

    /// A second that waits to be settled.
    private struct Waiting {
        var second: Int64
        var look: Look
        /// The probability of each state in the light of the past and the second itself.
        var forward: SIMD8<Float>
    }

    private var waiting: [Waiting] = []
    /// The probability of each state before the next second is looked at.
    private var belief = ActivityChain.start
    /// The run that the last settled second belongs to.
    private var run = ActivityRun(of: .unknown(.tooShort))
    /// The end of what is settled.
    private var settledEnd: Timestamp
    /// The last second of the stretch and the time of its last sample, once they are known.
    private var last: (second: Int64, end: Timestamp)?

    /// Begins a stretch at its first sample.
    init(start: Timestamp) {
        settledEnd = start
    }

    /// Takes the next second, which is in no bout, and appends to `events` what it settles.
    ///
    /// - Parameter look: What the second looks like.
    mutating func add(_ second: StepDetector.Second, _ look: Look, to events: inout [MotionEvent]) {
        let forward = ActivityChain.normalised(belief * look.likelihood)
        belief = ActivityChain.predicted(forward)
        waiting.append(Waiting(second: second.second, look: look, forward: forward))
        if second.second % Self.chunk == 0, waiting.count > Self.lag {
            settle(waiting.count - Self.lag, to: &events)
        }
    }

    /// Takes the next second, which is in a bout. What waits is settled in the light of it, and the second itself is.
    mutating func add(_ second: StepDetector.Second, in gait: StepDetector.Gait, to events: inout [MotionEvent]) {
        let state: ActivityChain.State = gait == .running ? .running : .walking
        var certain = SIMD8<Float>()
        certain[state.rawValue] = 1
        settle(waiting.count, before: ActivityChain.retrodicted(certain), to: &events)
        belief = ActivityChain.predicted(certain)
        for step in second.steps { events.append(.step(step)) }
        extendRun(by: .activity(state.rawValue), certain, certain / (1 + exp(-second.evidence)))
        events.append(.segment(piece(through: second.second, steps: second.steps.count)))
    }

    /// Says which second will be the last, and when the last sample of the stretch was taken.
    mutating func expectEnd(at end: Timestamp, in second: Int64) {
        last = (second, end)
    }

    /// Settles everything; all seconds have been added.
    mutating func finish(to events: inout [MotionEvent]) {
        settle(waiting.count, to: &events)
        if let last, settledEnd < last.end {
            // Too short for even one grid cell.
            run = ActivityRun(of: .unknown(.tooShort))
            events.append(.segment(piece(through: last.second)))
        }
    }

    /// Settles the first `count` of the waiting seconds in the light of all of them.
    ///
    /// - Parameter future: How well each state of the last waiting second explains what comes after.
    private mutating func settle(
        _ count: Int, before future: SIMD8<Float> = SIMD8(repeating: 1), to events: inout [MotionEvent]
    ) {
        guard count > 0 else { return }
        var backward = ActivityChain.normalised(future)
        var ahead = Ahead(repeating: SIMD8())
        for index in waiting.indices.reversed() {
            let next = ActivityChain.retrodicted(backward * waiting[index].look.likelihood)
            if index < count {
                waiting[index].forward = ActivityChain.normalised(waiting[index].forward * backward)
            } else if index - count < ahead.count {
                ahead[index - count] = backward
            }
            backward = ActivityChain.normalised(next)
        }
        // Neighbours that agree leave as one segment. What is joined depends on the seconds alone, not on batches.
        var open: (second: Int64, isHalt: Bool)?
        for index in 0..<count {
            let second = waiting[index]
            let answer = ActivityChain.answer(second.forward)
            let subject = Self.subject(of: second.look, answer)
            let isHalt = subject == .automotive && ActivityChain.isHalt(second.forward)
            if let open, subject != run.subject || isHalt != open.isHalt {
                events.append(.segment(piece(through: open.second, isHalt: open.isHalt)))
            }
            extendRun(by: subject, answer, second.look.probabilities)
            open = (second.second, isHalt)
        }
        if let open {
            let settledRun = run
            lookAhead(from: count, ahead)
            events.append(.segment(piece(through: open.second, isHalt: open.isHalt)))
            run = settledRun
        }
        waiting.removeFirst(count)
    }

    /// How well each state of the seconds behind those that are settled explains what comes after them.
    private typealias Ahead = InlineArray<5, SIMD8<Float>>

    /// Extends a run of few seconds by those that wait behind it and agree: a run is not less sure for having just begun when
    /// seconds were settled.
    private mutating func lookAhead(from first: Int, _ ahead: Ahead) {
        guard run.seconds < Float(ahead.count) else { return }
        for (index, second) in zip(ahead.indices, waiting.dropFirst(first)) {
            let answer = ActivityChain.answer(ActivityChain.normalised(second.forward * ahead[index]))
            guard Self.subject(of: second.look, answer) == run.subject else { return }
            run.add(answer, second.look.probabilities)
        }
    }

    private mutating func extendRun(
        by subject: ActivityRun.Subject, _ answer: SIMD8<Float>, _ probabilities: SIMD8<Float>
    ) {
        if subject != run.subject { run = ActivityRun(of: subject) }
        run.add(answer, probabilities)
    }

    /// The segment from the end of what is settled to the end of `second`, with the answer of the run.
    private mutating func piece(through second: Int64, isHalt: Bool = false, steps: Int = 0) -> Segment {
        var end = Timestamp(nanosecondsSince1970: (second + 1) * 1_000_000_000)
        if let last, second >= last.second { end = last.end }
        let segment = run.segment(over: settledEnd..<end, isHalt: isHalt, steps: steps)
        settledEnd = end
        return segment
    }

    private static func subject(of look: Look, _ answer: SIMD8<Float>) -> ActivityRun.Subject {
        look.lack.map { .unknown($0) } ?? .activity(largest(answer))
    }

    private static func largest(_ answer: SIMD8<Float>) -> Int {
        (0..<ActivityClassifier.classes.count).reduce(0) { answer[$1] > answer[$0] ? $1 : $0 }
    }
}
