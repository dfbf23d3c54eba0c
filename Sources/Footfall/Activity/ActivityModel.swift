#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What someone may be doing who is not on foot, and how one state follows another.
///
/// A hidden Markov model: each second's features make each state more or less likely, and states last for minutes.
/// A drive has two states, rolling and halted, so that a red light is part of it; a halted car looks like any
/// other still thing, and only its neighbours tell.
enum ActivityModel {
    /// The states, in the order of the numbers below.
    static let states: [ActivityFlags] = [.stationary, .automotive, [.automotive, .stationary], []]
    private static let (still, rolling, halted, handled) = (0, 1, 2, 3)

    /// How long a state lasts on average, in seconds.
    private static let stay: [Float] = [300, 180, 45, 60]
    /// Neighbouring windows overlap and repeat each other, so each counts for a part only.
    private static let temper: Float = 0.2

    /// The log-likelihood of each state, up to a common constant.
    static func logLikelihoods(_ features: MotionFeatures) -> SIMD4<Float> {
        let level = log10(max(features.deviation, 1e-4) * 1000)
        var scores = SIMD4<Float>()
        scores[still] = 5 * (1.0 - level)
        scores[halted] = 5 * (1.0 - level) - 0.5
        scores[rolling] = 6 * (features.fastShare - 0.45) - 3 * abs(level - 1.7) + 1.5 - 4 * features.turn
        scores[handled] = 3 * (level - 1.9) + 4 * (0.35 - features.fastShare) + 4 * min(features.turn, 0.5)
        return scores * temper
    }

    /// The probability of each state (column) a second after each state (row).
    static let transitions: [SIMD4<Float>] = {
        var rows: [SIMD4<Float>] = []
        for from in 0..<4 {
            let leave = 1 / stay[from]
            var row = SIMD4<Float>(repeating: leave / 3)
            if from == rolling { row = SIMD4(leave * 0.15, 0, leave * 0.7, leave * 0.15) }
            if from == halted { row = SIMD4(leave * 0.15, leave * 0.8, 0, leave * 0.05) }
            if from == still { row = SIMD4(0, leave * 0.4, leave * 0.01, leave * 0.59) }
            row[from] = 1 - leave
            rows.append(row)
        }
        return rows
    }()

    /// The probability of each state when nothing is known, as after walking.
    static let prior = SIMD4<Float>(0.5, 0.2, 0.05, 0.25)
}
