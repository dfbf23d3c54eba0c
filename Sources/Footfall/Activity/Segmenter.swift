#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Turns second after second into settled segments.
///
/// Whether someone is on foot is the step detector's word alone, so steps and segments cannot contradict each other.
/// For the rest of the time the states of ``ActivityModel`` are smoothed forward and backward, with ``lag`` seconds of
/// the future in view; a walk that begins ends the view.
struct Segmenter: Sendable {
    /// Seconds of the future that a settled verdict may depend on.
    static let lag = 40
    /// Seconds are settled this many at a time, at whole multiples of it.
    private static let chunk: Int64 = 10

    /// A second that waits to be settled.
    private struct Waiting {
        var second: Int64
        /// Nil when there is too little to tell.
        var likelihood: SIMD4<Float>?
        var forward: SIMD4<Float>
    }

    private var waiting: [Waiting] = []
    /// The probability of each state before the next second is looked at.
    private var belief = ActivityModel.prior
    /// The end of what is settled.
    private var settledEnd: Timestamp
    /// The last second of the stretch and the time of its last sample, once they are known.
    private var last: (second: Int64, end: Timestamp)?

    /// Begins a stretch at its first sample.
    init(start: Timestamp) {
        settledEnd = start
    }

    /// Takes the next second and appends to `events` what it settles.
    ///
    /// - Parameter features: What the second looks like; nil when there is too little to tell.
    mutating func add(_ second: StepDetector.Second, _ features: MotionFeatures?, to events: inout [MotionEvent]) {
        if let gait = second.gait {
            settle(waiting.count, to: &events)
            belief = ActivityModel.prior
            for time in second.steps { events.append(.step(Step(time: time))) }
            let probability = 1 / (1 + exp(-max(second.evidence, 0)))
            let flags: ActivityFlags = gait == .running ? .running : .walking
            events.append(.segment(piece(through: second.second, flags, probability, steps: second.steps.count)))
            return
        }
        let likelihood = features.map { exponential(ActivityModel.logLikelihoods($0)) }
        let forward = normalised(belief * (likelihood ?? SIMD4(repeating: 1)))
        waiting.append(Waiting(second: second.second, likelihood: likelihood, forward: forward))
        belief = predicted(forward)
        if second.second % Self.chunk == 0, waiting.count > Self.lag {
            settle(waiting.count - Self.lag, to: &events)
        }
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
            events.append(.segment(piece(through: last.second, .unknown, 1, steps: 0)))
        }
    }

    /// Settles the first `count` of the waiting seconds in the light of all of them.
    private mutating func settle(_ count: Int, to events: inout [MotionEvent]) {
        guard count > 0 else { return }
        var backward = SIMD4<Float>(repeating: 1)
        var posteriors: [SIMD4<Float>] = []
        for index in waiting.indices.reversed() {
            if index < count { posteriors.append(normalised(waiting[index].forward * backward)) }
            backward = normalised(retrodicted(backward * (waiting[index].likelihood ?? SIMD4(repeating: 1))))
        }
        // Neighbours that agree leave as one segment. What is joined depends on the seconds alone, not on batches.
        var pieces: [Segment] = []
        for (second, posterior) in zip(waiting[..<count], posteriors.reversed()) {
            let (flags, probability) = second.likelihood == nil ? (.unknown, 1) : Self.verdict(posterior)
            pieces.append(piece(through: second.second, flags, probability, steps: 0))
        }
        events.append(contentsOf: pieces.joined().map(MotionEvent.segment))
        waiting.removeFirst(count)
    }

    /// The segment from the end of what is settled to the end of `second`.
    private mutating func piece(
        through second: Int64, _ flags: ActivityFlags, _ probability: Float, steps: Int
    ) -> Segment {
        var end = Timestamp(nanosecondsSince1970: (second + 1) * 1_000_000_000)
        if let last, second >= last.second { end = last.end }
        let segment = Segment(range: settledEnd..<end, flags: flags, probability: probability, steps: steps)
        settledEnd = end
        return segment
    }

    private static func verdict(_ posterior: SIMD4<Float>) -> (ActivityFlags, Float) {
        // Rolling and halted are one activity; which of the two it is matters less than that it is a drive.
        let drive = posterior[1] + posterior[2]
        if drive >= max(posterior[0], posterior[3]) { return (.automotive, drive) }
        return posterior[0] >= posterior[3] ? (.stationary, posterior[0]) : ([], posterior[3])
    }

    private func predicted(_ belief: SIMD4<Float>) -> SIMD4<Float> {
        var next = SIMD4<Float>()
        for state in 0..<4 { next += ActivityModel.transitions[state] * belief[state] }
        return next
    }

    private func retrodicted(_ weights: SIMD4<Float>) -> SIMD4<Float> {
        var before = SIMD4<Float>()
        for state in 0..<4 { before[state] = (ActivityModel.transitions[state] * weights).sum() }
        return before
    }

    private func normalised(_ weights: SIMD4<Float>) -> SIMD4<Float> {
        let sum = weights.sum()
        return sum > 0 ? weights / sum : SIMD4(repeating: 0.25)
    }

    private func exponential(_ logarithms: SIMD4<Float>) -> SIMD4<Float> {
        let shifted = logarithms - logarithms.max()
        return SIMD4(exp(shifted[0]), exp(shifted[1]), exp(shifted[2]), exp(shifted[3]))
    }
}
