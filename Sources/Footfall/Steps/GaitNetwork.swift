/// A small trained network over the features of a cadence candidate: one layer of rectified linear units beside a linear part.
///
/// The units are computed side by side.
struct GaitNetwork: Sendable {
    /// Features are limited to this distance from their mean, in standard deviations.
    private static let mostDeviation: Float = 4

    /// The mean and the reciprocal of the scale, which standardise each input.
    private let mean: [Float]
    private let factor: [Float]
    private let linear: [Float]
    /// The weights of each input for all units.
    private let hidden: [Units]
    private let hiddenBias: Units
    /// The weight of each unit for the score.
    private let output: Units
    private let bias: Float
    /// The largest score, in log-odds.
    private let mostScore: Float

    /// A number for each of at most 24 units.
    private struct Units: Sendable {
        var eights = InlineArray<3, SIMD8<Float>>(repeating: SIMD8())

        init(_ values: [Float]) {
            for (lane, value) in values.enumerated() { eights[lane / 8][lane % 8] = value }
        }
    }

    /// Arranges weights; `hidden` has a row of inputs for each unit.
    init(
        mean: [Float], scale: [Float], linear: [Float], hidden: [Float], hiddenBias: [Float], output: [Float],
        bias: Float, mostScore: Float
    ) {
        self.mean = mean
        factor = scale.map { 1 / $0 }
        self.linear = linear
        self.hidden = mean.indices.map { input in
            Units(output.indices.map { hidden[$0 * mean.count + input] })
        }
        self.hiddenBias = Units(hiddenBias)
        self.output = Units(output)
        self.bias = bias
        self.mostScore = mostScore
    }

    /// The score of the first inputs, as many as the network has.
    func score(_ features: GaitFeatures.Inputs) -> Float {
        var standardised = GaitFeatures.Inputs(repeating: 0)
        standardise(features.span, into: &standardised)
        let (linear, hidden, inputs) = (linear.span, hidden.span, standardised.span)
        var score = bias
        var (low, middle, high) = (hiddenBias.eights[0], hiddenBias.eights[1], hiddenBias.eights[2])
        for index in hidden.indices {
            let input = inputs[index]
            score += input * linear[index]
            low += hidden[index].eights[0] * input
            middle += hidden[index].eights[1] * input
            high += hidden[index].eights[2] * input
        }
        return min(max(score + outputSum(low, middle, high), -mostScore), mostScore)
    }

    /// In a loop of its own, so that the compiler standardises four inputs at once.
    private func standardise(_ features: Span<Float>, into inputs: inout GaitFeatures.Inputs) {
        var results = inputs.mutableSpan
        let (mean, factor) = (mean.span, factor.span)
        for index in mean.indices {
            let deviation = (features[index] - mean[index]) * factor[index]
            results[index] = min(max(deviation, -Self.mostDeviation), Self.mostDeviation)
        }
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
