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

    subscript(index: Int) -> ScoredCadence { elements[index] }

    mutating func append(_ cadence: ScoredCadence) {
        elements[count] = cadence
        count += 1
    }

    /// Whether any cadence has a score above `score`.
    func hasScore(above score: Float) -> Bool {
        for index in 0..<count where elements[index].score > score { return true }
        return false
    }
}
