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

    /// The candidates of a second, the most regular first: no more than ``GaitFeatures/mostCandidates``, in no memory of their own.
    struct Candidates: Sendable {
        private var places = InlineArray<6, Candidate>(repeating: Candidate(cadence: 0, score: 0))
        private(set) var count = 0

        subscript(index: Int) -> Candidate { places[index] }

        mutating func append(_ candidate: Candidate) {
            places[count] = candidate
            count += 1
        }

        /// Whether none of them scores more than `score`.
        func isHopeless(_ score: Float) -> Bool {
            for index in 0..<count where places[index].score > score { return false }
            return true
        }
    }

    /// Features further than this from their mean, in standard deviations, say no more than those at it.
    private static let mostDeviation: Float = 4
    /// A single second says no more than this, in log-odds.
    private static let mostScore: Float = 12

    private var features = GaitFeatures()

    /// The candidates of the second around a sample of the low-passed signal; none when feet cannot have made it.
    mutating func candidates(in signal: Grid, around centre: Int64) -> Candidates {
        var candidates = Candidates()
        features.measure(signal, around: centre) { cadence, inputs in
            candidates.append(Candidate(cadence: cadence, score: Self.network.score(inputs)))
        }
        return candidates
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
            return min(max(score + said(by: low, middle, high), -mostScore), mostScore)
        }

        /// What the units add to the score. Never inlined, so that their sums stay whole vectors.
        @inline(never)
        private func said(by low: SIMD8<Float>, _ middle: SIMD8<Float>, _ high: SIMD8<Float>) -> Float {
            var said = Self.positive(low) * output.eights[0]
            said += Self.positive(middle) * output.eights[1]
            said += Self.positive(high) * output.eights[2]
            return said.sum()
        }

        @inline(__always)
        private static func positive(_ units: SIMD8<Float>) -> SIMD8<Float> {
            units.replacing(with: 0, where: units .< 0)
        }
    }
}
