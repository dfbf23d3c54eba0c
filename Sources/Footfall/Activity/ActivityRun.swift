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
    /// Below it an answer is likelier wrong than right, and none is given. Whether it is gait is not decided here.
    private static let leastProbability: Float = 0.5

    /// What a run is about.
    enum Subject: Hashable {
        /// A class of ``ActivityClassifier``.
        case activity(Int)
        /// Nothing can be told.
        case unknown(UnknownReason)

        static let automotive: Subject? = ActivityClassifier.classes.firstIndex(of: .automotive).map(Subject.activity)
    }

    let subject: Subject
    /// How many seconds it has.
    private(set) var seconds: Float = 0
    private var posterior: Float = 0
    private var evidence: Float = 0

    /// Begins a run.
    init(of subject: Subject) {
        self.subject = subject
    }

    /// Takes the next second.
    ///
    /// - Parameters:
    ///   - answer: The probability of each class according to the chain.
    ///   - probabilities: The same according to the classifier, or the step detector where it has the second in a bout.
    mutating func add(_ answer: SIMD8<Float>, _ probabilities: SIMD8<Float>) {
        guard case .activity(let activity) = subject else { return }
        seconds += 1
        posterior += answer[activity]
        evidence += probabilities[activity]
        // A halt is half a proof of a drive: the classifier sees stillness, and the chain knows why.
        if subject == .automotive { evidence += probabilities[0] / 2 }
    }

    /// What is answered of seconds of the run.
    ///
    /// - Parameter isHalt: Whether the vehicle stands in them.
    func segment(over range: Range<Timestamp>, isHalt: Bool, steps: Int) -> Segment {
        var flags: ActivityFlags = []
        var reason: UnknownReason?
        switch subject {
        case .unknown(let why): reason = why
        case .activity(let activity) where ActivityClassifier.classes[activity] == .unknown: reason = .handled
        case .activity where !isGait && probability < Self.leastProbability: reason = .unclear
        case .activity(let activity):
            flags = ActivityFlags(ActivityClassifier.classes[activity])
            if isHalt { flags.insert(.stationary) }
        }
        return Segment(
            range: range, flags: reason?.flags ?? flags, reason: reason, probability: probability, steps: steps)
    }

    /// The probability that the answer is right.
    private var probability: Float {
        guard case .activity(let activity) = subject, seconds > 0 else { return 1 }
        // Of gait, the step detector's word stands as it is: it is a probability already.
        if isGait { return evidence / seconds }
        let mean = posterior / seconds
        let weights = ActivityWeights.confidence.dropFirst(3 * activity).prefix(3)
        guard weights.count == 3 else { return mean }
        let first = weights.startIndex
        let odds =
            weights[first] + weights[first + 1] * Self.logOdds(mean)
            + weights[first + 2] * Self.logOdds(evidence / seconds)
        return 1 / (1 + exp(-odds))
    }

    private var isGait: Bool {
        guard case .activity(let activity) = subject else { return false }
        return [.walking, .running].contains(ActivityClassifier.classes[activity])
    }

    private static func logOdds(_ probability: Float) -> Float {
        let clipped = min(max(probability, 0.001), 0.999)
        return log(clipped / (1 - clipped))
    }
}
