/// The sequence of activities as a hidden Markov model of eight states.
///
/// A stopped car resembles any other still object, and the watch of a driver resembles any busy hand. Only their
/// neighbors in time distinguish them, so a red light is a halt of the drive. The numbers are approximate: half or
/// twice the stay of any state changes the accuracy by a hundredth at most.
enum ActivityChain {
    /// The relative probability of each state before the first second. A busy hand resembles a driver's, and
    /// without a drive before it is rather at a table.
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
    /// The shares of the evidence of gait that count for cycling, for handling and for busy hands in a car in a second
    /// without steps. Motion that resembles gait and has no steps is pedalling or handling, rarely a rest or a smooth
    /// ride.
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
    static func predicted(_ probabilities: ByState) -> ByState {
        product(transitions.span, probabilities)
    }

    /// The backward step: the likelihood of each state, given the likelihood of each state a second later.
    static func secondBefore(_ likelihood: ByState) -> ByState {
        product(transposed.span, likelihood)
    }

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
    static func isHalt(_ posterior: ByState) -> Bool {
        posterior[.stopped] > posterior[.moving] + posterior[.busy]
    }

    /// The probability of each class. The states of a drive are one class.
    static func classes(_ posterior: ByState) -> ByClass {
        ByClass(
            SIMD8(
                posterior[.stationary], posterior[.walking], posterior[.running],
                posterior[.moving] + posterior[.stopped] + posterior[.busy], posterior[.cycling], posterior[.handled],
                0, 0))
    }
}
