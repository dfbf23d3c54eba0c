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

    /// A second that is not settled.
    private struct Second: Sendable {
        var candidates: [WalkingGate.Candidate]
        /// For “not on foot” and each candidate: the state of the second before on the best path.
        var origins = States<Int>(repeating: 0)
    }

    /// Something for “not on foot” and for each of as many candidates as there can be: ``GaitFeatures/mostCandidates``.
    private typealias States<Value> = InlineArray<7, Value>

    private var seconds: [Second] = []
    /// The score of the best path to “not on foot” and to each of the last second's candidates.
    private var scores = States<Float>(repeating: 0)

    /// Takes the candidates of the next second.
    ///
    /// - Returns: The best path through the unsettled seconds, a candidate or nil for each. Once it is longer than ``lag``,
    ///   the first of it is settled and the second it stands for forgotten; the others are provisional.
    mutating func add(_ candidates: [WalkingGate.Candidate]) -> [WalkingGate.Candidate?] {
        advance(candidates)
        let path = path()
        if path.count > Self.lag { seconds.removeFirst() }
        return path
    }

    /// The best path through the seconds that are not settled, now that there will be no more.
    mutating func finish() -> [WalkingGate.Candidate?] {
        let path = path()
        seconds = []
        return path
    }

    private mutating func advance(_ candidates: [WalkingGate.Candidate]) {
        var second = Second(candidates: candidates)
        var next = States<Float>(repeating: 0)
        if let previous = seconds.last?.candidates {
            for state in 0...candidates.count {
                var best = -Float.infinity
                for origin in 0...previous.count {
                    let from = origin > 0 ? previous[origin - 1] : nil
                    let to = state > 0 ? candidates[state - 1] : nil
                    let score = scores[origin] - Self.cost(from: from, to: to)
                    if score > best {
                        best = score
                        second.origins[state] = origin
                    }
                }
                next[state] = best + (state > 0 ? candidates[state - 1].score : 0)
            }
        } else {
            for state in candidates.indices { next[state + 1] = candidates[state].score - Self.startCost }
        }
        // Only differences matter; keeping the best at zero keeps the numbers small for ever.
        var best = next[0]
        for state in candidates.indices { best = max(best, next[state + 1]) }
        for state in 0...candidates.count { scores[state] = next[state] - best }
        seconds.append(second)
    }

    private static func cost(from: WalkingGate.Candidate?, to: WalkingGate.Candidate?) -> Float {
        switch (from, to) {
        case (nil, nil): 0
        case (nil, _): startCost
        case (_, nil): stopCost
        case (let from?, let to?): min(driftCost * abs(log(from.cadence / to.cadence)), jumpCost)
        }
    }

    private func path() -> [WalkingGate.Candidate?] {
        guard let last = seconds.last else { return [] }
        // Where paths are equally good, the first is taken.
        var state = (0...last.candidates.count).reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
        var path = [WalkingGate.Candidate?](repeating: nil, count: seconds.count)
        for index in seconds.indices.reversed() {
            if state > 0 { path[index] = seconds[index].candidates[state - 1] }
            state = seconds[index].origins[state]
        }
        return path
    }
}
