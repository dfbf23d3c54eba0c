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
        var origins: [Int]
    }

    private var seconds: [Second] = []
    /// The score of the best path to “not on foot” and to each of the last second's candidates.
    private var scores: [Float] = []

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
        scores = []
        return path
    }

    private mutating func advance(_ candidates: [WalkingGate.Candidate]) {
        let previous = seconds.last?.candidates ?? []
        guard !scores.isEmpty else {
            scores = [0] + candidates.map { $0.score - Self.startCost }
            seconds.append(Second(candidates: candidates, origins: []))
            return
        }
        var origins = [Int](repeating: 0, count: candidates.count + 1)
        var next = [Float](repeating: 0, count: candidates.count + 1)
        for state in next.indices {
            var best = -Float.infinity
            for origin in scores.indices {
                let from = origin > 0 ? previous[origin - 1] : nil
                let to = state > 0 ? candidates[state - 1] : nil
                let score = scores[origin] - Self.cost(from: from, to: to)
                if score > best {
                    best = score
                    origins[state] = origin
                }
            }
            next[state] = best + (state > 0 ? candidates[state - 1].score : 0)
        }
        // Only differences matter; keeping the best at zero keeps the numbers small for ever.
        let best = next.max() ?? 0
        scores = next.map { $0 - best }
        seconds.append(Second(candidates: candidates, origins: origins))
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
        var state = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        // Where paths are equally good, the first is taken.
        state = scores.firstIndex(of: scores.isEmpty ? 0 : scores[state]) ?? 0
        var path = [WalkingGate.Candidate?](repeating: nil, count: seconds.count)
        for index in seconds.indices.reversed() {
            if state > 0 { path[index] = seconds[index].candidates[state - 1] }
            state = seconds[index].origins.isEmpty ? 0 : seconds[index].origins[state]
        }
        return path
    }
}
