/// A cadence at which the wearer may be walking or running, with its score.
struct ScoredCadence: Sendable {
    /// Steps per second.
    var hertz: Float
    /// The log-odds of walking or running at this cadence.
    var score: Float

    /// Whether the score is as high as in few seconds of a ride.
    var isSure: Bool { score >= 3 }
}

/// The possible cadences of a second, the most regular first. They are stored inline, without a heap allocation.
struct ScoredCadences: Sendable {
    private var elements = InlineArray<6, ScoredCadence>(repeating: ScoredCadence(hertz: 0, score: 0))
    /// At most six, which is ``GaitFeatures/mostCandidates``.
    private(set) var count = 0
    /// The log-odds that the one with the highest score is walking or running and no other rhythm; 0 for undecided.
    var check: Float = 0
    /// Whether that one varies as much as exercises do.
    var isVigorous = false
    /// The log-odds that it is a hop on one spot and no step, at least 0.
    var hopOdds: Float = 0

    subscript(index: Int) -> ScoredCadence { elements[index] }

    mutating func append(_ cadence: ScoredCadence) {
        elements[count] = cadence
        count += 1
    }

    func hasScore(above score: Float) -> Bool {
        for index in 0..<count where elements[index].score > score { return true }
        return false
    }
}

/// Seconds with a cadence whose evidence does not suffice for a bout yet, with the pauses between them.
struct BoutCandidate: Sendable {
    /// The score that counts as no evidence, in log-odds. To confirm a bout takes more evidence than to continue it.
    private static let margin: Float = 1.25
    /// The evidence of a short bout, such as a walk across a room, if no more follows. …
    private static let shortEvidence: Float = 1
    /// … Hands seldom pass the check for all of it: the least mean of its checks, weighted by their scores. …
    private static let shortCheck: Float = 1
    /// … What hands did before counts too: the least log-odds of ``WalkingCheck``, which are 2 if it had no reason to
    /// doubt.
    private static let leastTrust: Float = 1.5
    /// The sum of checks that begins a bout after doubt, so that no walk waits for the doubt about a ride before it to
    /// fade.
    private static let sureChecks: Float = 6

    /// A second with a cadence.
    struct Member: Sendable {
        let second: Int64
        let cadence: ScoredCadence
        /// The standard deviation of the magnitude, in g, once measured.
        var deviation: Float = 0
    }

    private(set) var members: [Member] = []
    /// The number of its seconds, with the latest ones without a cadence.
    var count: Int { members.count + pause }
    /// The latest seconds without a cadence.
    var pause = 0
    private(set) var evidence: Float = 0
    /// Whether one of the seconds is surely gait.
    var isSure = false
    /// The sum of the positive scores, and that of the checks, weighted by these scores.
    private var scores: Float = 0
    private var weightedChecks: Float = 0
    /// The sum of the checks: a few steps after a run may be a hand that comes to rest.
    private var checks: Float = 0
    /// The log-odds of the sum of all checks.
    private var odds: Float = 0

    /// Whether the seconds suffice if no more follow.
    var isShortBout: Bool {
        evidence >= Self.shortEvidence && weightedChecks >= Self.shortCheck * scores && odds >= Self.leastTrust
    }

    /// Whether the checks let a bout begin.
    var isTrusted: Bool { checks >= (odds >= Self.leastTrust ? 0 : Self.sureChecks) }

    static func evidence(_ evidence: Float, and member: Member) -> Float {
        max(0, evidence + member.cadence.score - margin)
    }

    /// Adds a second with a cadence, after the pause before it. The cadence of the pause is interpolated.
    mutating func append(_ member: Member, check: Float, odds: Float) {
        let score = max(0, member.cadence.score)
        scores += score
        weightedChecks += score * check
        checks += check
        evidence = Self.evidence(evidence, and: member)
        self.odds = odds
        if let last = members.last {
            let slope = (member.cadence.hertz - last.cadence.hertz) / Float(pause + 1)
            for offset in 0..<pause {
                let hertz = last.cadence.hertz + slope * Float(offset + 1)
                let second = last.second + Int64(offset) + 1
                members.append(Member(second: second, cadence: ScoredCadence(hertz: hertz, score: 0)))
            }
        }
        pause = 0
        members.append(member)
    }

    mutating func removeEarliest() -> Member { members.removeFirst() }
}
