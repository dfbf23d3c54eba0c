/// White noise, as from a loose cable or a broken sensor.
///
/// Steady noise has a flat spectrum and is alike in all directions and at all times. Between its bands and its
/// directions a body or a vehicle differs by more than chance. Of recorded seconds, at most 0.034 in any data set are
/// taken for steady noise. Impulses of a sensor at rest are single samples with nearly all energy. Of recorded seconds,
/// at most 0.004 in any data set are taken for impulses. Both shares, and the constants without another source, are
/// those of the recordings and of ten minutes of each kind of noise at 12.5, 25, 50 and 100 Hz.
enum WhiteNoise {
    /// Mean and standard deviation of the first fifteen features of noise, the bands relative to their mean. The
    /// training notebook measures them at 50 Hz.
    private static let mean = SIMD16<Float>(
        -0.351, -0.164, -0.027, 0.066, 0.262, 0.215, -0.545, -0.522, -0.503, -0.307, -0.369, -0.407, 0.955, 0.138,
        -0.150, 0)
    private static let spread = SIMD16<Float>(
        0.186, 0.164, 0.145, 0.142, 0.115, 0.125, 0.221, 0.162, 0.123, 0.072, 0.054, 0.039, 0.013, 0.045, 0.056, 1)
    /// How the mean of noise changes with (12.5 Hz / r)² for a sensor of rate r. Linear interpolation attenuates a
    /// frequency f by about (f/r)².
    private static let slowShift = SIMD16<Float>(
        0.174, 0.155, 0.117, 0.052, -0.106, -0.393, 0, 0, 0, 0, 0, 0, -0.033, 0.035, -0.042, 0)
    private static let (slowRate, meanRate): (Float, Float) = (12.5, 50)
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
        for activity in ActivityClass.allCases { logs[activity] = logarithm(activity == .handled ? 0.95 : 0.01) }
        return logs
    }()

    /// Whether the features of a window are those of noise. `rate` is the sample rate in Hz.
    static func contains(_ features: WindowFeatures, rate: Float) -> Bool {
        let level = (features.values * bands).sum() / bands.sum()
        guard level > Self.level else { return false }
        if features.isImpulsive { return true }
        let rate = min(rate, meanRate)
        let slowness = (slowRate / rate) * (slowRate / rate) - (slowRate / meanRate) * (slowRate / meanRate)
        let deviation = (features.values - bands * level - mean - slowShift * slowness) / spread * compared
        return (deviation * deviation).sum() < limit * compared.sum()
    }

    /// A value is calm if its square is below this share of the mean: a quarter of the root mean square.
    private static let calm: Float = 1 / 16
    /// The least share of calm values. Steady noise has 0.02, and 0.98 of the recorded windows have less.
    private static let calmShare = 0.25
    /// The distance of two values, 0.16 s: an impulse of a sensor at 12.5 Hz is shorter, and a movement is longer.
    private static let distance = 4
    /// The limit of the mean product of the sizes of two values at that distance, relative to the mean square. Steady
    /// noise has 0.8, impulses in a tenth of the samples 0.2 to 0.5, and 0.98 of the recorded windows more than 0.6.
    private static let companion: Float = 0.55

    /// Whether single values have most of the energy of a window without its mean: most values are calm, and few of the
    /// others have another near them.
    static func isImpulsive(_ window: [SIMD4<Float>], meanSquare: Float) -> Bool {
        let calmCount = window.count { energy($0) < calm * meanSquare }
        guard Double(calmCount) >= calmShare * Double(window.count) else { return false }
        let pairs = zip(window, window.dropFirst(distance))
        let products = pairs.reduce(0) { $0 + (energy($1.0) * energy($1.1)).squareRoot() }
        return products < companion * meanSquare * Float(window.count)
    }

    /// The sum of the squares of the three axes.
    private static func energy(_ value: SIMD4<Float>) -> Float {
        value.x * value.x + value.y * value.y + value.z * value.z
    }
}
