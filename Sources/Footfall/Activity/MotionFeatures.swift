#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a few seconds of signal look like, whatever way the device is turned.
struct MotionFeatures: Sendable {
    /// Standard deviation of the acceleration vector, in g.
    var deviation: Float
    /// Share of the power above 0.4 Hz that lies above 3 Hz: roads and engines, not limbs.
    var fastShare: Float
    /// How far the gravity vector turned within the window, in g.
    var turn: Float
}

/// Measures ``MotionFeatures``, once a second.
struct FeatureMeter: Sendable {
    /// Seconds of signal in a window, centred on the second it stands for.
    static let windowSeconds = 5

    /// Standard deviation, in g, below which the spectrum is that of the sensor's noise and not worth its cost.
    private static let stillness: Float = 0.004

    private var spectrum = PowerSpectrum(
        windowLength: windowSeconds * Resampler.hertz, length: windowSeconds * Resampler.hertz)

    /// Measures a window of the signal on the analysis grid; nil when it is shorter than a second.
    mutating func features(of window: ArraySlice<SIMD4<Float>>) -> MotionFeatures? {
        guard window.count >= Resampler.hertz else { return nil }
        var sum = SIMD4<Float>()
        var squares = SIMD4<Float>()
        for value in window {
            sum += value
            squares += value * value
        }
        let count = Float(window.count)
        var variance = squares / count - (sum / count) * (sum / count)
        variance[3] = 0
        let deviation = max(variance.sum(), 0).squareRoot()
        let isStill = deviation < Self.stillness
        return MotionFeatures(
            deviation: deviation, fastShare: isStill ? 0 : fastShare(of: window), turn: turn(in: window))
    }

    private mutating func fastShare(of window: ArraySlice<SIMD4<Float>>) -> Float {
        var power = [Float](repeating: 0, count: spectrum.binCount)
        for lane in 0..<3 { spectrum.add(window, lane: lane, to: &power) }
        let binsPerHertz = Float(spectrum.length) / Float(Resampler.hertz)
        let all = power[Int(0.4 * binsPerHertz)...].reduce(0, +)
        let fast = power[Int(3 * binsPerHertz)...].reduce(0, +)
        return all > 0 ? fast / all : 0
    }

    private func turn(in window: ArraySlice<SIMD4<Float>>) -> Float {
        func mean(_ values: ArraySlice<SIMD4<Float>>) -> SIMD4<Float> {
            values.reduce(SIMD4()) { $0 + $1 } / Float(max(values.count, 1))
        }
        let third = window.count / 3
        var difference = mean(window.suffix(third)) - mean(window.prefix(third))
        difference[3] = 0
        return (difference * difference).sum().squareRoot()
    }
}
