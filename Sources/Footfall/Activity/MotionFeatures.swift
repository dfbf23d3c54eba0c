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

/// Measures ``MotionFeatures`` on a window of 5.12 s at 25 Hz.
///
/// Nothing above 6.2 Hz is looked at, since a sensor at 12.5 Hz is blind there: a model that used it would answer
/// differently for the same ride.
struct FeatureMeter: Sendable {
    /// Values in a window: 5.12 s at 25 Hz resolve the two seconds of a slow stride and the body motion of a car.
    static let windowLength = 128
    /// In g rms, the axes together: below it nothing moves.
    private static let quiet: Float = 5e-3
    /// In g² per axis over 0…12.5 Hz: the noise of a fair sensor (2 mg), which keeps logarithms and shares calm.
    private static let floor: Float = 4e-6
    /// The noise in one spectral bin, of all three axes.
    private static let binNoise = 3 * floor * 2 / Float(windowLength)
    /// The spectral bins, 0.195 Hz apart, of 0.2–0.6–1.2–2.0–3.0–4.5–6.2 Hz.
    private static let bands: [Range<Int>] = [2..<4, 4..<7, 7..<11, 11..<16, 16..<24, 24..<32]
    /// What makes a natural logarithm a decimal one.
    private static let decimal = Float(M_LOG10E)
    /// The bins whose evenness is measured: 0.6–6.2 Hz.
    private static let even = 4..<32

    private let taper: [Float]
    /// The signal after the half-band filter: value m belongs to grid cell 2 m.
    private var smooth = Grid(start: .min)
    private var values = [SIMD4<Float>](repeating: SIMD4(), count: windowLength)
    /// The power of each lane in each bin, and of the axes together.
    private var squares = [SIMD4<Float>](repeating: SIMD4(), count: even.upperBound)
    private var power = [Float](repeating: 0, count: even.upperBound)
    private var transform = LaneTransform(exponent: 7)

    init() {
        // Hann, with a mean square of one.
        taper = (0..<Self.windowLength).map { index in
            let phase = 2 * Double.pi * Double(index) / Double(Self.windowLength)
            return Float((0.5 - 0.5 * cos(phase)) / (0.375).squareRoot())
        }
    }

    /// Measures the window around a cell of the analysis grid, moved into the stretch where it would reach beyond.
    ///
    /// - Returns: Nil when the stretch is shorter than a window.
    mutating func features(of grid: Grid, around cell: Int64) -> MotionFeatures? {
        let length = Int64(Self.windowLength)
        let first = (grid.start + 1) >> 1
        let latest = ((grid.end - 1) >> 1) + 1 - length
        guard latest >= first else { return nil }
        let start = max(first, min((cell >> 1) - length / 2, latest))
        extendSmooth(grid, from: start, to: start + length)

        let (turn, squares) = takeIn(smooth.slice(start..<start + length))
        smooth.forget(before: start)
        let rms = (Self.xyz(squares).sum() / Float(Self.windowLength)).squareRoot()
        guard rms >= Self.quiet else { return MotionFeatures(isQuiet: true) }

        let steadiness = steadiness()
        applyTaper()
        transform.transform(values)
        // Lanes that are no logarithm hold 1 until all logarithms have been taken at once.
        var features = SIMD16<Float>(repeating: 1)
        measureSpectrum(&features)
        features[15] = turn + Self.floor
        features.lowHalf = logarithm(features.lowHalf) * Self.decimal
        features.highHalf = logarithm(features.highHalf) * Self.decimal
        (features[12], features[13], features[14]) = (evenness(), steadiness.burst, steadiness.calm)
        return MotionFeatures(isQuiet: false, values: features)
    }

    /// Takes every second grid value, after a half-band filter, up to the value before `end`; begins anew at `start` where
    /// it had been left off.
    ///
    /// The filter (−1, 0, 9, 16, 9, 0, −1)/32 is flat within 2 % to 6 Hz, and what would fold below is 30 dB down.
    private mutating func extendSmooth(_ grid: Grid, from start: Int64, to end: Int64) {
        if smooth.end < start { smooth.begin(at: start) }
        guard smooth.end < end else { return }
        let reach: Int64 = 3
        let values = grid.padded(2 * smooth.end - reach..<2 * (end - 1) + reach + 1)
        let missing = Int(end - smooth.end)
        smooth.append(atMost: missing) { results, first in
            let values = values.span.extracting(0..<2 * missing + 5)
            for index in 0..<missing {
                // Three to each side: from 0 to 2 missing + 4.
                let cell = 2 &* index &+ Int(reach)
                var value = (values[unchecked: cell &- 1] + values[unchecked: cell &+ 1]) * (9 / 32)
                value += values[unchecked: cell] * 0.5
                value -= (values[unchecked: cell &- 3] + values[unchecked: cell &+ 3]) * (1 / 32)
                results[first + index] = value
            }
            return first + missing
        }
    }

    /// Takes a window without the mean of each lane.
    ///
    /// - Returns: The squared distance, in g², from the mean acceleration of the first half to that of the second, and
    ///   the sum of the squares of each lane.
    private mutating func takeIn(_ window: ArraySlice<SIMD4<Float>>) -> (turn: Float, squares: SIMD4<Float>) {
        let window = window.span
        let (one, other) = Self.halves(of: window)
        let mean = (one + other) / Float(Self.windowLength)
        let turn = Self.xyz(other - one) / Float(Self.windowLength / 2)
        return ((turn * turn).sum(), Self.takeOff(mean, from: window, into: &values))
    }

    /// The sums of the two halves of a window. Never inlined, so that the lanes stay together; as below.
    @inline(never)
    private static func halves(of window: Span<SIMD4<Float>>) -> (SIMD4<Float>, SIMD4<Float>) {
        // Quarter by quarter: sums that need not wait for each other.
        let quarter = windowLength / 4
        let window = window.extracting(0..<4 * quarter)
        var quarters = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
        for index in 0..<quarter {
            // Within four quarters.
            quarters.0 += window[unchecked: index]
            quarters.1 += window[unchecked: index &+ quarter]
            quarters.2 += window[unchecked: index &+ 2 &* quarter]
            quarters.3 += window[unchecked: index &+ 3 &* quarter]
        }
        return (quarters.0 + quarters.1, quarters.2 + quarters.3)
    }

    /// Takes the mean off the values of a window; returns the sums of their squares.
    @inline(never)
    private static func takeOff(
        _ mean: SIMD4<Float>, from window: Span<SIMD4<Float>>, into values: inout [SIMD4<Float>]
    ) -> SIMD4<Float> {
        let quarter = windowLength / 4
        let window = window.extracting(0..<4 * quarter)
        precondition(values.count == window.count)
        var values = values.mutableSpan
        var squares = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
        for index in 0..<quarter {
            // Within four quarters.
            let (second, third, fourth) = (index &+ quarter, index &+ 2 &* quarter, index &+ 3 &* quarter)
            values[unchecked: index] = window[unchecked: index] - mean
            values[unchecked: second] = window[unchecked: second] - mean
            values[unchecked: third] = window[unchecked: third] - mean
            values[unchecked: fourth] = window[unchecked: fourth] - mean
            squares.0 += values[unchecked: index] * values[unchecked: index]
            squares.1 += values[unchecked: second] * values[unchecked: second]
            squares.2 += values[unchecked: third] * values[unchecked: third]
            squares.3 += values[unchecked: fourth] * values[unchecked: fourth]
        }
        return (squares.0 + squares.1) + (squares.2 + squares.3)
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
            levels[block] = Self.xyz(sum).sum() / Float(length) + 3 * Self.floor
        }
        levels = logarithm(levels) * Self.decimal
        let mean = levels.sum() / 8
        return (levels.max() - mean, levels.min() - mean)
    }

    /// Measures ``power`` and features 0 to 11, before their logarithms are taken.
    private mutating func measureSpectrum(_ features: inout SIMD16<Float>) {
        var sums = SIMD4<Float>()
        var products = SIMD4<Float>()
        var bins: Float = 0
        for (index, band) in Self.bands.enumerated() {
            let (bandSums, bandProducts) = measure(band, after: products)
            for bin in band { power[bin] = Self.xyz(squares[bin]).sum() }
            let noise = Self.binNoise * Float(band.count)
            features[index] = Self.xyz(bandSums).sum() + noise
            sums += bandSums
            products = bandProducts
            bins += Float(band.count)
            guard index % 2 == 1 else { continue }
            // Two bands make one of the three bands in which direction is measured.
            (features[6 + index / 2], features[9 + index / 2]) = direction(sums, products, Self.binNoise * bins)
            (sums, products, bins) = (SIMD4(), SIMD4(), 0)
        }
    }

    /// Measures ``squares`` in a band. Never inlined, so that the lanes stay together.
    ///
    /// - Returns: Their sum, and that of the products of the axes with each other and `products` before.
    @inline(never)
    private mutating func measure(
        _ band: Range<Int>, after products: SIMD4<Float>
    ) -> (sums: SIMD4<Float>, products: SIMD4<Float>) {
        let scale = 2 / Float(Self.windowLength * Self.windowLength)
        var sums = SIMD4<Float>()
        var products = products
        for bin in band {
            let (real, imaginary) = transform.bin(bin)
            let squares = (real * real + imaginary * imaginary) * scale
            self.squares[bin] = squares
            sums += squares
            products += (real * Self.rotated(real) + imaginary * Self.rotated(imaginary)) * scale
        }
        return (sums, products)
    }

    /// The share along gravity, and how much the motion keeps to one line (1: wholly, ⅓: not at all).
    private func direction(
        _ sums: SIMD4<Float>, _ products: SIMD4<Float>, _ noise: Float
    ) -> (vertical: Float, purity: Float) {
        // For small motion |a| is the acceleration along gravity.
        let vertical = (sums[3] + noise / 3) / (Self.xyz(sums).sum() + noise)
        // The 3 × 3 matrix of co-spectra: its trace, and the sum of its squared elements.
        let diagonal = Self.xyz(sums + noise / 3)
        let trace = diagonal.sum()
        let squares = (diagonal * diagonal).sum() + 2 * (Self.xyz(products) * Self.xyz(products)).sum()
        return (vertical, squares / (trace * trace))
    }

    /// The entropy of the spectrum, 1 when all bins are alike.
    private func evenness() -> Float {
        var sum: Float = 0
        for bin in Self.even { sum += power[bin] + Self.binNoise }
        var entropy: Float = 0
        for first in stride(from: Self.even.lowerBound, to: Self.even.upperBound, by: 8) {
            // Lanes without a bin add nothing: the logarithm of one is zero.
            var shares = SIMD8<Float>(repeating: 1)
            for bin in first..<min(first + 8, Self.even.upperBound) {
                shares[bin - first] = (power[bin] + Self.binNoise) / sum
            }
            entropy -= (shares * logarithm(shares)).sum()
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
