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
        Self.cadences(in: signal, around: center, &features, &roughness)
    }

    private static func cadences(
        in signal: SplitSignal, around center: Int64, _ features: inout GaitFeatures, _ roughness: inout GaitRoughness
    ) -> ScoredCadences {
        var cadences = ScoredCadences()
        var best = ScoredCadence(hertz: 0, score: leastChecked)
        var bestInputs = GaitFeatures.Inputs(repeating: 0)
        features.measure(signal.lowPassed, around: center) { hertz, inputs in
            let cadence = ScoredCadence(hertz: hertz, score: gate.score(inputs))
            cadences.append(cadence)
            if cadence.score > best.score { (best, bestInputs) = (cadence, inputs) }
        }
        if best.hertz > 0 {
            roughness.load(signal.highPassed, around: center)
            guard !features.isPureTone(besides: roughness.meanSquare) else { return ScoredCadences() }
            addCheckInputs(at: best.hertz, GaitShape(features.deviations), features, roughness, to: &bestInputs)
            cadences.check = check.score(bestInputs)
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
        roughness.load(signal.highPassed, around: center)
        guard !features.isPureTone(besides: roughness.meanSquare) else { return [] }
        let shape = GaitShape(features.deviations)
        for index in rows.indices {
            Self.addCheckInputs(at: rows[index].hertz, shape, features, roughness, to: &rows[index].inputs)
        }
        return rows
    }

    /// Writes the inputs of the check beside those of the gate.
    private static func addCheckInputs(
        at hertz: Float, _ shape: GaitShape, _ features: borrowing GaitFeatures, _ roughness: borrowing GaitRoughness,
        to inputs: inout GaitFeatures.Inputs
    ) {
        let lines = SpectralLines(at: hertz / GaitSpectrum.rate, of: features.deviations, and: roughness.deviations)
        var index = GaitFeatures.count
        roughness.write(lines, to: &inputs, from: index)
        index += GaitRoughness.count
        shape.write(lines, to: &inputs, from: index)
        index += GaitShape.count
        GaitDirection.write(lines, mean: features.mean, to: &inputs, from: index)
    }

    /// Twelve is the largest score of a single second, in log-odds.
    private static let gate = GaitNetwork(
        PackageResources.walking_gate_weights, version: 4, inputs: GaitFeatures.count, units: 24, mostScore: 12)
    private static let check = GaitNetwork(
        PackageResources.walking_check_weights, version: 7, inputs: GaitFeatures.Inputs.count, units: 48,
        mostScore: WalkingCheck.mostScore)
}
