/// Says, for each cadence a person may have at a moment, how much the signal around it looks like walking or running.
///
/// Gait is periodic twice over: every step shakes the body up and down, and every second step is made by the same leg and
/// arm. ``GaitFeatures`` measures what that leaves in the spectrum and in the autocorrelation; a small learnt model
/// (``WalkingGateWeights``) weighs it.
struct WalkingGate: Sendable {
    /// A cadence someone may be walking at.
    struct Candidate: Sendable {
        /// In Hz.
        var cadence: Float
        /// The log-odds of walking at this cadence against not walking.
        var score: Float
    }

    /// Features further than this from their mean, in standard deviations, say no more than those at it.
    private static let mostDeviation: Float = 4
    /// A single second says no more than this, in log-odds.
    private static let mostScore: Float = 12

    private var features = GaitFeatures()

    /// The candidates of the second around a sample of the low-passed signal; none when feet cannot have made it.
    mutating func candidates(in signal: Grid, around centre: Int64) -> [Candidate] {
        let cadences = features.candidates(in: signal, around: centre)
        guard !cadences.isEmpty else { return [] }
        return zip(cadences, features.features(of: cadences)).map { cadence, features in
            Candidate(cadence: cadence, score: Self.score(features))
        }
    }

    private static func score(_ features: [Float]) -> Float {
        typealias Weights = WalkingGateWeights
        let count = features.count
        var inputs = features
        var score = Weights.bias
        for index in 0..<count {
            let deviation = (features[index] - Weights.mean[index]) / Weights.scale[index]
            inputs[index] = min(max(deviation, -mostDeviation), mostDeviation)
            score += inputs[index] * Weights.linear[index]
        }
        for unit in Weights.output.indices {
            var sum = Weights.hiddenBias[unit]
            for index in 0..<count { sum += inputs[index] * Weights.hidden[unit * count + index] }
            score += max(sum, 0) * Weights.output[unit]
        }
        return min(max(score, -mostScore), mostScore)
    }
}
