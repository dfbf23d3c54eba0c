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
        features.candidates(in: signal, around: centre).map { candidate in
            Candidate(cadence: candidate.cadence, score: Self.network.score(candidate.inputs))
        }
    }

    private static let network = Network()

    /// The weights, laid out for vectors of eight units.
    private struct Network: Sendable {
        private typealias Weights = WalkingGateWeights
        private let mean = Weights.mean
        private let scale = Weights.scale
        private let linear = Weights.linear
        /// Eight units after the other, and of them input after input; units that do not exist weigh nothing.
        private let hidden: [SIMD8<Float>]
        private let hiddenBias: [SIMD8<Float>]
        private let output: [SIMD8<Float>]

        init() {
            let inputs = Weights.mean.count
            let blocks = stride(from: 0, to: Weights.output.count, by: 8)
            func lanes(_ first: Int, _ weight: (Int) -> Float) -> SIMD8<Float> {
                var lanes = SIMD8<Float>()
                for unit in first..<min(first + 8, Weights.output.count) { lanes[unit - first] = weight(unit) }
                return lanes
            }
            hidden = blocks.flatMap { first in
                (0..<inputs).map { input in lanes(first) { Weights.hidden[$0 * inputs + input] } }
            }
            hiddenBias = blocks.map { first in lanes(first) { Weights.hiddenBias[$0] } }
            output = blocks.map { first in lanes(first) { Weights.output[$0] } }
        }

        func score(_ features: GaitFeatures.Inputs) -> Float {
            var inputs = features
            var score = Weights.bias
            for index in inputs.indices {
                let deviation = (features[index] - mean[index]) / scale[index]
                inputs[index] = min(max(deviation, -mostDeviation), mostDeviation)
                score += inputs[index] * linear[index]
            }
            let hidden = hidden.span
            for block in output.indices {
                var sums = hiddenBias[block]
                for index in inputs.indices { sums += hidden[block * inputs.count + index] * inputs[index] }
                let units = pointwiseMax(sums, SIMD8()) * output[block]
                for lane in 0..<8 { score += units[lane] }
            }
            return min(max(score, -mostScore), mostScore)
        }
    }
}
