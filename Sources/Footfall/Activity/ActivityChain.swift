#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How what someone does follows from what they did a second ago: a hidden Markov model of seven states.
///
/// A drive has two states, moving and stopped. A stopped car looks like any other still thing; only its neighbours in
/// time tell, and so a red light is a halt of the drive. The numbers are rough on purpose: half or twice the stay of any
/// state moves the accuracy by a hundredth at most.
enum ActivityChain {
    /// The states, as lanes of the vectors here. The eighth lane is always zero.
    enum State: Int, CaseIterable {
        case stationary, walking, running, moving, stopped, cycling, unknown
    }

    /// The probability of each state before anything is seen.
    static let start = SIMD8<Float>(0.35, 0.20, 0.05, 0.15, 0.02, 0.08, 0.15, 0)
    /// How long each state lasts on average, in seconds.
    private static let stay: [Float] = [300, 90, 180, 180, 90, 300, 60]
    /// How the ways out of each state compare: of a car nearly always to a halt, into a car seldom but on foot.
    private static let leave: [SIMD8<Float>] = [
        SIMD8(0, 1, 1, 0.3, 0.03, 1, 4, 0),
        SIMD8(1, 0, 0.2, 0.3, 0.2, 0.2, 0.5, 0),
        SIMD8(1, 1, 0, 1, 0.03, 1, 1, 0),
        SIMD8(0.1, 0.3, 0.02, 0, 1, 0.05, 0.2, 0),
        SIMD8(0.1, 0.25, 0.02, 1.5, 0, 0.02, 0.1, 0),
        SIMD8(1, 1, 1, 1, 0.03, 0, 1, 0),
        SIMD8(4, 1, 1, 0.3, 0.03, 1, 0, 0),
    ]
    /// A second counts for a fifth of its log-probability, since it shares four fifths of its window with the next.
    private static let temper: Float = 0.2
    /// What a second of walking or running costs that the step detector does not confirm, in nats: enough to bridge
    /// a few seconds within a bout, no more.
    private static let unconfirmed: Float = 0.5
    /// The share of the evidence of gait that a second without steps counts for `unknown`; the rest counts for nothing.
    private static let gaitWithoutSteps: Float = 0.1

    /// The probability of each state (lane) a second after each state (element).
    private static let transitions: [SIMD8<Float>] = zip(leave, stay).enumerated().map { index, row in
        var next = row.0 / (row.0.sum() * row.1)
        next[index] = 1 - 1 / row.1
        return next
    }
    /// The same with the states before in the lanes.
    private static let transposed: [SIMD8<Float>] = transitions.indices.map { to in
        var column = SIMD8<Float>()
        for from in transitions.indices { column[from] = transitions[from][to] }
        return column
    }

    /// The probability of each state a second later.
    static func predicted(_ belief: SIMD8<Float>) -> SIMD8<Float> {
        product(transitions, belief)
    }

    /// How well each state explains a second later for which `weights` says so of each state.
    static func retrodicted(_ weights: SIMD8<Float>) -> SIMD8<Float> {
        product(transposed, weights)
    }

    private static func product(_ rows: [SIMD8<Float>], _ weights: SIMD8<Float>) -> SIMD8<Float> {
        var sum = SIMD8<Float>()
        for index in rows.indices { sum += rows[index] * weights[index] }
        return sum
    }

    /// Makes weights add up to one.
    static func normalised(_ weights: SIMD8<Float>) -> SIMD8<Float> {
        let sum = weights.sum()
        return sum > 0 ? weights * (1 / sum) : start
    }

    /// What a second says to each state, 1 at most, when the step detector does not have it in a bout.
    ///
    /// - Parameter logProbabilities: The classifier's word; nil when there is too little to go by.
    static func likelihood(_ logProbabilities: SIMD8<Float>?) -> SIMD8<Float> {
        guard let logs = logProbabilities else { return SIMD8(1, 1, 1, 1, 1, 1, 1, 0) }
        let probabilities = exponential(logs)
        let gait = probabilities[1] + probabilities[2]
        let unknown = log(gaitWithoutSteps * gait + probabilities[5])
        let known = SIMD8(logs[0], logs[1], logs[2], logs[3], logs[0], logs[4], unknown, -.infinity) * temper
        let scores = known - SIMD8(0, unconfirmed, unconfirmed, 0, 0, 0, 0, 0)
        return exponential(scores - scores.max())
    }

    /// Whether a vehicle stands rather than drives, should it be one.
    static func isHalt(_ posterior: SIMD8<Float>) -> Bool {
        posterior[State.stopped.rawValue] > posterior[State.moving.rawValue]
    }

    /// The probability of each class of ``ActivityClassifier``: moving and stopped are one.
    static func answer(_ posterior: SIMD8<Float>) -> SIMD8<Float> {
        SIMD8(
            posterior[0], posterior[1], posterior[2], posterior[3] + posterior[4], posterior[5], posterior[6], 0, 0)
    }
}
