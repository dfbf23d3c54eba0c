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

    /// The weights, laid out so that all units are reckoned side by side.
    private struct Network: Sendable {
        private typealias Weights = WalkingGateWeights

        /// What standardises each input.
        private let mean = Weights.mean
        private let factor = Weights.scale.map { 1 / $0 }
        private let linear = Weights.linear
        /// What each input adds to each unit.
        private let hidden: [Units]
        private let bias = Units(Weights.hiddenBias)
        /// What each unit adds to the score.
        private let output = Units(Weights.output)

        /// A number for each unit; lanes without a unit are 0.
        private struct Units: Sendable {
            var low = SIMD16<Float>()
            var high = SIMD8<Float>()

            init(_ values: [Float]) {
                for (lane, value) in values.enumerated() {
                    if lane < 16 { low[lane] = value } else { high[lane - 16] = value }
                }
            }
        }

        init() {
            let count = Weights.mean.count
            hidden = (0..<count).map { input in
                Units(Weights.output.indices.map { Weights.hidden[$0 * count + input] })
            }
        }

        func score(_ features: GaitFeatures.Inputs) -> Float {
            let (mean, factor, linear, hidden) = (mean.span, factor.span, linear.span, hidden.span)
            var score = Weights.bias
            var units = bias
            for index in features.indices {
                let deviation = (features[index] - mean[index]) * factor[index]
                let input = min(max(deviation, -mostDeviation), mostDeviation)
                score += input * linear[index]
                units.low += hidden[index].low * input
                units.high += hidden[index].high * input
            }
            var said = Self.positive(units.low.lowHalf) * output.low.lowHalf
            said += Self.positive(units.low.highHalf) * output.low.highHalf
            said += Self.positive(units.high) * output.high
            return min(max(score + said.sum(), -mostScore), mostScore)
        }

        @inline(__always)
        private static func positive(_ units: SIMD8<Float>) -> SIMD8<Float> {
            units.replacing(with: 0, where: units .< 0)
        }
    }
}
