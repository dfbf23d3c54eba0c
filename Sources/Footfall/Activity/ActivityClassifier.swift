/// Classifies a window: a small neural network that computes the probability of each ``ActivityClass``.
///
/// The standardized features go through one layer of tanh units to a softmax. The weights are ``ActivityWeights``;
/// ActivityModel.md describes their training and their accuracy.
enum ActivityClassifier {
    /// The logarithm of the probability of each class in a quiet window; −∞ in the lanes without a class.
    static var quietLogProbabilities: ByClass { ByClass(network.quiet) }

    /// The logarithm of the probability of each class in a window that is not quiet. `rate` is the sample rate in Hz.
    static func logProbabilities(of features: WindowFeatures, rate: Float) -> ByClass {
        if isNoise(features, rate: rate) { return WhiteNoise.logProbabilities }
        return ByClass(network.logProbabilities(of: features.values))
    }

    /// Whether a window comes from no body and no vehicle. `rate` is the sample rate in Hz.
    static func isNoise(_ features: WindowFeatures, rate: Float) -> Bool {
        features.isPureTone || features.isWeightless || WhiteNoise.contains(features, rate: rate)
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
            // The model has 72 units: nine blocks of eight.
            let (inputSpan, weights) = (inputs.span, hidden.span.extracting(0..<16 * 9))
            precondition(hiddenBias.count == 9)
            let blocks = InlineArray<9, SIMD8<Float>> { block in
                var sum = hiddenBias[block]
                // In bounds: sixteen rows of nine blocks.
                for index in 0..<16 { sum += weights[unchecked: index &* 9 &+ block] * inputSpan[index] }
                return hyperbolicTangent(sum)
            }
            let units = unsafeBitCast(blocks, to: InlineArray<72, Float>.self)
            let (unitSpan, output) = (units.span, output.span.extracting(0..<units.count))
            // Four independent sums run in parallel.
            var sums = InlineArray<4, SIMD8<Float>>(repeating: SIMD8())
            for first in stride(from: 0, to: units.count, by: 4) {
                for unit in 0..<4 { sums[unit] += output[first + unit] * unitSpan[first + unit] }
            }
            let scores = outputBias + ((sums[0] + sums[1]) + (sums[2] + sums[3]))
            let shifted = scores - scores.max()
            return shifted - logarithm(exponential(shifted).sum())
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
