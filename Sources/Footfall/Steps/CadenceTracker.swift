/// Tracks the most likely cadence from second to second. A Viterbi decoder with a fixed lag over the cadences of each
/// second and “not on foot”. The rhythm of a walker drifts but does not jump, and people neither start nor stop every
/// second. So the neighbors of a second decide whether its rhythm is that of steps or of strides. A decision holds:
/// later decisions follow paths that agree with it. Otherwise a few steps would lose their last seconds, because a path
/// that never started costs less than one that stops.
struct CadenceTracker: Sendable {
    /// The seconds after a second that its decision waits for.
    private static let lag = 3
    /// The cost of a change of cadence in log-odds, per unit of its logarithm, and the largest cost of a change.
    private static let driftCost: Float = 20
    private static let jumpCost: Float = 8
    /// The costs of a start and of a stop. A stop costs more: a pause within a walk is more often a weak second than a
    /// stop.
    private static let startCost: Float = 0.5
    private static let stopCost: Float = 5

    struct Decision: Sendable {
        /// The cadence of the second; nil if the wearer is not on foot.
        var cadence: ScoredCadence?
        /// See ``ScoredCadences/check``; ``WalkingCheck`` joins it with another score.
        var check: Float = 0
        /// See ``ScoredCadences/isVigorous`` and ``ScoredCadences/hopOdds``.
        var isVigorous = false, hopOdds: Float = 0
        /// The log-odds of ``WalkingCheck`` up to the second.
        var checkOdds: Float = 0
        /// The cadence of the next second, which is provisional.
        var next: ScoredCadence?
        /// The number of consecutive seconds after it that have a cadence.
        var following = 0
    }

    /// A second without a decision.
    private struct Second: Sendable {
        var cadences = ScoredCadences()
        /// For “not on foot” and each cadence: the state of the second before on the best path.
        var origins = States<Int8>(repeating: 0)
    }

    /// A value for “not on foot” and for each of at most ``GaitFeatures/mostCandidates`` cadences.
    private typealias States<Value> = InlineArray<7, Value>

    private static let places = lag + 1

    /// A ring buffer of the seconds without a decision.
    private var seconds = [Second](repeating: Second(), count: places)
    private var undecided = 0..<0
    private var emptySeconds = 0
    /// The score of the best path to “not on foot” and to each cadence of the last second.
    private var scores = States<Float>(repeating: 0)

    /// Adds the cadences of the next second. Returns the decision on the second ``lag`` seconds before; nil during the
    /// first seconds.
    mutating func add(_ cadences: ScoredCadences) -> Decision? {
        emptySeconds = cadences.count > 0 ? 0 : emptySeconds + 1
        if emptySeconds > Self.places {
            // All undecided seconds are empty, so there is only one path. Their places held seconds on other paths.
            seconds[undecided.upperBound % Self.places] = Second()
            undecided = undecided.lowerBound + 1..<undecided.upperBound + 1
            return Decision()
        }
        advance(cadences)
        guard undecided.count > Self.lag else { return nil }
        defer { undecided.removeFirst() }
        let decision = decision(on: undecided.lowerBound)
        dropPaths(against: undecided.lowerBound)
        return decision
    }

    /// The decisions on the remaining seconds, because no more follow.
    mutating func finish() -> [Decision] {
        defer { undecided = undecided.upperBound..<undecided.upperBound }
        return undecided.map { decision(on: $0) }
    }

    private mutating func advance(_ cadences: ScoredCadences) {
        var second = Second(cadences: cadences)
        var next = States<Float>(repeating: 0)
        if let last = undecided.last {
            let previous = seconds[last % Self.places].cadences
            for state in 0...cadences.count {
                var best = -Float.infinity
                // Costs are never negative, so only origins with a better score need their cost.
                for origin in 0...previous.count where scores[origin] > best {
                    let from = origin > 0 ? previous[origin - 1] : nil
                    let to = state > 0 ? cadences[state - 1] : nil
                    let score = scores[origin] - Self.cost(from: from, to: to)
                    if score > best {
                        best = score
                        second.origins[state] = Int8(origin)
                    }
                }
                next[state] = best + (state > 0 ? cadences[state - 1].score : 0)
            }
        } else {
            for state in 0..<cadences.count { next[state + 1] = cadences[state].score - Self.startCost }
        }
        // Only differences matter. With the best score at zero the numbers stay small.
        var best = next[0]
        for state in 0..<cadences.count { best = max(best, next[state + 1]) }
        for state in 0...cadences.count { scores[state] = next[state] - best }
        seconds[undecided.upperBound % Self.places] = second
        undecided = undecided.lowerBound..<undecided.upperBound + 1
    }

    private static func cost(from: ScoredCadence?, to: ScoredCadence?) -> Float {
        switch (from, to) {
        case (nil, nil): 0
        case (nil, _): startCost
        case (_, nil): stopCost
        case (let from?, let to?): min(driftCost * abs(logarithm(from.hertz / to.hertz)), jumpCost)
        }
    }

    /// The states of the last undecided second.
    private var lastStates: Range<Int> { 0..<seconds[(undecided.upperBound - 1) % Self.places].cadences.count + 1 }

    /// The last state of the best path. Of equally good paths, the first one counts.
    private var bestState: Int {
        var best = 0
        for state in lastStates where scores[state] > scores[best] { best = state }
        return best
    }

    /// Drops the paths whose state in a second differs from that of the best path.
    private mutating func dropPaths(against number: Int) {
        let decided = state(of: number, to: bestState)
        for last in lastStates where state(of: number, to: last) != decided { scores[last] = -.infinity }
    }

    /// The state of a second on the best path to a state of the last second.
    private func state(of number: Int, to last: Int) -> Int {
        var state = last
        for later in (number + 1..<undecided.upperBound).reversed() {
            state = Int(seconds[later % Self.places].origins[state])
        }
        return state
    }

    /// The decision on a second, traced back along the best path from the last second.
    private func decision(on number: Int) -> Decision {
        guard let last = undecided.last else { return Decision() }
        var state = bestState
        var decision = Decision()
        for number in (number...last).reversed() {
            let place = number % Self.places
            let scored = seconds[place].cadences
            let cadence = state > 0 ? scored[state - 1] : nil
            let following = decision.cadence == nil ? 0 : decision.following + 1
            decision = Decision(
                cadence: cadence, check: scored.check, isVigorous: scored.isVigorous, hopOdds: scored.hopOdds,
                next: decision.cadence, following: following)
            state = Int(seconds[place].origins[state])
        }
        return decision
    }
}
