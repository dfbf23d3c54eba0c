/// Scores the possible cadences of a second: how much the signal around it resembles walking or running.
///
/// Gait has two periods: every step shakes the body up and down, and every second step is made by the same leg and arm.
/// ``GaitFeatures`` measures both in the spectrum and in the autocorrelation. A small trained network weighs the
/// features.
///
/// Other rhythms pass too, above all pedals and busy hands. A second network, the check, is trained on what passes the
/// first one. It scores the best candidate with the features of ``GaitRoughness``, ``GaitShape`` and ``GaitDirection``
/// beside the others. ``WalkingCheck`` sums its scores over time.
struct WalkingGate: Sendable {
    /// A second without a higher score is not checked: the tracker hardly ever chooses one of its candidates.
    private static let leastChecked: Float = -2
    private static let windowLength = GaitFeatures.windowSeconds * Int(AnalysisGrid.halfRate.hertz)

    private var features = GaitFeatures()
    private var roughness = GaitRoughness(windowLength: windowLength)

    /// The scored cadences of the second around a value of the low-passed signal; none if the signal cannot come from
    /// gait.
    mutating func cadences(in signal: SplitSignal, around center: Int64) -> ScoredCadences {
        var cadences = ScoredCadences()
        var best = ScoredCadence(hertz: 0, score: Self.leastChecked)
        var bestInputs = GaitFeatures.Inputs(repeating: 0)
        features.measure(signal.lowPassed, around: center) { hertz, inputs in
            let cadence = ScoredCadence(hertz: hertz, score: Self.gate.score(inputs))
            cadences.append(cadence)
            if cadence.score > best.score { (best, bestInputs) = (cadence, inputs) }
        }
        if best.hertz > 0 {
            roughness.load(signal, around: center)
            guard !features.isPureTone(besides: roughness.power) else { return ScoredCadences() }
            addCheckInputs(at: best.hertz, GaitShape(features.deviations), to: &bestInputs)
            let hopOdds = features.hopOdds(at: best.hertz)
            cadences.check = max(Self.check.score(bestInputs) - hopOdds, -WalkingCheck.mostScore)
            cadences.isVigorous = features.isVigorous
            cadences.hopOdds = hopOdds
        }
        return cadences
    }

    /// The cadences of the second around a value in Hz, and all inputs of the gate and of the check at each, for
    /// training.
    mutating func inputs(
        in signal: SplitSignal, around center: Int64
    ) -> [(hertz: Float, inputs: GaitFeatures.Inputs)] {
        var rows: [(hertz: Float, inputs: GaitFeatures.Inputs)] = []
        features.measure(signal.lowPassed, around: center) { rows.append((hertz: $0, inputs: $1)) }
        guard !rows.isEmpty else { return [] }
        roughness.load(signal, around: center)
        guard !features.isPureTone(besides: roughness.power) else { return [] }
        let shape = GaitShape(features.deviations)
        for index in rows.indices {
            addCheckInputs(at: rows[index].hertz, shape, to: &rows[index].inputs)
        }
        return rows
    }

    /// Writes the inputs of the check beside those of the gate.
    private func addCheckInputs(at hertz: Float, _ shape: GaitShape, to inputs: inout GaitFeatures.Inputs) {
        let lines = SpectralLines(at: hertz / GaitSpectrum.rate, of: features.deviations, and: roughness.deviations)
        let values =
            roughness.features(lines) + shape.features(lines) + GaitDirection.features(lines, mean: features.mean)
        for (index, value) in values.enumerated() { inputs[GaitFeatures.count + index] = value }
    }

    /// Twelve is the largest score of a single second, in log-odds.
    private static let gate = GaitNetwork(
        PackageResources.walking_gate_weights, version: 4, inputs: GaitFeatures.count, units: 24, mostScore: 12)
    private static let check = GaitNetwork(
        PackageResources.walking_check_weights, version: 8, inputs: GaitFeatures.Inputs.count, units: 48,
        mostScore: WalkingCheck.mostScore)
}

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

    /// Arranges the weights in a file. Its tables are the mean and the standard deviation of each input over the
    /// training windows, the weight of each input for the score, the weights of the inputs for each unit, unit by unit,
    /// the bias of each unit, its weight for the score, and the bias of the score.
    init(_ file: [UInt8], version: UInt32, inputs: Int, units: Int, mostScore: Float) {
        let tables = NetworkWeights(
            file, version: version, sizes: [inputs, inputs, inputs, inputs * units, units, units, 1])
        (mean, factor, linear) = (tables[0], tables[1].map { 1 / $0 }, tables[2])
        banks = stride(from: 0, to: units, by: Self.bankSize).map { first in
            let bank = first..<min(first + Self.bankSize, units)
            return Bank(
                hidden: (0..<inputs).map { input in Units(bank.map { tables[3][$0 * inputs + input] }) },
                hiddenBias: Units(tables[4][bank]), output: Units(tables[5][bank]))
        }
        (bias, self.mostScore) = (tables[6][0], mostScore)
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
        var (low, middle, high) = (bank.hiddenBias.eights[0], bank.hiddenBias.eights[1], bank.hiddenBias.eights[2])
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

/// Decides over time whether a rhythm that passed the gate is gait, and not that of a hand, a pedal, another exercise
/// or noise. The score of one second is weak evidence. People seldom change between walking and cycling, so the scores
/// add up, and fade towards the prior. The sum against gait has a low limit: after minutes of clapping, ten steps
/// suffice.
struct WalkingCheck: Sendable {
    /// The largest score of a single second, in log-odds.
    static let mostScore: Float = 4
    /// The score that counts as undecided. Below 0, because a lost walk is worse than a few false steps.
    private static let undecided: Float = -0.25
    /// The weight of a second, whose window shares five sixths with the next one.
    private static let weight: Float = 0.2
    /// The log-odds before any evidence: most rhythms that pass the gate are gait.
    private static let prior: Float = 2
    /// The time constant with which the log-odds fade, in seconds.
    private static let fadingSeconds: Float = 60
    private static let fadingPerSecond = exponential(-1 / fadingSeconds)
    /// The least and the largest log-odds (StepTrials.md). Two sure seconds outweigh the least, so that a short walk
    /// after busy hands counts.
    private static let range: ClosedRange<Float> = -1...4
    /// The log-odds from which on ``WaveCheck`` changes next to nothing (WalkingCheckTrials.md), and the seconds of
    /// signal that it needs on both sides.
    private static let (sureOdds, leastAround): (Float, Int64) = (3.5, 3)
    /// The weight of each of two scores, which are more together than one, and the weight of hops beside that in the
    /// first.
    private static let (joinedWeight, hopWeight): (Float, Float) = (0.7, 0.5)
    /// The weight of the joined score in the evidence of a bout, and the score that is no evidence.
    private static let (evidenceWeight, noEvidence): (Float, Float) = (0.5, 1)

    private var wave = WaveCheck()
    /// The log-odds of gait against other rhythms.
    private(set) var logOdds = prior

    /// Adds the next second: joins its score with that of ``WaveCheck``, weighs both in the score of its cadence, and
    /// drops a cadence that is none of gait.
    mutating func judge(_ decision: inout CadenceTracker.Decision, _ second: Int64, in signal: SplitSignal) {
        let isSure = logOdds >= Self.sureOdds
        logOdds = Self.prior + (logOdds - Self.prior) * Self.fadingPerSecond
        if decision.cadence != nil {
            if !isSure, Self.hasSurroundings(second, in: signal) {
                let joined = Self.joinedWeight * (decision.check + wave.score(of: second, in: signal))
                let score = joined - Self.hopWeight * decision.hopOdds
                decision.check = min(max(score, -Self.mostScore), Self.mostScore)
            }
            let sum = logOdds + Self.weight * (decision.check - Self.undecided)
            logOdds = min(max(sum, Self.range.lowerBound), Self.range.upperBound)
            decision.cadence?.score += Self.evidenceWeight * (decision.check - Self.noEvidence)
            if logOdds < 0 { decision.cadence = nil }
        }
        decision.checkOdds = logOdds
    }

    private static func hasSurroundings(_ second: Int64, in signal: SplitSignal) -> Bool {
        let grid = AnalysisGrid.halfRate
        return grid.middle(of: second - leastAround) >= signal.start
            && grid.middle(of: second + leastAround) < signal.lowPassed.end
    }
}
