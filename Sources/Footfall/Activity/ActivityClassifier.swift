#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What single seconds look like, as probabilities of six classes: a small neural network.
///
/// The features, standardised, go through one layer of tanh units to a softmax. Its numbers are ``ActivityWeights``;
/// ActivityModel.md says what they were trained on and what they are worth.
enum ActivityClassifier {
    /// The classes, in the order of the network's outputs. `unknown` is a device in busy hands.
    static let classes: [Activity] = [.stationary, .walking, .running, .automotive, .cycling, .unknown]

    /// The logarithm of the probability of each class in the first six lanes, −∞ in the others.
    static func logProbabilities(of features: MotionFeatures) -> SIMD8<Float> {
        features.isQuiet ? network.quiet : network.logProbabilities(of: features.values)
    }

    private static let network = Network()

    /// The weights, laid out for vectors of eight.
    private struct Network: Sendable {
        let mean = SIMD16(ActivityWeights.mean)
        let scale = SIMD16(ActivityWeights.scale)
        let hidden = Self.blocks(ActivityWeights.hidden, of: 8)
        let hiddenBias = Self.blocks(ActivityWeights.hiddenBias, of: 8)
        let output = Self.blocks(ActivityWeights.output, of: classes.count)
        let outputBias = Self.padded(ActivityWeights.outputBias)
        let quiet = Self.padded(ActivityWeights.quiet)

        func logProbabilities(of features: SIMD16<Float>) -> SIMD8<Float> {
            // In memory, where a lane that is chosen at run time costs nothing.
            let inputs = unsafeBitCast((features - mean) / scale, to: InlineArray<16, Float>.self)
            let (inputSpan, hidden, hiddenBias, output) = (inputs.span, hidden.span, hiddenBias.span, output.span)
            // Four sums that need not wait for each other.
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

        /// Eight at a time; where a row is shorter, the rest is zero.
        private static func blocks(_ values: [Float], of width: Int) -> [SIMD8<Float>] {
            stride(from: 0, to: values.count, by: width).map { first in
                var block = SIMD8<Float>()
                for lane in 0..<width { block[lane] = values[first + lane] }
                return block
            }
        }

        /// The values of the classes; no other lane can ever be likely.
        private static func padded(_ values: [Float]) -> SIMD8<Float> {
            var lanes = SIMD8<Float>(repeating: -.infinity)
            for (lane, value) in values.enumerated() { lanes[lane] = value }
            return lanes
        }
    }
}
