#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Says, for each cadence a person may have, how much a few seconds of signal look like walking or running at it.
///
/// Gait is periodic twice over: every step shakes the body up and down, and every second step is made by the same leg
/// (and arm). So the power of someone on foot stands on a comb of frequencies: the step rate and its harmonics in the
/// magnitude, half the step rate and its odd multiples in the axes. Engines, roads and hands put it elsewhere.
struct WalkingGate: Sendable {
    /// The cadences that are told apart, in Hz: 45 to 260 steps a minute in steps of 2 %.
    static let cadences: [Float] = (0..<89).map { 0.75 * pow(1.02, Float($0)) }

    /// Seconds of signal behind one verdict: three or more strides of a slow walker.
    static let windowSeconds = 6
    /// Amplitude, as the standard deviation of the vector acceleration in g, below which nobody walks.
    static let stillness: Float = 0.015

    private static let decimation = 2
    private static let rate = Float(Resampler.hertz / decimation)
    private var spectrum = PowerSpectrum(windowLength: windowSeconds * Resampler.hertz / decimation, length: 400)
    private var magnitudePower: [Float] = []
    private var axesPower: [Float] = []

    /// The log-odds of “on foot at this cadence” against “not on foot”, one for each of ``cadences``.
    ///
    /// - Parameter window: The low-passed signal, at most ``windowSeconds`` of it.
    /// - Returns: Nil when the signal is too still or too short for anyone to be walking.
    mutating func evidence(in window: ArraySlice<SIMD4<Float>>) -> [Float]? {
        guard window.count >= 2 * Resampler.hertz else { return nil }
        let deviation = Self.deviation(of: window)
        guard deviation >= Self.stillness else { return nil }
        measureSpectra(of: window)
        let total = (magnitudePower.reduce(0, +), axesPower.reduce(0, +))
        guard total.0 > 0, total.1 > 0 else { return nil }
        // A bin's power times this is the share of a whole spectral line of a Hann window (equivalent noise
        // bandwidth 1.5 bins), zero-padded.
        let binsPerLine = 1.5 * Float(spectrum.length * Self.decimation) / Float(window.count)
        let amplitude = 1.5 * min(0, log2(deviation / 0.06))
        return Self.cadences.map { cadence in
            let share = combShare(of: cadence, binsPerLine: binsPerLine, total: total)
            let octavesFromUsual = log2(cadence / 1.85)
            return 14 * (share - 0.46) + amplitude - 2.5 * octavesFromUsual * octavesFromUsual
        }
    }

    private static func deviation(of window: ArraySlice<SIMD4<Float>>) -> Float {
        var sum = SIMD4<Float>()
        var squares = SIMD4<Float>()
        for value in window {
            sum += value
            squares += value * value
        }
        let count = Float(window.count)
        var variance = squares / count - (sum / count) * (sum / count)
        variance[3] = 0
        return max(variance.sum(), 0).squareRoot()
    }

    private mutating func measureSpectra(of window: ArraySlice<SIMD4<Float>>) {
        let thinned = stride(from: window.startIndex, to: window.endIndex, by: Self.decimation).map { window[$0] }
        magnitudePower = [Float](repeating: 0, count: spectrum.binCount)
        axesPower = magnitudePower
        spectrum.add(thinned[...], lane: 3, to: &magnitudePower)
        for lane in 0..<3 { spectrum.add(thinned[...], lane: lane, to: &axesPower) }
        // Below 0.4 Hz lie turns of the body and of the device, not gait; above 6.5 Hz the low-pass has cut.
        for bin in 0..<spectrum.binCount {
            let frequency = Float(bin) * Self.rate / Float(spectrum.length)
            if frequency < 0.4 || frequency > 6.5 {
                magnitudePower[bin] = 0
                axesPower[bin] = 0
            }
        }
    }

    /// The share of the power that stands on the comb of a cadence, corrected for what a comb of as many teeth would
    /// catch of noise; the mean of magnitude and axes.
    private func combShare(of cadence: Float, binsPerLine: Float, total: (Float, Float)) -> Float {
        var magnitude: Float = 0
        for (harmonic, weight) in [(0.5, 0.5), (1, 1), (2, 1), (3, 1)] as [(Float, Float)] {
            magnitude += weight * power(in: magnitudePower, at: cadence * harmonic)
        }
        var axes: Float = 0
        for harmonic in [0.5, 1, 1.5, 2, 2.5, 3] as [Float] {
            axes += power(in: axesPower, at: cadence * harmonic)
        }
        return 0.5 * binsPerLine * (magnitude / total.0 + axes / total.1)
    }

    private func power(in spectrum: [Float], at frequency: Float) -> Float {
        let position = frequency * Float(self.spectrum.length) / Self.rate
        let bin = Int(position)
        guard bin + 1 < spectrum.count else { return 0 }
        let fraction = position - Float(bin)
        return spectrum[bin] * (1 - fraction) + spectrum[bin + 1] * fraction
    }
}
