/// Motion on springs, which distinguishes a car on a rough road from a bicycle.
///
/// A device on a bicycle moves with the rider and shows the crank, or with the frame and shows the road above 8 Hz. The
/// springs and seats of a vehicle attenuate both. Of the recorded seconds on bicycles, at most 0.02 in any data set
/// show neither; in one short recording, 4 of 38 do. `ActivityTrials.md` has the trials that chose the shares.
/// `Notebooks/activity_model.py` has the same three shares of the probability.
enum CarSuspension {
    /// The middle of the fast band, and the lowest rate of a sensor that measures it, in Hz.
    private static let (fastMiddle, lowestRate): (Float, Float) = (9.2, 22)
    /// Linear interpolation attenuates a frequency f of a sensor of rate r by this times (f/r)², as log₁₀ of the power:
    /// the first term of sinc⁴, 4 · π²/6 / ln 10.
    private static let attenuation: Float = 2.86
    /// log₁₀ of the largest share of the power of 4.5 to 6.2 Hz: one half.
    private static let largestShare: Float = -0.30103
    /// The shares of the probability of cycling that remain, that count for automotive, and for handled.
    private static let (cycling, automotive, handled): (Float, Float, Float) = (0.05, 0.65, 0.3)

    /// Whether a window shows neither a crank nor the road of a frame. `rate` is the sample rate in Hz.
    static func excludesBicycle(_ features: WindowFeatures, rate: Float) -> Bool {
        guard rate >= lowestRate else { return false }
        let (crank, seat) = (features.values[1], features.values[5])
        let frame = features.fast + attenuation * (fastMiddle / rate) * (fastMiddle / rate)
        return max(crank, frame) < seat + largestShare
    }

    /// The logarithms of the probabilities, with most of the probability of cycling counted for a drive or for a hand.
    static func withoutBicycle(_ logProbabilities: ByClass) -> ByClass {
        let probabilities = ByClass(exponential(logProbabilities.vector))
        var logs = logProbabilities
        logs[.cycling] += logarithm(cycling)
        logs[.automotive] = logarithm(probabilities[.automotive] + automotive * probabilities[.cycling])
        logs[.handled] = logarithm(probabilities[.handled] + handled * probabilities[.cycling])
        return logs
    }
}
