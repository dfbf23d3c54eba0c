/// A small trained network over the features of a cadence candidate: one layer of rectified linear units beside a
/// linear part.
struct GaitNetwork: Sendable {
    /// Features are limited to this distance from their mean, in standard deviations.
    private static let mostDeviation: Float = 4

    /// The mean and the reciprocal of the scale, which standardize each input.
    private let mean: [Float]
    private let factor: [Float]
    private let linear: [Float]
    private let banks: [Bank]
    private let bias: Float
    /// The largest score, in log-odds.
    private let mostScore: Float

    /// The number of units whose sums fit into the registers of a processor.
    private static let bankSize = 24

    /// A number for each unit of a bank.
    private struct Units: Sendable {
        var eights = InlineArray<3, SIMD8<Float>>(repeating: SIMD8())

        init(_ values: some Sequence<Float>) {
            for (lane, value) in values.enumerated() { eights[lane / 8][lane % 8] = value }
        }
    }

    /// Units that are computed side by side.
    private struct Bank: Sendable {
        /// The weights of each input.
        let hidden: [Units]
        let hiddenBias: Units
        /// The weight of each unit for the score.
        let output: Units
    }

    /// Arranges the weights in a file.
    ///
    /// Its tables are the mean and the standard deviation of each input over the training windows, the weight of each
    /// input for the score, the weights of the inputs for each unit, unit by unit, the bias of each unit, its weight
    /// for the score, and the bias of the score.
    init(_ file: [UInt8], version: UInt32, inputs: Int, units: Int, mostScore: Float) {
        let weights = NetworkWeights(
            file, version: version, sizes: [inputs, inputs, inputs, inputs * units, units, units, 1])
        let (mean, scale, linear, hidden) = (weights[0], weights[1], weights[2], weights[3])
        let (hiddenBias, output) = (weights[4], weights[5])
        self.mean = mean
        factor = scale.map { 1 / $0 }
        self.linear = linear
        banks = stride(from: 0, to: output.count, by: Self.bankSize).map { first in
            let units = first..<min(first + Self.bankSize, output.count)
            return Bank(
                hidden: mean.indices.map { input in Units(units.map { hidden[$0 * mean.count + input] }) },
                hiddenBias: Units(hiddenBias[units]), output: Units(output[units]))
        }
        bias = weights[6][0]
        self.mostScore = mostScore
    }

    /// The score of the first inputs, as many as the network has.
    func score(_ features: GaitFeatures.Inputs) -> Float {
        var standardized = GaitFeatures.Inputs(repeating: 0)
        standardize(features.span, into: &standardized)
        let (linear, inputs) = (linear.span, standardized.span)
        var score = bias
        for index in linear.indices { score += inputs[index] * linear[index] }
        for bank in banks { score += Self.score(of: bank, inputs) }
        return min(max(score, -mostScore), mostScore)
    }

    private static func score(of bank: borrowing Bank, _ inputs: Span<Float>) -> Float {
        let hidden = bank.hidden.span
        var (low, middle, high) = (
            bank.hiddenBias.eights[0], bank.hiddenBias.eights[1], bank.hiddenBias.eights[2]
        )
        for index in hidden.indices {
            let input = inputs[index]
            low += hidden[index].eights[0] * input
            middle += hidden[index].eights[1] * input
            high += hidden[index].eights[2] * input
        }
        return outputSum(low, middle, high, bank.output)
    }

    /// In a loop of its own, so that the compiler standardizes four inputs at once.
    private func standardize(_ features: Span<Float>, into inputs: inout GaitFeatures.Inputs) {
        var results = inputs.mutableSpan
        let (mean, factor) = (mean.span, factor.span)
        for index in mean.indices {
            let deviation = (features[index] - mean[index]) * factor[index]
            results[index] = min(max(deviation, -Self.mostDeviation), Self.mostDeviation)
        }
    }

    /// The contribution of the units to the score. Never inlined, so that the compiler keeps whole vectors.
    @inline(never)
    private static func outputSum(
        _ low: SIMD8<Float>, _ middle: SIMD8<Float>, _ high: SIMD8<Float>, _ output: Units
    ) -> Float {
        var sum = rectified(low) * output.eights[0]
        sum += rectified(middle) * output.eights[1]
        sum += rectified(high) * output.eights[2]
        return sum.sum()
    }

    @inline(__always)
    private static func rectified(_ units: SIMD8<Float>) -> SIMD8<Float> {
        units.replacing(with: 0, where: units .< 0)
    }
}
