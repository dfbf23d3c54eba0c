/// The features of a window of about five seconds, independent of the orientation of the device.
///
/// | features | meaning | distinguish |
/// |---|---|---|
/// | 0–5 | log₁₀ of the energy in six bands, 0.2 to 6.2 Hz | strength and speed |
/// | 6–8 | log₁₀ of the share along gravity, in a low, middle and high band | roads shake up and down, bodies tilt |
/// | 9–11 | log₁₀ of the linearity of the motion, in the same bands | pedalling moves along a line |
/// | 12 | normalized entropy of the spectrum from 0.6 Hz | gait has harmonics, a road is noise |
/// | 13, 14 | strongest and calmest eighth against the mean, as log₁₀ | roads are steady, hands are not |
/// | 15 | log₁₀ of the squared turn of gravity within the window | posture |
struct WindowFeatures: Sendable {
    /// The root mean square of the axes together, in g, below which a window is quiet.
    private static let quiet: Float = 5e-3

    /// The root mean square of the axes together without their means, in g.
    var rms: Float
    /// Whether single values have most of the energy, see ``WhiteNoise/isImpulsive(_:meanSquare:)``.
    var isImpulsive = false
    /// Whether the mean acceleration of the window is below half of gravity.
    var isWeightless = false
    /// Whether the window is a tone that no body or vehicle makes, see ``PureTone``.
    var isPureTone = false
    /// The sixteen features.
    var values = SIMD16<Float>()
    /// log₁₀ of the energy from 8.0 to 10.5 Hz, for ``CarSuspension``. A slow sensor does not measure it.
    var fast: Float = 0

    /// Whether the window has so little motion that the classifier does not need its features.
    var isQuiet: Bool { rms < Self.quiet }
}
