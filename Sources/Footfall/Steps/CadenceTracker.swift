#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Follows the likeliest cadence from second to second.
///
/// A Viterbi decoder with a fixed lag over each second's candidates and “not on foot”: a walker's rhythm drifts but does
/// not jump, and people neither start nor stop walking every second. What a single second cannot tell, as whether it
/// shows steps or strides, its neighbours do.
struct CadenceTracker: Sendable {
    /// Seconds to look ahead before a verdict is settled.
    static let lag = 3
    /// What a change of cadence costs in log-odds, per unit of its logarithm, and the most that any change costs.
    private static let driftCost: Float = 20
    private static let jumpCost: Float = 8
    /// What it costs to start walking, and to stop: pauses within a walk are more often a weak second than a stop.
    private static let startCost: Float = 1
    private static let stopCost: Float = 8

    /// The verdict on a second.
    struct Verdict: Sendable {
        /// The cadence of the second; nil when nobody is on foot.
        var candidate: WalkingGate.Candidate?
        /// That of the next second, which is provisional.
        var next: WalkingGate.Candidate?
        /// How many seconds after it have a cadence, without a break.
        var following = 0
    }

    /// A second that is not settled.
    private struct Second: Sendable {
        var candidates = WalkingGate.Candidates()
        /// For “not on foot” and each candidate: the state of the second before on the best path.
        var origins = States<Int8>(repeating: 0)
    }

    /// Something for “not on foot” and for each of as many candidates as there can be: ``GaitFeatures/mostCandidates``.
    private typealias States<Value> = InlineArray<7, Value>

    /// How many seconds are not settled at most.
    private static let places = lag + 1

    /// The seconds that are not settled, each in the place of its number, counted round.
    private var seconds = [Second](repeating: Second(), count: places)
    /// The numbers of those seconds.
    private var unsettled = 0..<0
    /// How many of the last seconds have had no candidates.
    private var emptySeconds = 0
    /// The score of the best path to “not on foot” and to each of the last second's candidates.
    private var scores = States<Float>(repeating: 0)

    /// Takes the candidates of the next second.
    ///
    /// - Returns: What the best path says of the second ``lag`` seconds before, which is settled by that; nil when there is none.
    mutating func add(_ candidates: WalkingGate.Candidates) -> Verdict? {
        emptySeconds = candidates.count > 0 ? 0 : emptySeconds + 1
        if emptySeconds > Self.places {
            // One more second like all that are in their places: there is no path but one.
            unsettled = unsettled.lowerBound + 1..<unsettled.upperBound + 1
            return Verdict()
        }
        advance(candidates)
        guard unsettled.count > Self.lag else { return nil }
        defer { unsettled.removeFirst() }
        return verdict(on: unsettled.lowerBound)
    }

    /// What the best path says of the seconds that are not settled, now that there will be no more.
    mutating func finish() -> [Verdict] {
        defer { unsettled = unsettled.upperBound..<unsettled.upperBound }
        return unsettled.map { verdict(on: $0) }
    }

    private mutating func advance(_ candidates: WalkingGate.Candidates) {
        var second = Second(candidates: candidates)
        var next = States<Float>(repeating: 0)
        if let last = unsettled.last {
            let previous = seconds[last % Self.places].candidates
            for state in 0...candidates.count {
                var best = -Float.infinity
                // A change costs something or nothing: what is not better before it is not better after it.
                for origin in 0...previous.count where scores[origin] > best {
                    let from = origin > 0 ? previous[origin - 1] : nil
                    let to = state > 0 ? candidates[state - 1] : nil
                    let score = scores[origin] - Self.cost(from: from, to: to)
                    if score > best {
                        best = score
                        second.origins[state] = Int8(origin)
                    }
                }
                next[state] = best + (state > 0 ? candidates[state - 1].score : 0)
            }
        } else {
            for state in 0..<candidates.count { next[state + 1] = candidates[state].score - Self.startCost }
        }
        // Only differences matter; keeping the best at zero keeps the numbers small for ever.
        var best = next[0]
        for state in 0..<candidates.count { best = max(best, next[state + 1]) }
        for state in 0...candidates.count { scores[state] = next[state] - best }
        seconds[unsettled.upperBound % Self.places] = second
        unsettled = unsettled.lowerBound..<unsettled.upperBound + 1
    }

    private static func cost(from: WalkingGate.Candidate?, to: WalkingGate.Candidate?) -> Float {
        switch (from, to) {
        case (nil, nil): 0
        case (nil, _): startCost
        case (_, nil): stopCost
        case (let from?, let to?): min(driftCost * abs(log(from.cadence / to.cadence)), jumpCost)
        }
    }

    /// What the best path says of a second, followed back to it from the last one.
    private func verdict(on number: Int) -> Verdict {
        guard let last = unsettled.last else { return Verdict() }
        // Where paths are equally good, the first is taken.
        var state = 0
        for other in 0..<seconds[last % Self.places].candidates.count + 1 where scores[other] > scores[state] {
            state = other
        }
        var verdict = Verdict()
        for number in (number...last).reversed() {
            let place = number % Self.places
            let candidate = state > 0 ? seconds[place].candidates[state - 1] : nil
            let following = verdict.candidate == nil ? 0 : verdict.following + 1
            verdict = Verdict(candidate: candidate, next: verdict.candidate, following: following)
            state = Int(seconds[place].origins[state])
        }
        return verdict
    }
}
