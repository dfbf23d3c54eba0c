#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What five seconds of signal look like, whichever way the device is turned.
///
/// | features | what | tells |
/// |---|---|---|
/// | 0–5 | log₁₀ of the energy in six bands, 0.2 to 6.2 Hz | how strong, how fast |
/// | 6–8 | log₁₀ of the share along gravity, in a low, a middle and a high band | roads shake up and down, bodies tilt |
/// | 9–11 | log₁₀ of how much the motion keeps to one line, in the same bands | pedalling is a line |
/// | 12 | evenness of the spectrum from 0.6 Hz | gait is a comb, a road is noise |
/// | 13, 14 | strongest and calmest part against the mean, as log₁₀ | roads are steady, hands are not |
/// | 15 | log₁₀ of how far gravity turned within the window | posture |
struct MotionFeatures: Sendable {
    /// Whether so little moves that ``values`` were not measured.
    var isQuiet: Bool
    /// The sixteen features.
    var values = SIMD16<Float>()
}

/// Measures ``MotionFeatures``, once a second, on a window of 5.12 s at 25 Hz.
///
/// Nothing above 6.2 Hz is looked at, since a sensor at 12.5 Hz is blind there: a model that used it would answer
/// differently for the same ride.
struct FeatureMeter: Sendable {
    /// Values in a window: 5.12 s at 25 Hz resolve the two seconds of a slow stride and the body motion of a car.
    static let windowLength = 128
    /// Grid cells from one value of the window to the next.
    private static let stride: Int64 = 2
    /// Grid cells that a value's filter looks to each side.
    private static let reach: Int64 = 3
    /// In g rms, the axes together: below it nothing moves.
    private static let quiet: Float = 5e-3
    /// In g² per axis over 0…12.5 Hz: the noise of a fair sensor (2 mg), which keeps logarithms and shares calm.
    private static let floor: Float = 4e-6
    /// The noise in one spectral bin, of all three axes.
    private static let binNoise = 3 * floor * 2 / Float(windowLength)
    /// The spectral bins, 0.195 Hz apart, of 0.2–0.6–1.2–2.0–3.0–4.5–6.2 Hz.
    private static let bands: [Range<Int>] = [2..<4, 4..<7, 7..<11, 11..<16, 16..<24, 24..<32]
    /// The bins whose evenness is measured: 0.6–6.2 Hz.
    private static let even = 4..<32

    private let taper: [Float]
    private var values = [SIMD4<Float>](repeating: SIMD4(), count: windowLength)
    private var power = [Float](repeating: 0, count: even.upperBound)
    private var transform = LaneTransform(exponent: 7)

    init() {
        // Hann, with a mean square of one.
        taper = (0..<Self.windowLength).map { index in
            let phase = 2 * Double.pi * Double(index) / Double(Self.windowLength)
            return Float((0.5 - 0.5 * cos(phase)) / (0.375).squareRoot())
        }
    }

    /// Measures the window around the middle of a second, moved into the stretch where it would reach beyond.
    ///
    /// - Returns: Nil when the stretch is shorter than a window.
    mutating func features(of grid: Grid, around second: Int64) -> MotionFeatures? {
        let span = Self.stride * Int64(Self.windowLength - 1)
        let first = grid.start + (grid.start & 1)
        let latest = (grid.end - 1 - span) & ~1
        guard latest >= first else { return nil }
        let centred = second * Int64(Resampler.hertz) + Int64(Resampler.hertz / 2 - 1) - span / 2 - 1
        collect(grid, from: max(first, min(centred & ~1, latest)))

        let turn = removeMean()
        var variance = SIMD4<Float>()
        for value in values { variance += value * value }
        let rms = (Self.xyz(variance).sum() / Float(Self.windowLength)).squareRoot()
        guard rms >= Self.quiet else { return MotionFeatures(isQuiet: true) }

        var features = MotionFeatures(isQuiet: false)
        (features.values[13], features.values[14]) = steadiness()
        features.values[15] = log10(turn + Self.floor)
        applyTaper()
        transform.transform(values)
        measureSpectrum(&features.values)
        return features
    }

    /// Takes every second grid value from `start` on, after a half-band filter, with |a| in the fourth lane.
    ///
    /// The filter (−1, 0, 9, 16, 9, 0, −1)/32 is flat within 2 % to 6 Hz, and what would fold below is 30 dB down.
    private mutating func collect(_ grid: Grid, from start: Int64) {
        let wanted = (start - Self.reach)..<(start + Self.stride * Int64(Self.windowLength - 1) + Self.reach + 1)
        let available = wanted.clamped(to: grid.start..<grid.end)
        let slice = grid.slice(available)
        let isWhole = wanted == available
        let origin = slice.startIndex - Int(available.lowerBound - start)
        var values = self.values.mutableSpan
        for index in 0..<Self.windowLength {
            let centre = origin + 2 * index
            var value: SIMD4<Float>
            if isWhole || slice.indices.contains(centre - 3) && slice.indices.contains(centre + 3) {
                value = (slice[centre - 1] + slice[centre + 1]) * (9 / 32) + slice[centre] * 0.5
                value -= (slice[centre - 3] + slice[centre + 3]) * (1 / 32)
            } else {
                // Beyond the ends of the stretch its first and last values stand in.
                func at(_ offset: Int) -> SIMD4<Float> {
                    slice[min(max(centre + offset, slice.startIndex), slice.endIndex - 1)]
                }
                value = (at(-1) + at(1)) * (9 / 32) + at(0) * 0.5 - (at(-3) + at(3)) * (1 / 32)
            }
            value[3] = (Self.xyz(value) * Self.xyz(value)).sum().squareRoot()
            values[index] = value
        }
    }

    /// Subtracts each lane's mean.
    ///
    /// - Returns: The squared distance, in g², from the mean acceleration of the first half to that of the second.
    private mutating func removeMean() -> Float {
        let half = Self.windowLength / 2
        var one = SIMD4<Float>()
        var other = SIMD4<Float>()
        for index in 0..<half {
            one += values[index]
            other += values[half + index]
        }
        let mean = (one + other) / Float(Self.windowLength)
        var span = values.mutableSpan
        for index in 0..<Self.windowLength { span[index] -= mean }
        let turn = Self.xyz(other - one) / Float(half)
        return (turn * turn).sum()
    }

    private mutating func applyTaper() {
        let taper = taper
        var span = values.mutableSpan
        for index in 0..<Self.windowLength { span[index] *= taper[index] }
    }

    /// The strongest and the calmest eighth of the window against their mean, as log₁₀ of the squared differences.
    private func steadiness() -> (burst: Float, calm: Float) {
        let length = Self.windowLength / 8
        var levels = SIMD8<Float>()
        for block in 0..<8 {
            var sum = SIMD4<Float>()
            for index in (block * length)..<((block + 1) * length) {
                // The last value has no next one; the difference before it counts twice.
                let at = min(index, Self.windowLength - 2)
                let difference = values[at + 1] - values[at]
                sum += difference * difference
            }
            levels[block] = log10(Self.xyz(sum).sum() / Float(length) + 3 * Self.floor)
        }
        let mean = levels.sum() / 8
        return (levels.max() - mean, levels.min() - mean)
    }

    private mutating func measureSpectrum(_ features: inout SIMD16<Float>) {
        let scale = 2 / Float(Self.windowLength * Self.windowLength)
        var sums = SIMD4<Float>()
        var products = SIMD4<Float>()
        var bins: Float = 0
        for (index, band) in Self.bands.enumerated() {
            var bandSums = SIMD4<Float>()
            for bin in band {
                let (real, imaginary) = transform.bin(bin)
                let squares = (real * real + imaginary * imaginary) * scale
                power[bin] = Self.xyz(squares).sum()
                bandSums += squares
                products += (real * Self.rotated(real) + imaginary * Self.rotated(imaginary)) * scale
            }
            let noise = Self.binNoise * Float(band.count)
            features[index] = log10(Self.xyz(bandSums).sum() + noise)
            sums += bandSums
            bins += Float(band.count)
            guard index % 2 == 1 else { continue }
            // Two bands make one of the three bands in which direction is measured.
            (features[6 + index / 2], features[9 + index / 2]) = direction(sums, products, Self.binNoise * bins)
            (sums, products, bins) = (SIMD4(), SIMD4(), 0)
        }
        features[12] = evenness()
    }

    /// The share along gravity, and how much the motion keeps to one line (0: wholly, −0.48: not at all), as log₁₀.
    private func direction(
        _ sums: SIMD4<Float>, _ products: SIMD4<Float>, _ noise: Float
    ) -> (vertical: Float, purity: Float) {
        // For small motion |a| is the acceleration along gravity.
        let vertical = log10((sums[3] + noise / 3) / (Self.xyz(sums).sum() + noise))
        // The 3 × 3 matrix of co-spectra: its trace, and the sum of its squared elements.
        let diagonal = Self.xyz(sums + noise / 3)
        let trace = diagonal.sum()
        let squares = (diagonal * diagonal).sum() + 2 * (Self.xyz(products) * Self.xyz(products)).sum()
        return (vertical, log10(squares / (trace * trace)))
    }

    /// The entropy of the spectrum, 1 when all bins are alike.
    private func evenness() -> Float {
        var sum: Float = 0
        for bin in Self.even { sum += power[bin] + Self.binNoise }
        var entropy: Float = 0
        for bin in Self.even {
            let share = (power[bin] + Self.binNoise) / sum
            entropy -= share * log(share)
        }
        return entropy / log(Float(Self.even.count))
    }

    @inline(__always)
    private static func xyz(_ value: SIMD4<Float>) -> SIMD4<Float> {
        SIMD4(value.x, value.y, value.z, 0)
    }

    /// y, z, x: beside x, y, z it makes the products xy, yz, zx.
    @inline(__always)
    private static func rotated(_ value: SIMD4<Float>) -> SIMD4<Float> {
        SIMD4(value.y, value.z, value.x, 0)
    }
}
