#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// White noise, as from a loose cable or a broken sensor: a flat spectrum, alike in all directions and at all times.
///
/// Between its bands and its directions a body or a vehicle differs by more than chance. Of recorded seconds, at most 0.034
/// in any data set are taken for noise.
enum WhiteNoise {
    /// Mean and standard deviation of the first fifteen features of noise, the bands relative to their mean. The training
    /// notebook measures them at 50 Hz.
    private static let mean = SIMD16<Float>(
        -0.351, -0.164, -0.027, 0.066, 0.262, 0.215, -0.545, -0.522, -0.503, -0.307, -0.369, -0.407, 0.955, 0.138,
        -0.150, 0)
    private static let spread = SIMD16<Float>(
        0.186, 0.164, 0.145, 0.142, 0.115, 0.125, 0.221, 0.162, 0.123, 0.072, 0.054, 0.039, 0.013, 0.045, 0.056, 1)
    /// The limit of the mean square deviation, which is 1 for noise.
    private static let limit: Float = 2
    /// The least mean of the bands. Noise below 25 mg rms may be that of a sensor at rest.
    private static let level: Float = -4.3

    /// One in the lanes of the bands.
    private static let bands = SIMD16<Float>(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    /// One in the lanes that are compared.
    private static let compared = SIMD16<Float>(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0)

    /// The logarithm of the probability of each class. Noise is none of the activities.
    static let logProbabilities: ByClass = {
        var logs = ByClass(SIMD8(repeating: -.infinity))
        for activity in ActivityClass.allCases { logs[activity] = log(activity == .handled ? 0.95 : 0.01) }
        return logs
    }()

    /// Whether the features of a window are those of white noise.
    static func contains(_ features: WindowFeatures) -> Bool {
        let level = (features.values * bands).sum() / bands.sum()
        guard level > Self.level else { return false }
        let deviation = (features.values - bands * level - mean) / spread * compared
        return (deviation * deviation).sum() < limit * compared.sum()
    }
}
