/// Follows the likeliest cadence from second to second.
///
/// A Viterbi decoder with a fixed lag over the cadences of ``WalkingGate`` and “not on foot”: a walker's rhythm drifts
/// but does not jump, and people neither start nor stop walking every second. What a single second cannot tell, as
/// whether it shows steps or strides, its neighbours do.
struct CadenceTracker: Sendable {
    /// A second's verdict.
    struct Verdict: Sendable {
        /// The number of the cadence in ``WalkingGate/cadences``, or nil when not on foot.
        var cadence: Int?
        /// The log-odds of that cadence, 0 when not on foot.
        var evidence: Float
    }

    /// Seconds to look ahead before a verdict is settled.
    static let lag = 4
    /// The cost, in log-odds, of starting or stopping to walk.
    private static let turnCost: Float = 2
    /// The cost of a change of cadence by one step of 2 %, and the most that any change costs.
    private static let driftCost: Float = 0.4
    private static let jumpCost: Float = 4

    private static let count = WalkingGate.cadences.count
    /// The score of the best path to each cadence and, last, to “not on foot”.
    private var scores = [Float](repeating: 0, count: count + 1)
    /// For each second that is not settled: where the best path to each state came from, and the evidence.
    private var history: [(origins: [UInt8], evidence: [Float]?)] = []

    /// Takes the evidence of the next second.
    ///
    /// - Parameter evidence: From ``WalkingGate/evidence(in:)``.
    /// - Returns: The verdict on the second ``lag`` seconds before, once there is one.
    mutating func add(_ evidence: [Float]?) -> Verdict? {
        history.append((step(with: evidence), evidence))
        guard history.count > Self.lag else { return nil }
        let verdict = path().first
        history.removeFirst()
        return verdict
    }

    /// Settles the seconds that still wait; the signal is over.
    mutating func finish() -> [Verdict] {
        let verdicts = path()
        history = []
        scores = [Float](repeating: 0, count: Self.count + 1)
        return verdicts
    }

    /// Advances the scores by one second and returns where each state's best path came from.
    private mutating func step(with evidence: [Float]?) -> [UInt8] {
        let off = Self.count
        guard let evidence else {
            // Nobody walks: every path ends in “not on foot”.
            let bestOn = (0..<off).max { scores[$0] < scores[$1] } ?? 0
            let origin = scores[bestOn] - Self.turnCost > scores[off] ? bestOn : off
            scores = [Float](repeating: -1e9, count: Self.count + 1)
            scores[off] = 0
            return [UInt8](repeating: UInt8(origin), count: Self.count + 1)
        }
        var origins = [UInt8](repeating: UInt8(off), count: Self.count + 1)
        var next = scores
        let bestOn = (0..<off).max { scores[$0] < scores[$1] } ?? 0
        for state in 0..<off {
            var best = scores[off] - Self.turnCost
            if scores[bestOn] - Self.jumpCost > best {
                best = scores[bestOn] - Self.jumpCost
                origins[state] = UInt8(bestOn)
            }
            let reach = Int(Self.jumpCost / Self.driftCost)
            for origin in max(0, state - reach)...min(off - 1, state + reach) {
                let score = scores[origin] - Self.driftCost * Float(abs(origin - state))
                if score > best {
                    best = score
                    origins[state] = UInt8(origin)
                }
            }
            next[state] = best + evidence[state]
        }
        next[off] = scores[off]
        if scores[bestOn] - Self.turnCost > scores[off] {
            next[off] = scores[bestOn] - Self.turnCost
            origins[off] = UInt8(bestOn)
        }
        // Only differences matter; keeping the best at zero keeps the numbers small for ever.
        let best = next.max() ?? 0
        for state in next.indices { next[state] -= best }
        scores = next
        return origins
    }

    /// The likeliest states of the unsettled seconds.
    private func path() -> [Verdict] {
        var state = scores.indices.max { scores[$0] < scores[$1] } ?? Self.count
        var verdicts: [Verdict] = []
        for second in history.reversed() {
            let isOnFoot = state < Self.count
            let evidence = isOnFoot ? second.evidence?[state] ?? 0 : 0
            verdicts.append(Verdict(cadence: isOnFoot ? state : nil, evidence: evidence))
            state = Int(second.origins[state])
        }
        return verdicts.reversed()
    }
}
