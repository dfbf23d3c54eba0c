/// The observation of a second for ``ActivityChain``.
struct Observation: Sendable {
    /// Why the second has no observation; nil if it has one.
    let missing: UnknownReason?
    /// The likelihood of each state of the chain.
    let likelihood: ByState
    /// The probability of each class, from the classifier.
    let probabilities: ByClass

    /// Creates the observation of a window; `rate` is the sample rate in Hz.
    init(_ features: WindowFeatures, rate: Float) {
        self =
            features.isQuiet ? Self.quiet : Observation(ActivityClassifier.logProbabilities(of: features, rate: rate))
    }

    /// The observation of any window without motion.
    private static let quiet = Observation(ActivityClassifier.quietLogProbabilities)

    private init(_ logProbabilities: ByClass) {
        missing = nil
        probabilities = ByClass(exponential(logProbabilities.vector))
        likelihood = ActivityChain.likelihood(logProbabilities, probabilities)
    }

    /// Creates a missing observation.
    init(missing reason: UnknownReason) {
        missing = reason
        likelihood = ActivityChain.noLikelihood
        probabilities = ByClass()
    }
}
