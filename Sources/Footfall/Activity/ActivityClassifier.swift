#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Classifies a window: a small neural network that computes the probability of each ``ActivityClass``.
///
/// The standardised features go through one layer of tanh units to a softmax. The weights are ``ActivityWeights``;
/// ActivityModel.md describes their training and their accuracy.
enum ActivityClassifier {
    /// The logarithm of the probability of each class in a quiet window; −∞ in the lanes without a class.
    static var quietLogProbabilities: ByClass { ByClass(network.quiet) }

    /// The logarithm of the probability of each class in a window that is not quiet. `rate` is the sample rate in Hz.
    static func logProbabilities(of features: WindowFeatures, rate: Float) -> ByClass {
        if WhiteNoise.contains(features, rate: rate) { return WhiteNoise.logProbabilities }
        let logs = ByClass(network.logProbabilities(of: features.values))
        return Suspension.excludesBicycle(features, rate: rate) ? Suspension.withoutBicycle(logs) : logs
    }

    private static let network = Network()

    /// The weights, arranged for vectors of eight.
    private struct Network: Sendable {
        let mean = SIMD16(ActivityWeights.mean)
        let scale = SIMD16(ActivityWeights.scale)
        let hidden = Self.blocks(ActivityWeights.hidden, of: 8)
        let hiddenBias = Self.blocks(ActivityWeights.hiddenBias, of: 8)
        let output = Self.blocks(ActivityWeights.output, of: ActivityClass.allCases.count)
        let outputBias = Self.padded(ActivityWeights.outputBias)
        let quiet = Self.padded(ActivityWeights.quiet)

        func logProbabilities(of features: SIMD16<Float>) -> SIMD8<Float> {
            // In memory, where access to a lane chosen at run time is cheap.
            let inputs = unsafeBitCast((features - mean) / scale, to: InlineArray<16, Float>.self)
            let (inputSpan, hidden, hiddenBias, output) = (inputs.span, hidden.span, hiddenBias.span, output.span)
            // Four independent sums run in parallel.
            var sums = InlineArray<4, SIMD8<Float>>(repeating: SIMD8())
            for block in hiddenBias.indices {
                var sum = hiddenBias[block]
                for index in 0..<16 { sum += hidden[index * hiddenBias.count + block] * inputSpan[index] }
                // tanh x = 1 − 2 / (1 + exp 2x)
                let units = 1 - 2 / (1 + exponential(2 * sum))
                for lane in 0..<8 { sums[lane & 3] += output[block * 8 + lane] * units[lane] }
            }
            let scores = outputBias + ((sums[0] + sums[1]) + (sums[2] + sums[3]))
            let shifted = scores - scores.max()
            return shifted - log(exponential(shifted).sum())
        }

        /// Rows of up to eight values; missing values are zero.
        private static func blocks(_ values: [Float], of width: Int) -> [SIMD8<Float>] {
            stride(from: 0, to: values.count, by: width).map { first in
                var block = SIMD8<Float>()
                for lane in 0..<width { block[lane] = values[first + lane] }
                return block
            }
        }

        /// The values of the classes, and −∞ in the other lanes.
        private static func padded(_ values: [Float]) -> SIMD8<Float> {
            var lanes = SIMD8<Float>(repeating: -.infinity)
            for (lane, value) in values.enumerated() { lanes[lane] = value }
            return lanes
        }
    }
}
