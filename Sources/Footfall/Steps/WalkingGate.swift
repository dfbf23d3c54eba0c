/// Scores the possible cadences of a second: how much the signal around it resembles walking or running.
///
/// Gait is periodic twice over. Every step shakes the body up and down, and every second step is made by the same leg and arm.
/// ``GaitFeatures`` measures both in the spectrum and in the autocorrelation. A small trained network
/// (``WalkingGateWeights``) weighs the features.
struct WalkingGate: Sendable {
    /// Features are limited to this distance from their mean, in standard deviations.
    private static let mostDeviation: Float = 4
    /// The largest score of a single second, in log-odds.
    private static let mostScore: Float = 12

    private var features = GaitFeatures()

    /// The scored cadences of the second around a value of the low-passed signal; none if the signal cannot come from gait.
    mutating func cadences(in signal: SignalBuffer, around centre: Int64) -> ScoredCadences {
        var cadences = ScoredCadences()
        features.measure(signal, around: centre) { hertz, inputs in
            cadences.append(ScoredCadence(hertz: hertz, score: Self.network.score(inputs)))
        }
        return cadences
    }

    private static let network = Network()

    /// The weights, arranged so that all units are computed side by side.
    private struct Network: Sendable {
        private typealias Weights = WalkingGateWeights

        /// The mean and the reciprocal of the scale, which standardise each input.
        private let mean = Weights.mean
        private let factor = Weights.scale.map { 1 / $0 }
        private let linear = Weights.linear
        /// The weights of each input for all units.
        private let hidden: [Units]
        private let bias = Units(Weights.hiddenBias)
        private let output = Units(Weights.output)

        private struct Units: Sendable {
            var eights = InlineArray<3, SIMD8<Float>>(repeating: SIMD8())

            init(_ values: [Float]) {
                for (lane, value) in values.enumerated() { eights[lane / 8][lane % 8] = value }
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
            let features = features.span
            var score = Weights.bias
            var (low, middle, high) = (bias.eights[0], bias.eights[1], bias.eights[2])
            for index in features.indices {
                let deviation = (features[index] - mean[index]) * factor[index]
                let input = min(max(deviation, -mostDeviation), mostDeviation)
                score += input * linear[index]
                low += hidden[index].eights[0] * input
                middle += hidden[index].eights[1] * input
                high += hidden[index].eights[2] * input
            }
            return min(max(score + outputSum(low, middle, high), -mostScore), mostScore)
        }

        /// The contribution of the units to the score. Never inlined, so that the compiler keeps whole vectors.
        @inline(never)
        private func outputSum(_ low: SIMD8<Float>, _ middle: SIMD8<Float>, _ high: SIMD8<Float>) -> Float {
            var sum = Self.rectified(low) * output.eights[0]
            sum += Self.rectified(middle) * output.eights[1]
            sum += Self.rectified(high) * output.eights[2]
            return sum.sum()
        }

        @inline(__always)
        private static func rectified(_ units: SIMD8<Float>) -> SIMD8<Float> {
            units.replacing(with: 0, where: units .< 0)
        }
    }
}
