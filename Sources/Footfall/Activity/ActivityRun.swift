/// Consecutive seconds with one result, and the probability that it is right.
///
/// The posterior of the chain alone is overconfident, because neighboring seconds share signal. The probability is a
/// logistic function of its mean and of the mean of the classifier's probabilities since the run began (Platt 1999). It
/// is fitted to the share of right results on data sets that were not used for training.
struct ActivityRun: Sendable {
    /// Below this probability a result is more likely wrong than right and is reported as unclear. Gait is exempt.
    private static let leastProbability: Float = 0.5

    enum Subject: Hashable {
        case known(ActivityClass)
        case unknown(UnknownReason)
    }

    let subject: Subject
    private(set) var seconds: Float = 0
    private var posterior: Float = 0
    private var evidence: Float = 0

    init(of subject: Subject) {
        self.subject = subject
    }

    /// Adds the next second.
    ///
    /// - Parameters:
    ///   - posterior: The probability of each class from the chain, or from the step detector within a bout.
    ///   - probabilities: The probability of each class from the classifier, or from the step detector within a bout.
    mutating func add(_ posterior: ByClass, _ probabilities: ByClass) {
        guard case .known(let activity) = subject else { return }
        seconds += 1
        self.posterior += posterior[activity]
        evidence += probabilities[activity]
        // The classifier observes a halt of a drive as stationary, and busy hands as handled; half of that counts for
        // the drive.
        if activity == .automotive { evidence += (probabilities[.stationary] + probabilities[.handled]) / 2 }
    }

    /// The segment over a range of the run.
    ///
    /// - Parameter isHalt: Whether the vehicle stands during the range.
    func segment(over range: Range<Timestamp>, isHalt: Bool, steps: Int) -> Segment {
        // Needed twice, and expensive.
        let probability = probability
        var flags: ActivityFlags = []
        var reason: UnknownReason?
        switch subject {
        case .unknown(let why): reason = why
        case .known(let known) where !known.isGait && known.activity != nil && probability < Self.leastProbability:
            reason = .unclear
        case .known(let known):
            if let activity = known.activity { flags = ActivityFlags(activity) } else { reason = .handled }
            if isHalt { flags.insert(.stationary) }
        }
        return Segment(
            range: range, flags: reason?.flags ?? flags, reason: reason, probability: probability, steps: steps)
    }

    private var probability: Float {
        guard case .known(let activity) = subject, seconds > 0 else { return 1 }
        let mean = posterior / seconds
        // That of gait comes from the step detector, and between two bouts from the chain: a probability already.
        if activity.isGait { return mean }
        let weights = ActivityWeights.confidence.dropFirst(3 * activity.rawValue).prefix(3)
        guard weights.count == 3 else { return mean }
        let first = weights.startIndex
        let odds =
            weights[first] + weights[first + 1] * Self.logOdds(mean)
            + weights[first + 2] * Self.logOdds(evidence / seconds)
        return logistic(odds)
    }

    private static func logOdds(_ probability: Float) -> Float {
        let clipped = min(max(probability, 0.001), 0.999)
        return logarithm(clipped / (1 - clipped))
    }
}
