#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Consecutive seconds with one answer, and how far it can be relied on.
///
/// The chain's posterior alone promises too much, because neighbouring seconds repeat each other. What can be believed is
/// a logistic function of its mean and of the mean of the classifier's own probabilities since the run began, fitted to
/// how often answers were right about data sets that the training had not seen (Platt 1999).
struct ActivityRun: Sendable {
    /// What is answered.
    let flags: ActivityFlags
    private let activity: Int?
    private var seconds: Float = 0
    private var posterior: Float = 0
    private var evidence: Float = 0

    /// Begins a run of a class of ``ActivityClassifier``; nil when there was too little to go by.
    init(of activity: Int?) {
        self.activity = activity
        flags = Self.flags(of: activity)
    }

    /// The flags of an answer. Busy hands are none of the activities, which is another thing than too little data.
    static func flags(of activity: Int?) -> ActivityFlags {
        guard let activity else { return .unknown }
        let named = ActivityClassifier.classes[activity]
        return named == .unknown ? [] : ActivityFlags(named)
    }

    /// Takes the next second.
    ///
    /// - Parameters:
    ///   - answer: The probability of each class according to the chain.
    ///   - probabilities: The same according to the classifier, or the step detector where it has the second in a bout.
    mutating func add(_ answer: SIMD8<Float>, _ probabilities: SIMD8<Float>) {
        guard let activity else { return }
        seconds += 1
        posterior += answer[activity]
        evidence += probabilities[activity]
        // A halt is half a proof of a drive: the classifier sees stillness, and the chain knows why.
        if ActivityClassifier.classes[activity] == .automotive { evidence += probabilities[0] / 2 }
    }

    /// The probability that the answer is right.
    var probability: Float {
        guard let activity, seconds > 0 else { return 1 }
        // Of gait, the step detector's word stands as it is: it is a probability already.
        if flags == .walking || flags == .running { return evidence / seconds }
        let mean = posterior / seconds
        let weights = ActivityWeights.confidence.dropFirst(3 * activity).prefix(3)
        guard weights.count == 3 else { return mean }
        let first = weights.startIndex
        let odds =
            weights[first] + weights[first + 1] * Self.logOdds(mean)
            + weights[first + 2] * Self.logOdds(evidence / seconds)
        return 1 / (1 + exp(-odds))
    }

    private static func logOdds(_ probability: Float) -> Float {
        let clipped = min(max(probability, 0.001), 0.999)
        return log(clipped / (1 - clipped))
    }
}
